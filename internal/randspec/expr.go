// This file writes expressions of a kind: of which kind they are is known from how they are built.

package randspec

import "strings"

// number writes a constant, of ordinary size as a rule.
func (w *writer) number(k kind) string {
	switch k {
	case positive:
		if w.rare(40) {
			return one(w, "0.01", "100", "1e-3")
		}
		return one(w, "1", "2", "0.5", "3", "1.5", "4")
	case unit:
		return one(w, "0.5", "0.3", "0.1", "0.9")
	case count:
		return one(w, "3", "1", "5", "2")
	}
	return one(w, "0", "1", "-1", "2", "0.5", "-0.5")
}

// sum, product and so on put brackets where they are needed.
func sum(a, b string) string     { return a + " + " + b }
func product(a, b string) string { return bracket(a) + " * " + bracket(b) }

// bracket puts a sum, a product or a negative number into brackets.
func bracket(e string) string {
	depth := 0
	for i, c := range e {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ' ', '-', '^':
			if depth == 0 && (c != '-' || i == 0 || e[i-1] != 'e') {
				return "(" + e + ")"
			}
		}
	}
	return e
}

// fits reports whether elements of kind v may stand where k is wanted.
func (v *variable) fits(k kind) bool {
	is := v.kind
	if is == simplex {
		is = unit
	}
	switch k {
	case real:
		return is <= boolean
	case positive:
		return is == positive || is == unit
	}
	return is == k
}

// scalar writes a number of the kind.
func (w *writer) scalar(sc scope, k kind, depth int) string {
	if depth <= 0 || w.n(3) == 0 {
		if w.n(6) > 0 || depth > 0 {
			if s, ok := w.ref(sc, 0, 1, func(v *variable) bool { return v.fits(k) }); ok {
				return s
			}
		}
		return w.number(k)
	}
	next := func(k kind) string { return w.scalar(sc, k, depth-1) }
	switch k {
	case positive:
		switch w.pick(4, 3, 2, 2, 1, 1, 1, 1) {
		case 0:
			return product(next(positive), next(positive))
		case 1:
			return sum(next(positive), next(positive))
		case 2:
			return bracket(next(positive)) + " / " + bracket(next(positive))
		case 3:
			return "exp(" + w.calm(sc, depth-1) + ")"
		case 4:
			return "1 + " + bracket(next(real)) + "^2"
		case 5:
			return bracket(next(positive)) + "^2"
		case 6:
			return "sqrt(" + next(positive) + ")"
		}
		return next(unit)
	case unit:
		switch w.pick(3, 2, 1, 1) {
		case 0:
			return "logistic(" + w.calm(sc, depth-1) + ")"
		case 1:
			return "1 - " + bracket(next(unit))
		case 2:
			return product(next(unit), next(unit))
		}
		return "Phi(" + w.calm(sc, depth-1) + ")"
	case count:
		return next(count)
	}
	switch w.pick(5, 2, 4, 4, 4, 2, 2, 1, 1, 1, 1, 1) {
	case 0:
		return sum(next(real), next(real))
	case 1:
		return next(real) + " - " + bracket(next(real))
	case 2:
		return product(next(real), next(real))
	case 3:
		return product(one(w, "2", "-1", "0.5", "-0.5", "3"), next(real))
	case 4:
		if p := w.vectorPlate(); p != nil {
			if a, ok := w.vectorRef(sc, p); ok {
				if b, ok := w.vectorRef(sc, p); ok {
					return "dot(" + a + ", " + b + ")"
				}
			}
		}
	case 5:
		if s, ok := w.sumOver(sc, depth); ok {
			return s
		}
	case 6:
		if p := w.vectorPlate(); p != nil {
			if a, ok := w.vectorRef(sc, p); ok {
				return "sum(" + a + ")"
			}
		}
	case 7:
		return "log(" + next(positive) + ")"
	case 8:
		return "abs(" + next(real) + ")"
	case 9:
		return bracket(next(real)) + " / " + bracket(next(positive))
	case 10:
		return bracket(next(real)) + "^2"
	case 11:
		if len(sc) > 0 {
			return one(w, sc...).name
		}
	}
	return next(real)
}

