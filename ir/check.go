// This file holds Check: from a syntax tree to a typed model, in the order names, shapes, expressions, supports, graph.
//
// Each check_*.go file is one idea. An error is reported once: what failed is marked bad, and whatever refers to it
// is passed over in silence, so that a run shows as many errors as there are and no follow-on errors.

package ir

import (
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// Check resolves names, infers shapes, types and supports, and returns the typed model. The model is nil if any of the
// diagnostics is an error. Check never panics on a tree that dsl.Parse returned.
func Check(f *dsl.File) (*Model, dsl.Diags) {
	c := &checker{
		file:   f,
		m:      &Model{Name: f.Model.Name, Doc: f.Doc, File: f, Kernels: map[*Var]string{}, byName: map[string]*Var{}},
		plates: map[string]*Plate{},
		vars:   map[string]*variable{},
		used:   map[any]bool{},
	}
	c.declarePlates()
	c.declareVars()
	c.letCycles()
	for _, v := range c.order {
		c.signature(v)
	}
	for _, v := range c.order {
		c.define(v)
	}
	c.observes()
	c.directives()
	c.supports()
	c.domains()
	if !c.diags.HasErrors() { // these look at the model as a whole, and a hole in it would mislead them
		c.unsure()
		c.cycles()
		c.warnings()
	}
	if c.diags.HasErrors() {
		return nil, c.diags
	}
	return c.m, c.diags
}

// A checker holds what is known so far.
type checker struct {
	file   *dsl.File
	m      *Model
	diags  dsl.Diags
	plates map[string]*Plate
	vars   map[string]*variable
	order  []*variable  // in order of declaration
	used   map[any]bool // *Plate and *Var that something refers to
	facts  []*fact      // factors, with where their arguments stand
	lets   int          // operations that the lets so far stand for
}

// A variable is a Var while it is being checked.
type variable struct {
	*Var
	decls []*dsl.VarDecl
	stmts []*statement
	state state // of the signature
	bad   bool  // an error about its shape or type has been reported
	guess bool  // its shape could not be inferred: an error, unless another one explains it
	def   state // of a let's definition
}

// A state says how far a lazy computation has come.
type state int

const (
	unseen state = iota
	busy
	done
)

// A fact is a Factor while it is being checked.
type fact struct {
	*Factor
	v     *variable
	st    *statement
	given []Expr      // what stands in the text for each parameter; nil where the default does
	at    []dsl.Span  // where it stands
	spell []*Spelling // how it was spelled, nil for canonical
}

// errorf reports an error.
func (c *checker) errorf(at dsl.Span, code, format string, args ...any) *dsl.Diag {
	return c.diags.Errorf(at, code, format, args...)
}

// warnf reports a warning.
func (c *checker) warnf(at dsl.Span, code, format string, args ...any) *dsl.Diag {
	d := c.diags.Errorf(at, code, format, args...)
	d.Severity = dsl.Warning
	return d
}

// text is the source of a span, on one line.
func (c *checker) text(s dsl.Span) string {
	if s.Start.Offset < 0 || s.End.Offset > len(c.file.Src) || s.Start.Offset >= s.End.Offset {
		return "?"
	}
	return strings.Join(strings.Fields(c.file.Src[s.Start.Offset:s.End.Offset]), " ")
}

// unsure reports the variables whose shape could not be inferred.
func (c *checker) unsure() {
	for _, v := range c.order {
		if v.guess {
			c.errorf(v.Span, "unknown-shape", "cannot tell the shape of %s from its definition", v.Name).
				Hint = "write its event axis, as in `" + v.Name + "[P]`"
		}
	}
}
