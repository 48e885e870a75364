// This file holds plates, variables, scopes of indices, and how an element of a variable is named.

package randspec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/ir"
)

// A plate is an index set.
type plate struct {
	name      string
	over      *plate // of a ragged plate
	unbounded bool
	units     bool // data run over it
}

// A kind is where values lie. In the order of constants those up to boolean are numbers.
type kind int

const (
	real kind = iota
	positive
	unit // (0, 1)
	count
	boolean
	category
	simplex
	matrix
)

// A variable is what an expression may refer to.
type variable struct {
	name  string
	axes  []*plate
	event int // how many of the axes, the last ones, belong to one draw
	kind  kind
	of    *plate   // of a category
	known bool     // data or const
	local bool     // or a let
	dist  *ir.Dist // nil of what has none
	used  bool
}

// An index is bound in a scope.
type index struct {
	name  string
	plate *plate
	at    []string // of a ragged plate: the indices of its parents
	back  int      // how far it may be shifted back
}

type scope []index

// A chain is a variable that looks back at itself along one axis.
type chain struct {
	v    *variable
	axis int
}

var plateNames = strings.Fields("N K P T J G D V S docs words groups Units I R levels kinds sites")

// makePlates declares plates over which data run, and some for groups, components and vectors.
func (w *writer) makePlates() {
	for range 1 + w.pick(3, 2) {
		p := &plate{name: w.name(plateNames), units: true}
		w.plates = append(w.plates, p)
		w.say("plate %s", p.name)
		for w.rare(4) && len(w.plates) < 5 { // ragged, and ragged again
			p = &plate{name: w.name(plateNames), units: true, over: p}
			w.plates = append(w.plates, p)
			w.say("plate %s[%s]", p.name, p.over.name)
		}
	}
	for range 1 + w.pick(2, 3, 1) {
		p := &plate{name: w.name(plateNames)}
		size := one(w, "", " = 2", " = 3")
		if w.rare(12) {
			if q := w.vectorPlate(); q != nil {
				size = " = " + q.name + one(w, "", " + 1")
			}
		}
		w.plates = append(w.plates, p)
		w.say("plate %s%s", p.name, size)
	}
}

// unitAxes picks the axes of data or locals: a plate with the parents it is ragged over, and now and then one more.
func (w *writer) unitAxes() []*plate {
	var axes []*plate
	for axes == nil {
		for _, p := range w.plates {
			if p.units && w.rare(2) || len(w.plates) == 1 {
				for q := p; q != nil; q = q.over {
					axes = slices.Insert(axes, 0, q)
				}
				break
			}
		}
		if axes == nil && w.n(2) == 0 {
			axes = []*plate{w.plates[0]}
		}
	}
	if w.rare(6) {
		if p := w.vectorPlate(); p != nil {
			axes = append(axes, p)
		}
	}
	return axes
}

// vectorPlate picks a plate for groups, components or elements of a vector.
func (w *writer) vectorPlate() *plate {
	var ps []*plate
	for _, p := range w.plates {
		if p.over == nil && (!p.units || w.rare(8)) {
			ps = append(ps, p)
		}
	}
	if len(ps) == 0 {
		return nil
	}
	return one(w, ps...)
}

// categories picks a plate whose elements something is of.
func (w *writer) categories() *plate { return w.vectorPlate() }

// bind gives indices to the axes and returns them with how they are written in a declaration.
func (w *writer) bind(axes []*plate) (scope, string) {
	return w.bindIf(axes, nil)
}

// bindIf is bind with a range on each axis that has one.
func (w *writer) bindIf(axes []*plate, when map[int]string) (scope, string) {
	if len(axes) == 0 {
		return nil, ""
	}
	var sc scope
	var text []string
	for i, p := range axes {
		ix := w.indexOver(sc, p)
		s := ix.name + " in " + p.name
		if p.over != nil {
			s += "[" + strings.Join(ix.at, ", ") + "]"
		}
		if r := when[i]; r != "" {
			s += " if " + ix.name + r
		}
		text = append(text, s)
		sc = append(sc, ix)
	}
	return sc, "[" + strings.Join(text, ", ") + "]"
}

