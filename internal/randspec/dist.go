// This file declares variables with distributions of the catalogue, and writes their parameters.

package randspec

import (
	"strings"

	"github.com/gibbsgen/gibbsgen/ir"
)

// common are those of the catalogue that models have most.
var common = []string{"Normal", "Normal", "Normal", "Gamma", "InvGamma", "Beta", "Dirichlet", "Categorical", "Bernoulli", "Poisson"}

// scalarNormal returns the entry of the Normal of numbers.
func scalarNormal() *ir.Dist {
	for _, d := range ir.Dists {
		if d.Name == "Normal" && d.Event == 0 {
			return d
		}
	}
	return nil
}

// distribution picks one of the catalogue: of half of what is declared, one of those that are common.
func (w *writer) distribution(role string) *ir.Dist {
	for {
		var ds []*ir.Dist
		if w.n(2) == 0 {
			name := one(w, common...)
			for _, d := range ir.Dists {
				if d.Name == name {
					ds = append(ds, d)
				}
			}
		} else {
			ds = ir.Dists
		}
		d := one(w, ds...)
		counts := d.Type == ir.Int
		switch {
		case d.LogDensity == nil && len(d.Params) > 0: // a stick, which process makes
		case d.LogDensity == nil && (role == "data" || !w.rare(6)): // flat
		case counts && role != "data" && !w.rare(60): // no kernel draws them
		default:
			return d
		}
	}
}

// declare writes the declaration of a variable with a distribution, d or any, and returns it. chained allows that it looks back at itself.
// It returns nil if no such variable could be made.
func (w *writer) declare(role string, axes []*plate, d *ir.Dist, chained bool) *variable {
	if d == nil {
		d = w.distribution(role)
	}
	v := &variable{name: w.name(names), event: d.Event, dist: d, known: role == "data", local: role == "local"}
	var p *plate // of the vector, or of the category
	if d.Event > 0 || d.Type == ir.Cat {
		if p = w.vectorPlate(); p == nil {
			return nil
		}
	}
	for range d.Event {
		v.axes = append(v.axes, p)
	}
	v.axes = append(append([]*plate{}, axes...), v.axes...)
	typ := ""
	switch d.Type {
	case ir.Cat:
		v.kind, v.of, typ = category, p, p.name
	case ir.Bool:
		v.kind, typ = boolean, "bool"
	case ir.Int:
		v.kind, typ = count, "int"
	default:
		v.kind, typ = kindOf(d), "real"
	}
	event := "" // as a declaration of data has to write it
	if role == "data" {
		for range d.Event {
			event += ", " + p.name
		}
		if d.Event > 0 {
			typ = map[kind]string{simplex: "simplex", matrix: "cov"}[v.kind]
			if typ == "" {
				typ = one(w, "real")
			}
			if v.kind == count {
				typ = "int"
			}
		}
	}
	with := func(text string) string {
		if event == "" {
			return text
		}
		if text == "" {
			return "[" + strings.TrimPrefix(event, ", ") + "]"
		}
		return strings.TrimSuffix(text, "]") + event + "]"
	}
	depth := 2
	if role != "data" {
		depth = w.pick(2, 3, 2)
	}
	if chained && len(axes) > 0 && w.rare(5) && !axes[0].unbounded {
		w.declareChain(role, v, d, axes, p, with, typ, depth)
		return v
	}
	sc, text := w.bind(axes)
	if role == "global" && d.Event == 0 && v.kind == real && len(axes) > 0 && axes[len(axes)-1].over == nil && !axes[0].unbounded && w.rare(10) {
		w.say("global %s%s : ordered ~ %s", v.name, text, w.call(sc[:len(sc)-1], d, p, depth, false))
		w.vars = append(w.vars, v)
		return v
	}
	bound := ""
	if role != "data" && d.Event == 0 && d.LogMass != "" && w.rare(8) {
		bound = w.bound(sc, v, d)
	}
	call := w.call(sc, d, p, depth, bound != "" && d.Name != "Normal")
	switch {
	case role == "data":
		typ = " : " + typ
	case bound != "":
		typ = " : " + bound
	default:
		typ = ""
	}
	w.say("%s %s%s%s ~ %s", role, v.name, with(text), typ, call)
	w.vars = append(w.vars, v)
	return v
}

// kindOf is the kind of what a distribution of real numbers draws.
func kindOf(d *ir.Dist) kind {
	args := make([]ir.Expr, len(d.Params))
	switch s := d.Support(args); {
	case s.Kind == ir.Simplex:
		return simplex
	case s.Kind == ir.SPD:
		return matrix
	case s.Lo == nil:
		return real
	case s.Hi != nil:
		return unit
	}
	return positive
}

