// This file holds the cache of compiled samplers. A sampler's directory is named by a hash of all that it is made of, so that
// a changed spec, compiler or runtime gives another one, and a warm cache needs no go command.

package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gibbsgen/gibbsgen"
	"github.com/gibbsgen/gibbsgen/codegen"
	"github.com/gibbsgen/gibbsgen/ir"
)

const (
	modulePath     = "github.com/gibbsgen/gibbsgen"
	samplerPackage = "sampler"                              // name of the generated package in the cache
	cacheFor       = 60 * 24 * time.Hour                    // unused samplers go after this
	mathModule     = "gonum.org/v1/gonum "                  // all that the runtime needs beside the standard library
	parserModule   = "github.com/alecthomas/participle/v2 " // what the reader of specs needs
)

// A tree is a part of this module that a program is built from.
type tree struct {
	source embed.FS
	dir    string
}

// An assembly is what a generated package is built with.
type assembly struct {
	trees   []tree
	modules []string // that they need, each with a space behind it
	main    []byte   // the source of main.go
}

// samplerAssembly draws from the posterior of a model.
func samplerAssembly(m *ir.Model, spec string) assembly {
	return assembly{[]tree{{gibbsgen.Source, "runtime"}}, []string{mathModule}, samplerMain(m, spec)}
}

// cachedBinary returns the path of the compiled program, building it if it is not in the cache.
func cachedBinary(m *ir.Model, spec string, a assembly, files []codegen.File, c console) (string, error) {
	source, err := moduleSource(a, files)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no directory for the cache: %w", err)
	}
	cache = filepath.Join(cache, "gibbsgen")
	dir := filepath.Join(cache, hash(source))
	binary := filepath.Join(dir, m.Name)
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if info, err := os.Stat(binary); err == nil && info.Mode().IsRegular() {
		now := time.Now()
		os.Chtimes(dir, now, now) // keeps it from trim; no harm if it fails
		return binary, nil
	}
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return "", pathError("cannot make the cache", cache, err)
	}
	trim(cache)
	fmt.Fprintf(c.stderr, "gibbsgen: compiling %s\n", spec)
	return binary, build(source, cache, binary)
}

// moduleSource returns the files of a module that holds the trees of the assembly, the generated package and main.
func moduleSource(a assembly, files []codegen.File) ([]outFile, error) {
	var out []outFile
	for _, t := range a.trees {
		err := fs.WalkDir(t.source, t.dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := t.source.ReadFile(path)
			out = append(out, outFile{path, text})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	mod, err := gibbsgen.Source.ReadFile("go.mod")
	if err != nil {
		return nil, err
	}
	sum, err := gibbsgen.Source.ReadFile("go.sum")
	if err != nil {
		return nil, err
	}
	out = append(out, outFile{"go.mod", smallMod(mod, a.modules)}, outFile{"go.sum", linesWith(sum, a.modules...)}, outFile{"main.go", a.main})
	for _, f := range files {
		if !strings.HasSuffix(f.Name, "_test.go") {
			out = append(out, outFile{samplerPackage + "/" + f.Name, f.Src})
		}
	}
	return out, nil
}

// smallMod returns a go.mod with the requirements of those modules only.
func smallMod(mod []byte, modules []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "module %s\n\n", modulePath)
	b.Write(linesWith(mod, "go "))
	for line := range strings.Lines(string(linesWith(mod, modules...))) {
		fields := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
		fmt.Fprintf(&b, "\nrequire %s %s\n", fields[0], fields[1])
	}
	return b.Bytes()
}

// linesWith returns the lines that begin with one of the prefixes, or with "require " and that.
func linesWith(text []byte, prefixes ...string) []byte {
	var out bytes.Buffer
	in := bufio.NewScanner(bytes.NewReader(text))
	for in.Scan() {
		line := strings.TrimPrefix(strings.TrimSpace(in.Text()), "require ")
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(line, p) }) {
			fmt.Fprintln(&out, line)
		}
	}
	return out.Bytes()
}

// hash names a set of files and the Go that built this command: running the go command to ask for its version would take as
// long as all the rest.
func hash(files []outFile) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, func(a, b outFile) int { return strings.Compare(a.path, b.path) })
	for _, f := range sorted {
		fmt.Fprintf(h, "%s %d\n", f.path, len(f.data))
		h.Write(f.data)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// build writes the module to a temporary directory, compiles it, and moves the binary to its place.
func build(source []outFile, cache, binary string) error {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return errors.New("the go command is needed to compile a sampler, and is not on the PATH: install Go from https://go.dev/dl")
	}
	work, err := os.MkdirTemp(cache, "build-*")
	if err != nil {
		return pathError("cannot write to the cache", cache, err)
	}
	defer os.RemoveAll(work)
	for _, f := range source {
		path := filepath.Join(work, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return pathError("cannot write to the cache", path, err)
		}
		if err := os.WriteFile(path, f.data, 0o666); err != nil {
			return pathError("cannot write to the cache", path, err)
		}
	}
	made := filepath.Join(work, "sampler.out")
	// -trimpath makes the result independent of work, so that the go command's own cache has the runtime compiled once.
	// Functions begin at lines of the processor's cache: beginning elsewhere, the draws of the probit lasso took an eighth longer.
	cmd := exec.Command(goCommand, "build", "-mod=mod", "-trimpath", "-buildvcs=false", "-ldflags=-funcalign=64", "-o", made, ".")
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GO111MODULE=on", "CGO_ENABLED=0", "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build failed (%w):\n%s", err, bytes.TrimSpace(out))
	}
	if err := os.MkdirAll(filepath.Dir(binary), 0o777); err != nil {
		return pathError("cannot write to the cache", binary, err)
	}
	return os.Rename(made, binary)
}

// trim removes samplers that have not been used for long, and what killed builds have left. Failures don't matter.
func trim(cache string) {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() {
			continue
		}
		age := time.Since(info.ModTime())
		if age > cacheFor || strings.HasPrefix(e.Name(), "build-") && age > 24*time.Hour {
			os.RemoveAll(filepath.Join(cache, e.Name()))
		}
	}
}
