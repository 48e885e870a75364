package dsl

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	for _, tt := range []struct{ name, known, want string }{
		{"globl", "local global", "global"},      // inserted
		{"gglobal", "local global", "global"},    // deleted
		{"glopal", "local global", "global"},     // replaced
		{"golbal", "local global", "global"},     // swapped
		{"modle", "model", "model"},              // swapped at the end
		{"lcoal", "global local", "local"},       // nearer than global
		{"Normla", "Normal LogNormal", "Normal"}, //
		{"normal", "LogNormal Normal", "Normal"}, // case
		{"NORMAL", "LogNormal Normal", "Normal"}, // case, throughout
		{"Sigma", "sigma Sigma", "Sigma"},        // case decides
		{"mu", "nu", ""},                         // one of two letters is too much
		{"lt", "let", "let"},                     // one of three is not
		{"abc", "xyz", ""},                       //
		{"", "a ab", ""},                         //
		{"mu2", "mu3 mu1", "mu3"},                // the first of equals
		{"frob", "", ""},                         // nothing known
		{strings.Repeat("a", 65), strings.Repeat("a", 64), ""},
		{strings.Repeat("a", 64), strings.Repeat("a", 63), strings.Repeat("a", 63)},
	} {
		if got := Nearest(tt.name, strings.Fields(tt.known)); got != tt.want {
			t.Errorf("Nearest(%q, %q) = %q, want %q", tt.name, tt.known, got, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"ab", "ba", 1}, {"abc", "abc", 0},
		{"kitten", "sitting", 3}, // Levenshtein's textbook case
		{"ca", "abc", 3},         // 2 if a swapped pair could be edited again: optimal string alignment says 3
	} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := distance(tt.b, tt.a); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}