// bound writes a range that truncates, and notes what kind of number is left.
func (w *writer) bound(sc scope, v *variable, d *ir.Dist) string {
	switch {
	case v.kind == unit:
		return "real in (0.2, 0.8)"
	case v.kind == positive:
		return one(w, "real in (0.5, 4)", "real < 3", "real > 0.5")
	case d.Name == "Normal" && w.rare(2):
		v.kind = positive
		return "real > " + w.scalar(sc, positive, 1)
	}
	if w.n(2) == 0 {
		v.kind = positive
		return "real > 0"
	}
	return one(w, "real < 2", "real in (-1, 1)", "real > -1")
}

// declareChain declares a variable whose elements depend on those before them along the last axis.
func (w *writer) declareChain(role string, v *variable, d *ir.Dist, axes []*plate, p *plate, with func(string) string, typ string, depth int) {
	last := len(axes) - 1
	order := 1 + w.pick(4, 1)
	colon := ""
	if role == "data" {
		colon = " : " + typ
	}
	given := role == "data" && w.rare(2)
	if given { // the first ones are conditioned on
		w.say("data %s%s%s", v.name, with(plainAxes(axes)), colon)
		colon = ""
	} else {
		when := " == 1"
		if order > 1 {
			when = " <= 2"
		}
		sc, text := w.bindIf(axes, map[int]string{last: when})
		w.say("%s %s%s%s ~ %s", role, v.name, with(text), colon, w.call(sc, d, p, 1, false))
	}
	sc, text := w.bindIf(axes, map[int]string{last: one(w, " > 1", " >= 2")})
	if order > 1 {
		sc, text = w.bindIf(axes, map[int]string{last: " > 2"})
	}
	sc[last].back = order
	w.chain = &chain{v, last}
	if v.kind == positive {
		depth = 1 // its squares would run away
	}
	known := v.known
	w.vars = append(w.vars, v)
	if role == "data" && !given {
		colon = ""
	}
	w.say("%s %s%s%s ~ %s", role, v.name, with(text), colon, w.call(sc, d, p, max(depth, 1), false))
	w.chain, v.known, v.used = nil, known, false
}

// call writes a distribution with its parameters. p is the plate of its vector or category. If fixed is set, they are numbers.
func (w *writer) call(sc scope, d *ir.Dist, p *plate, depth int, fixed bool) string {
	if d.Name == "Uniform" {
		return "Uniform(" + w.ends(sc, fixed) + ")"
	}
	scalar := func(k kind, depth int) string {
		if fixed {
			return w.number(k)
		}
		return w.scalar(sc, k, depth)
	}
	over := d.Event > 0 || d.Type == ir.Cat
	var args []string
	for i, q := range d.Params {
		name, e := q.Name, ""
		switch q.Domain {
		case ir.AnyReal:
			if q.Dims == 1 {
				e = w.vector(sc, p, real, depth)
			} else {
				e = scalar(real, depth)
			}
		case ir.Positive:
			e = scalar(positive, depth-w.n(2))
			switch {
			case q.Name == "df":
				e = one(w, "3", "5", "10", sum("2", e))
			case q.Name == "shape" || q.Name == "a" || q.Name == "b":
				if !w.rare(30) && !(fixed && w.rare(2)) { // near 0 draws lie at the ends of the support
					e = sum("1", e)
				}
			case !fixed && strings.ContainsAny(e, " ") && w.n(2) == 0:
				e = sum("0.5", e)
			}
		case ir.PositiveVec:
			e = w.vector(sc, p, positive, min(depth, 1))
		case ir.UnitInterval:
			e = scalar(unit, depth)
		case ir.CountDomain:
			e = scalar(count, 0)
		case ir.SimplexDomain:
			e, _ = w.probabilities(sc, p)
		case ir.SPDDomain:
			e = w.spd(sc, p, depth)
		case ir.DegreesOfFreedom:
			e = p.name + " + " + w.number(positive)
		}
		if len(q.Spell) > 0 && w.rare(2) {
			name = one(w, q.Spell...).Name
		}
		if q.Named || i > 0 && w.rare(8) {
			e = name + " = " + e
		}
		args = append(args, e)
	}
	s := d.Name + "(" + strings.Join(args, ", ") + ")"
	if over && d.Event < 2 {
		s += " over " + p.name
	}
	return s
}

// ends writes the ends of a Uniform.
func (w *writer) ends(sc scope, fixed bool) string {
	if fixed || w.n(2) == 0 {
		return one(w, "0, 1", "-1, 1", "0, 10", "-5, 5")
	}
	if w.n(2) == 0 {
		return "0, " + w.scalar(sc, positive, 1)
	}
	lo := w.scalar(sc, real, 0)
	return lo + ", " + lo + " + " + w.scalar(sc, positive, 0)
}