// calm writes a real number that is of ordinary size, as a rule: beyond some 10 exp, logistic and Phi leave what floating point can tell.
func (w *writer) calm(sc scope, depth int) string {
	if w.rare(12) {
		return w.scalar(sc, real, depth)
	}
	s, ok := w.ref(sc, 0, 1, func(v *variable) bool {
		heavy := v.dist != nil && (v.dist.Name == "StudentT" || v.dist.Name == "Laplace" || v.dist.Name == "Flat")
		return !heavy && v.event == 0 && (v.known || v.dist != nil) && (v.kind == real || v.kind == unit || v.kind == boolean)
	})
	if !ok {
		return w.number(real)
	}
	switch w.n(4) {
	case 0:
		return s
	case 1:
		return sum(w.number(real), s)
	}
	return product(one(w, "0.5", "0.2", "-0.5"), s)
}

// sumOver writes a sum over a plate, or over a ragged one below an index in scope.
func (w *writer) sumOver(sc scope, depth int) (string, bool) {
	var p *plate
	for _, q := range w.plates {
		if q.over != nil && w.rare(2) && len(sc) > 0 && sc[len(sc)-1].plate == q.over {
			p = q
		}
	}
	if p == nil {
		p = w.vectorPlate()
	}
	if p == nil {
		return "", false
	}
	ix := w.indexOver(sc, p)
	over := p.name
	if p.over != nil {
		over += "[" + strings.Join(ix.at, ", ") + "]"
	}
	inner := append(append(scope{}, sc...), ix)
	return "sum(" + ix.name + " in " + over + ", " + w.scalar(inner, real, depth-1) + ")", true
}

// linear writes a sum in which unknowns are at most linear.
func (w *writer) linear(sc scope) string {
	s := w.scalar(sc, real, 0)
	if w.rare(3) {
		s = sum(s, w.number(positive))
	}
	return s
}

// vectorRef writes a vector of numbers over the plate that is a variable or a row of one.
func (w *writer) vectorRef(sc scope, p *plate) (string, bool) {
	return w.ref(sc, 1, 1, func(v *variable) bool {
		return (v.kind <= boolean || v.kind == simplex && (v.known || w.rare(16))) && v.axes[len(v.axes)-1] == p
	})
}

// vector writes a vector over the plate, real or positive.
func (w *writer) vector(sc scope, p *plate, k kind, depth int) string {
	if w.n(4) > 0 {
		if s, ok := w.ref(sc, 1, 1, func(v *variable) bool { return v.axes[len(v.axes)-1] == p && v.fits(k) }); ok {
			switch {
			case depth <= 0 || w.n(2) == 0:
				return s
			case w.n(2) == 0:
				return sum(s, w.vector(sc, p, k, depth-1))
			}
			return product(w.scalar(sc, k, depth-1), s)
		}
	}
	return w.scalar(sc, k, depth-1)
}

// probabilities writes a vector over the plate that sums to 1.
func (w *writer) probabilities(sc scope, p *plate) (string, bool) {
	if s, ok := w.ref(sc, 1, 1, func(v *variable) bool { return v.kind == simplex && v.axes[len(v.axes)-1] == p }); ok {
		return s, true
	}
	return "1 / " + p.name, false
}

// spd writes a positive definite matrix.
func (w *writer) spd(sc scope, p *plate, depth int) string {
	s, ok := w.ref(sc, 2, 1, func(v *variable) bool { return v.kind == matrix && v.axes[len(v.axes)-1] == p })
	if !ok || w.rare(4) {
		s = "identity(" + p.name + ")"
	}
	if depth > 0 && w.rare(3) {
		if w.rare(2) {
			return s + " / " + bracket(w.scalar(sc, positive, depth-1))
		}
		return product(w.scalar(sc, positive, depth-1), s)
	}
	return s
}
