// This file holds names: legal and stable Go identifiers for whatever a spec calls its variables.

package codegen

import (
	"go/token"
	"strconv"
	"strings"
	"unicode"
)

// predeclared identifiers and the names that generated code uses itself; a local of such a name gets an underscore.
var taken = map[string]bool{}

func init() {
	for _, n := range strings.Fields(`any append bool byte cap clear close comparable complex complex128 complex64 copy delete
		error false float32 float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real
		recover rune string true uint uint16 uint32 uint64 uint8 uintptr
		s err rng runtime math errors fmt context dataio slices lo hi old next weights total h prec lp init main units
		Sizes Data Hyper State Sampler New NewAt Simulate Load Open Source Schema DefaultHyper`) {
		taken[n] = true
	}
}

// localName returns the Go identifier of a local variable for a spec's name.
func localName(name string) string {
	name = ascii(name)
	switch {
	case strings.Trim(name, "_") == "": // Go cannot read _
		return "v" + name
	case token.IsKeyword(name) || taken[name]:
		return name + "_"
	}
	return name
}

// ascii spells a name with letters that every editor shows; the language allows letters, digits and underscores.
func ascii(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || r == '_' || i > 0 && unicode.IsDigit(r)):
			b.WriteRune(r)
		case r == '°': // the reference of a location
			b.WriteString("Ref")
		default:
			b.WriteString("u" + strconv.FormatInt(int64(r), 16))
		}
	}
	return b.String()
}

// A namer hands out exported field names without clashes: mu and Mu become Mu and Mu2.
type namer struct{ used map[string]bool }

func newNamer(reserved ...string) *namer {
	n := &namer{used: map[string]bool{}}
	for _, r := range reserved {
		n.used[r] = true
	}
	return n
}

// exported returns a fresh exported identifier for a spec's name: tau2 -> Tau2, log_sd -> LogSd, _x -> X.
func (n *namer) exported(name string) string {
	var b strings.Builder
	up := true
	for _, r := range ascii(name) {
		if r == '_' {
			up = true
			continue
		}
		if up {
			r = unicode.ToUpper(r)
			up = false
		}
		b.WriteRune(r)
	}
	s := b.String()
	if s == "" || !unicode.IsLetter(rune(s[0])) {
		s = "V" + s
	}
	return n.fresh(s)
}

// fresh returns s, or s with the least number that makes it new.
func (n *namer) fresh(s string) string {
	out := s
	for i := 2; n.used[out]; i++ {
		out = s + strconv.Itoa(i)
	}
	n.used[out] = true
	return out
}

// packageName returns a legal package name for a model.
func packageName(model string) string {
	s := strings.ToLower(strings.ReplaceAll(ascii(model), "_", ""))
	if s == "" || s == "main" || token.IsKeyword(s) || taken[s] {
		s += "model"
	}
	return s
}

func itoa(n int) string { return strconv.Itoa(n) }
