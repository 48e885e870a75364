// This file builds samplers, all into one program, and runs their verifications, each in a process of its own.

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gibbsgen/gibbsgen/verify"
)

// programPath is a directory of this module that does not exist: the go command sees the packages there through an overlay, so that
// nothing is written in the tree and what did not change is taken from the build cache.
const programPath = "internal/mutate/mutants"

const modulePath = "github.com/gibbsgen/gibbsgen"

// A program verifies any one of a set of samplers.
type program struct {
	dir     string            // of all that is written, and of the binary
	root    string            // of the module
	overlay map[string]string // what the go command takes for what
}

// moduleRoot returns the directory of the module.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", modulePath).Output()
	return strings.TrimSpace(string(out)), err
}

// newProgram builds the samplers of the mutations; package and argument of number i are m<i>. close removes what was written.
func newProgram(root string, ms []mutation) (*program, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	p := &program{dir: dir, root: root, overlay: map[string]string{}}
	return p, p.build(ms)
}

func (p *program) close() { os.RemoveAll(p.dir) }

func (p *program) build(ms []mutation) error {
	var imports, models strings.Builder
	for i, m := range ms {
		pkg := packageName(i)
		files, err := m.files(p.root, pkg)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := p.file(pkg+"/"+f.Name, f.Src); err != nil {
				return err
			}
		}
		fmt.Fprintf(&imports, "\t%q\n", modulePath+"/"+programPath+"/"+pkg)
		fmt.Fprintf(&models, "\t%q: {Source: %[2]s.Source, Schema: %[2]s.Schema, Open: %[2]s.Open, Forward: %[2]s.Forward},\n", pkg, pkg)
	}
	if err := p.file("main.go", []byte(fmt.Sprintf(programMain, imports.String(), models.String()))); err != nil {
		return err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": p.overlay})
	if err != nil {
		return err
	}
	path := filepath.Join(p.dir, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o666); err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-overlay="+path, "-o", p.binary(), "./"+programPath)
	cmd.Dir = p.root
	if out, err := cmd.CombinedOutput(); err != nil {
		var of strings.Builder
		for i, m := range ms {
			fmt.Fprintf(&of, "%s: %s\n", packageName(i), m.name)
		}
		return fmt.Errorf("%w:\n%s\n%s", err, out, of.String())
	}
	return nil
}

func packageName(i int) string { return fmt.Sprintf("m%03d", i) }

func (p *program) binary() string { return filepath.Join(p.dir, "mutants.exe") }

func (p *program) file(name string, src []byte) error {
	real := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(real), 0o777); err != nil {
		return err
	}
	p.overlay[filepath.Join(p.root, filepath.FromSlash(programPath), filepath.FromSlash(name))] = real
	return os.WriteFile(real, src, 0o666)
}

// programMain verifies the sampler named by its first argument, at the level and seed of the others, and prints each check once it is made.
const programMain = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/gibbsgen/gibbsgen/verify"
%s)

var models = map[string]verify.Model{
%s}

func main() {
	opt := verify.Options{Invent: true}
	level, _ := strconv.Atoi(os.Args[2])
	opt.Level = verify.Level(level)
	opt.Seed, _ = strconv.ParseUint(os.Args[3], 10, 64)
	out := json.NewEncoder(os.Stdout)
	opt.Heard = func(c verify.Check) {
		c.Plots = nil
		out.Encode(c)
	}
	if _, err := verify.Run(models[os.Args[1]], opt); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}
`

// A verdict is what the verification of one sampler found.
type verdict struct {
	failed map[string]string // by name of the check, its kind
	detail string            // of the first failure
	end    string            // "" if it ran to its end; crash, time, or refused: nothing could be said
	took   time.Duration
}

// kinds lists those that found fault, in order; with but, only of checks that but did not fail.
func (v *verdict) kinds(but *verdict) []string {
	seen := map[string]bool{}
	for name, kind := range v.failed {
		if but == nil || but.failed[name] == "" {
			seen[kind] = true
		}
	}
	out := slices.Sorted(maps.Keys(seen))
	if len(out) == 0 && v.end != "" && (but == nil || but.end == "") {
		out = []string{v.end}
	}
	return out
}

// verifyAll verifies the first n samplers, as many at a time as there are processors, and hands each verdict to heard in order of
// completion. Those for which hurry is true are left at the first failure.
func (p *program) verifyAll(n int, level verify.Level, seed uint64, hurry func(i int) bool, heard func(i int, v *verdict)) {
	var wait sync.WaitGroup
	var mu sync.Mutex
	next := make(chan int)
	for range runtime.NumCPU() {
		wait.Go(func() {
			for i := range next {
				v := p.verify(packageName(i), level, seed, hurry(i))
				mu.Lock()
				heard(i, v)
				mu.Unlock()
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}

const (
	longest = 10 * time.Minute // that a verification may take
	burst   = time.Second      // within which checks are told that were made together: the exact ones
)

// verify verifies one sampler.
func (p *program) verify(pkg string, level verify.Level, seed uint64, hurry bool) *verdict {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	began := time.Now()
	cmd := exec.CommandContext(ctx, p.binary(), pkg, fmt.Sprint(int(level)), fmt.Sprint(seed))
	cmd.Dir = p.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	v := &verdict{failed: map[string]string{}}
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		v.end, v.detail = "crash", err.Error()
		return v
	}
	left := false
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var c verify.Check
		if json.Unmarshal(lines.Bytes(), &c) != nil || c.Outcome != verify.Failed {
			continue
		}
		v.failed[c.Name] = c.Kind
		if v.detail == "" {
			v.detail = c.Name + ": " + c.Detail
		}
		if hurry && !left {
			left = true
			time.AfterFunc(burst, cancel)
		}
	}
	err = cmd.Wait()
	v.took = time.Since(began)
	if err == nil || left {
		return v
	}
	switch status := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		v.end = "time"
	case errors.As(err, &status) && status.ExitCode() == 3:
		v.end = "refused"
	default:
		v.end = "crash"
	}
	if v.detail == "" {
		v.detail = stderr.String()
	}
	return v
}
