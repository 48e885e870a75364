// This file holds the pipeline: spec text to syntax tree, typed model, conditionals, plan, Go.

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gibbsgen/gibbsgen/codegen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// specMost is how much of a spec is read; the parser refuses less than that.
const specMost = 4 << 20

// readSpec returns the text of a spec; "-" is stdin.
func readSpec(path string, stdin io.Reader) (string, error) {
	r := stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return "", pathError("cannot read the spec", path, err)
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return "", fmt.Errorf("cannot read the spec %s: it is a directory", path)
		}
		r = f
	}
	text, err := io.ReadAll(io.LimitReader(r, specMost))
	if err != nil {
		return "", pathError("cannot read the spec", path, err)
	}
	if len(text) == specMost {
		return "", fmt.Errorf("cannot read the spec %s: it is longer than %d MB, and a spec holds no data", path, specMost>>20)
	}
	return string(text), nil
}

// pathError says what failed with which file, once.
func pathError(what, path string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s %s: %w", what, path, err)
}

// analyse runs the front of the pipeline, as far as the conditionals. Messages go to c.stderr.
func analyse(path string, c console) (*conjugacy.Analysis, error) {
	src, err := readSpec(path, c.stdin)
	if err != nil {
		return nil, err
	}
	file, diags := dsl.Parse(path, src)
	if diags.HasErrors() {
		return nil, reportDiags(c.stderr, file, diags)
	}
	model, more := ir.Check(file)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, reportDiags(c.stderr, file, diags)
	}
	analysis, more := conjugacy.Analyze(model)
	return analysis, reportDiags(c.stderr, file, append(diags, more...))
}

// makePlan runs the pipeline as far as the plan.
func makePlan(path string, c console) (*plan.Plan, error) {
	analysis, err := analyse(path, c)
	if err != nil {
		return nil, err
	}
	p, diags := plan.Build(analysis)
	return p, reportDiags(c.stderr, analysis.Model.File, diags)
}

// generate runs the whole pipeline. pkg names the package; "" takes the model's name.
func generate(path, pkg string, c console) (*ir.Model, []codegen.File, error) {
	p, err := makePlan(path, c)
	if err != nil {
		return nil, nil, err
	}
	files, err := codegen.Generate(p, codegen.Options{Package: pkg, Spec: filepath.Base(path)})
	return p.Model, files, err
}