// indexOver binds an index over the plate in the scope.
func (w *writer) indexOver(sc scope, p *plate) index {
	pool := strings.Fields("n i j k l m t p q e o n1 n2 n3 n4 n5 n6 n7 n8 n9")
	at := 0
	taken := func(s string) bool {
		return w.names[s] || slices.ContainsFunc(sc, func(ix index) bool { return ix.name == s })
	}
	for taken(pool[at]) || at < len(pool)/2 && w.rare(3) {
		at++
	}
	ix := index{name: pool[at], plate: p}
	if p.over != nil {
		for _, up := range slices.Backward(sc) {
			if up.plate == p.over {
				ix.at = append(slices.Clone(up.at), up.name)
				break
			}
		}
	}
	return ix
}

// plainAxes writes axes without indices.
func plainAxes(axes []*plate) string {
	if len(axes) == 0 {
		return ""
	}
	var ps []string
	for _, p := range axes {
		ps = append(ps, p.name)
	}
	return "[" + strings.Join(ps, ", ") + "]"
}

// subscripts writes the indices of an element of v, or of what is left of it if its last keep axes are not indexed. depth bounds how
// many categories may be nested.
func (w *writer) subscripts(sc scope, v *variable, keep, depth int) (string, bool) {
	var at []string
	for i, p := range v.axes[:len(v.axes)-keep] {
		s, ok := w.subscript(sc, p, at, depth, w.chain != nil && w.chain.v == v, w.chain != nil && w.chain.v == v && w.chain.axis == i)
		if !ok {
			return "", false
		}
		at = append(at, s)
	}
	if len(at) == 0 {
		return "", true
	}
	return "[" + strings.Join(at, ", ") + "]", true
}

func (w *writer) subscript(sc scope, p *plate, before []string, depth int, self, lagged bool) (string, bool) {
	var found []string
	for _, ix := range sc {
		if ix.plate != p || len(ix.at) > len(before) || !slices.Equal(ix.at, before[len(before)-len(ix.at):]) {
			continue
		}
		if !lagged {
			found = append(found, ix.name, ix.name, ix.name)
		}
		if ix.back > 0 && (lagged || !self && w.rare(3)) {
			found = append(found, fmt.Sprintf("%s-%d", ix.name, 1+w.n(ix.back)))
		}
	}
	if !lagged && !self && p.over == nil && depth >= 0 {
		if s, ok := w.ref(sc, 0, depth-1, func(v *variable) bool { return v.kind == category && v.of == p }); ok {
			found = append(found, s, s, s, s)
		}
		if !p.unbounded && (len(found) == 0 && w.rare(3) || w.rare(20)) {
			found = append(found, "1")
		}
	}
	if len(found) == 0 {
		return "", false
	}
	return one(w, found...), true
}

// ref writes an element of a variable that fits, or with keep > 0 a vector or matrix. What nothing depends on yet goes first, as a rule.
func (w *writer) ref(sc scope, keep, depth int, fits func(*variable) bool) (string, bool) {
	var fresh, rest []*variable
	for _, v := range w.vars {
		if len(v.axes) < keep || !fits(v) {
			continue
		}
		// Vectors and matrices are drawn from families alone: what else reads their elements is refused, as a rule.
		if keep < v.event && !v.known && !w.rare(16) {
			continue
		}
		if v.used || w.rare(4) {
			rest = append(rest, v)
		} else {
			fresh = append(fresh, v)
		}
	}
	for _, vs := range [][]*variable{fresh, rest} {
		for i, start := 0, w.n(len(vs)); i < len(vs); i++ {
			v := vs[(start+i)%len(vs)]
			if at, ok := w.subscripts(sc, v, keep, depth); ok {
				v.used = true
				return v.name + at, true
			}
		}
	}
	return "", false
}
