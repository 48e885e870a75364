package jags

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "run JAGS for long and rewrite diabetes_lasso.json")

// long is what the reference is made with, short a quick look whether it still
// comes out.
var (
	long  = Settings{Chains: 4, Warmup: 5000, Draws: 50000, Thin: 4, Seed: 100}
	short = Settings{Chains: 2, Warmup: 1000, Draws: 2000, Thin: 1, Seed: 200}
)

// TestJAGS runs JAGS, if it is there, and compares with the stored reference.
func TestJAGS(t *testing.T) {
	set := short
	if *update {
		set = long
	}
	data, err := Diabetes()
	if err != nil {
		t.Fatal(err)
	}
	draws, version, err := Run(t.Context(), t.TempDir(), data, set)
	if errors.Is(err, ErrNotInstalled) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	now := &Reference{
		What:     "posterior medians of the Bayesian lasso on the diabetes data; X centred and scaled to unit L2 norm, y centred",
		Made:     "go test ./bench/jags -run TestJAGS -update -timeout 1h",
		Engine:   version,
		Settings: set,
	}
	for _, line := range strings.Split(string(model), "\n") {
		if strings.HasPrefix(line, "#   ") {
			now.Model = append(now.Model, strings.TrimPrefix(line, "#   "))
		}
	}
	now.Model = append(now.Model, "lambda = 0.237, a = 0.01, b = 0.01")
	got := make(map[string]Parameter)
	for _, name := range draws.Names {
		p := Summarise(name, draws.Of[name])
		got[name] = p
		now.Parameters = append(now.Parameters, p)
	}
	for j, name := range data.Names {
		now.Parameters[j].Predictor = name
	}
	if *update {
		text, err := json.MarshalIndent(now, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("diabetes_lasso.json", append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	then, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	// JAGS has fixed seeds, so that this is settled once: see Compare.
	if err := then.Compare(got, 4); err != nil {
		t.Error(err)
	}
}
