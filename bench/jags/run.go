// This file runs JAGS: data and script out, CODA files in.

package jags

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed lasso.bug
var model []byte

// ErrNotInstalled says that there is no JAGS to run.
var ErrNotInstalled = errors.New("jags is not installed (Debian and Ubuntu: apt-get install jags)")

// Settings are those of a run of JAGS.
type Settings struct {
	Chains int `json:"chains"`
	Warmup int `json:"warmup"` // sweeps dropped, adaptation included
	Draws  int `json:"draws"`  // kept draws of each chain
	Thin   int `json:"thin"`   // sweeps for each kept draw
	Seed   int `json:"seed"`   // chain k, from 1, has seed Seed + k
}

// Draws are posterior draws: for each parameter, chains × draws.
type Draws struct {
	Names []string // w[1], ..., sigma2, tau2[1], ...
	Of    map[string][][]float64
}

// Run samples the lasso of r with JAGS, which works in directory dir; what it
// needs and leaves there may be deleted afterwards. version is JAGS's own. It
// returns ErrNotInstalled if there is no JAGS.
func Run(ctx context.Context, dir string, r *Regression, set Settings) (draws *Draws, version string, err error) {
	program, err := exec.LookPath("jags")
	if err != nil {
		return nil, "", ErrNotInstalled
	}
	files := map[string]string{"lasso.bug": string(model), "data.R": dump(r), "script.cmd": script(set)}
	for k := range set.Chains {
		files[fmt.Sprintf("init%d.R", k+1)] = initial(r.D(), k, set.Seed+k+1)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, "", fmt.Errorf("jags: %w", err)
		}
	}
	cmd := exec.CommandContext(ctx, program, "script.cmd")
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	if err != nil {
		return nil, "", fmt.Errorf("jags: %w\n%s", err, said)
	}
	draws, err = readCODA(dir, set.Chains)
	if err != nil {
		return nil, "", fmt.Errorf("jags: %w\n%s", err, said)
	}
	first, _, _ := strings.Cut(string(said), " on ") // "Welcome to JAGS 4.3.1 (official binary) on ..."
	return draws, strings.TrimPrefix(first, "Welcome to "), nil
}

// script is what JAGS is told to do.
func script(set Settings) string {
	var b strings.Builder
	fmt.Fprintf(&b, "model in lasso.bug\ndata in data.R\ncompile, nchains(%d)\n", set.Chains)
	for k := range set.Chains {
		fmt.Fprintf(&b, "parameters in init%d.R, chain(%d)\n", k+1, k+1)
	}
	fmt.Fprintf(&b, "initialize\nupdate %d\n", set.Warmup)
	for _, name := range []string{"w", "sigma2", "tau2"} {
		fmt.Fprintf(&b, "monitor %s, thin(%d)\n", name, set.Thin)
	}
	fmt.Fprintf(&b, "update %d\ncoda *, stem(CODA)\nexit\n", set.Draws*set.Thin)
	return b.String()
}

// dump writes the data in R's dump format: matrices column-major.
func dump(r *Regression) string {
	n, d := len(r.Y), r.D()
	columns := make([]float64, 0, n*d)
	for j := range d {
		for i := range n {
			columns = append(columns, r.X[i*d+j])
		}
	}
	return fmt.Sprintf("N <- %d\nD <- %d\nlambda <- %v\na <- %v\nb <- %v\ny <- %s\nX <- structure(%s, .Dim = c(%d, %d))\n",
		n, d, Lambda, A, B, vector(r.Y), vector(columns), n, d)
}

func vector(x []float64) string {
	words := make([]string, len(x))
	for i, v := range x {
		words[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return "c(" + strings.Join(words, ", ") + ")"
}

// initial gives chain k, from 0, an overdispersed start and a seed of its own.
func initial(d, k, seed int) string {
	w := make([]float64, d)
	tau2 := make([]float64, d)
	for j := range w {
		w[j] = 500 * float64((j+k)%3-1)
		tau2[j] = []float64{0.1, 1, 10, 100}[(j+k)%4]
	}
	return fmt.Sprintf(".RNG.name <- \"base::Mersenne-Twister\"\n.RNG.seed <- %d\nprec <- %v\nw <- %s\ntau2 <- %s\n",
		seed, []float64{1e-3, 1e-4, 1e-5}[k%3], vector(w), vector(tau2))
}

// readCODA reads the index and the chains that JAGS wrote: the index names each
// parameter with its first and last line, each chain holds an iteration and a
// value a line.
func readCODA(dir string, chains int) (*Draws, error) {
	type span struct {
		name        string
		first, last int
	}
	var spans []span
	err := lines(filepath.Join(dir, "CODAindex.txt"), func(text string) error {
		var s span
		if _, err := fmt.Sscan(text, &s.name, &s.first, &s.last); err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
		spans = append(spans, s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	d := &Draws{Of: make(map[string][][]float64)}
	for _, s := range spans {
		d.Names = append(d.Names, s.name)
	}
	for k := range chains {
		var values []float64
		err := lines(filepath.Join(dir, fmt.Sprintf("CODAchain%d.txt", k+1)), func(text string) error {
			fields := strings.Fields(text)
			if len(fields) != 2 {
				return fmt.Errorf("%q: want an iteration and a value", text)
			}
			v, err := strconv.ParseFloat(fields[1], 64)
			values = append(values, v)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, s := range spans {
			if s.first < 1 || s.last < s.first || s.last > len(values) {
				return nil, fmt.Errorf("CODAindex.txt: %s has lines %d to %d of %d", s.name, s.first, s.last, len(values))
			}
			d.Of[s.name] = append(d.Of[s.name], values[s.first-1:s.last])
		}
	}
	return d, nil
}

// lines calls f on each line of a file.
func lines(path string, f func(string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	for n := 1; ; n++ {
		text, err := in.ReadString('\n')
		if text != "" {
			if err := f(text); err != nil {
				return fmt.Errorf("%s, line %d: %w", filepath.Base(path), n, err)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
