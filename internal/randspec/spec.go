// This file puts a spec together: which plates, covariates, unknowns and data there are, and which directives.

package randspec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/ir"
)

// A Source is where the choices come from; a *rand.Rand is one. IntN returns a number from 0 to n-1.
type Source interface{ IntN(n int) int }

// Bytes is a Source that takes a byte for each choice, and 0 when there are none left: then every choice is the plainest.
type Bytes []byte

// IntN takes the next byte.
func (b *Bytes) IntN(n int) int {
	if len(*b) == 0 {
		return 0
	}
	x := (*b)[0]
	*b = (*b)[1:]
	return int(x) % n
}

// A writer holds the spec so far.
type writer struct {
	src    Source
	plates []*plate
	vars   []*variable // what expressions may refer to
	stmts  []string
	last   []string // directives
	names  map[string]bool
	chain  *chain // what the declaration at hand may look back at
}

// New returns the text of a random spec. Equal choices make equal specs.
func New(src Source) string {
	w := &writer{src: src, names: map[string]bool{}}
	w.makePlates()
	for range 2 + w.n(4) {
		w.covariate()
	}
	for range 1 + w.n(3) {
		w.unknown(nil)
	}
	if w.rare(8) {
		w.process()
	}
	if w.rare(3) {
		w.let()
	}
	for range 1 + w.n(3) {
		w.unknown(w.unitAxes())
	}
	if w.rare(3) {
		w.let()
	}
	for range 1 + w.n(3) {
		w.observed(w.unitAxes())
	}
	if w.rare(6) {
		w.constraint()
	}
	w.tieUp()
	w.directives()
	if w.rare(3) { // a name may be used above its declaration
		for i := range w.stmts {
			j := i + w.n(len(w.stmts)-i)
			w.stmts[i], w.stmts[j] = w.stmts[j], w.stmts[i]
		}
	}
	return "model randomspec\n" + strings.Join(slices.Concat(w.stmts, w.last), "\n") + "\n"
}

// n picks a number from 0 to n-1, 0 if there is none.
func (w *writer) n(n int) int {
	if n < 2 {
		return 0
	}
	return w.src.IntN(n)
}

// rare is true once in n times.
func (w *writer) rare(n int) bool { return w.n(n) == n-1 }

// pick returns an index with a probability in proportion to its weight.
func (w *writer) pick(weights ...int) int {
	total := 0
	for _, x := range weights {
		total += x
	}
	at := w.n(total)
	for i, x := range weights {
		if at < x {
			return i
		}
		at -= x
	}
	return 0
}

func (w *writer) say(format string, args ...any) {
	w.stmts = append(w.stmts, fmt.Sprintf(format, args...))
}

func one[T any](w *writer, xs ...T) T { return xs[w.n(len(xs))] }

// names are those of variables. Some are what generated Go might use itself, or differ only in their case.
var names = strings.Fields(`alpha beta gamma delta eps mu nu sigma2 tau theta phi rho w x y z a b c d f g h u v r
	Mu MU mu_ mu1 s st rng data_ state lp n0 len range type func map runtime math make new cap append string int32 float64
	hyper Data State Sampler New Load LogJoint N_ target sum_ logp draw x0 x1 at to from index nil true_ panic err go any max min`)

// name returns an unused name, of plates if plate is set.
func (w *writer) name(pool []string) string {
	for i, start := 0, w.n(len(pool)); ; i++ {
		s := pool[(start+i)%len(pool)]
		if i >= len(pool) {
			s = fmt.Sprintf("%s%d", s, i)
		}
		if !w.names[s] {
			w.names[s] = true
			return s
		}
	}
}

// covariate declares what is given.
func (w *writer) covariate() {
	v := &variable{name: w.name(names), known: true}
	if w.rare(5) {
		w.setting(v)
		return
	}
	v.axes = w.unitAxes()
	typ := "real"
	switch w.pick(4, 4, 2, 2, 1, 1) {
	case 0:
		if p := w.vectorPlate(); p != nil {
			v.axes = append(slices.Clip(v.axes), p)
		}
	case 1:
		if v.of = w.categories(); v.of != nil {
			v.kind, typ = category, v.of.name
		}
	case 2:
		v.kind, typ = positive, "real > 0"
	case 3:
		v.kind, typ = count, one(w, "int", "int > 0")
	case 4:
		v.kind, typ = boolean, "bool"
	case 5:
		v.kind, typ = unit, "real in (0, 1)"
	}
	w.say("data %s%s : %s", v.name, plainAxes(v.axes), typ)
	w.vars = append(w.vars, v)
}

// setting declares a const.
func (w *writer) setting(v *variable) {
	p := w.vectorPlate()
	k := w.pick(3, 2, 2, 1)
	if p == nil && k > 0 && k < 3 {
		k = 0
	}
	switch k {
	case 0:
		v.kind = positive
		w.say("const %s : real > 0 = %s", v.name, w.number(positive))
	case 1:
		v.kind, v.axes, v.event = matrix, []*plate{p, p}, 2
		w.say("const %s[%s, %s] : cov = identity(%s)", v.name, p.name, p.name, p.name)
	case 2:
		v.kind, v.axes, v.event = simplex, []*plate{p}, 1
		w.say("const %s[%s] : simplex = 1 / %s", v.name, p.name, p.name)
	case 3:
		w.say("const %s : real = %s", v.name, w.number(real))
	}
	w.vars = append(w.vars, v)
}

// let names an expression.
func (w *writer) let() {
	v := &variable{name: w.name(names), kind: one(w, real, real, positive, unit), local: true}
	axes := w.unitAxes()
	if w.rare(3) {
		axes = nil
	}
	sc, text := w.bind(axes)
	e := w.scalar(sc, v.kind, 2)
	v.axes = axes
	w.say("let %s%s = %s", v.name, text, e)
	w.vars = append(w.vars, v)
}

// constraint declares what was seen as a function of unknowns: of a real number that it makes.
func (w *writer) constraint() {
	axes := w.unitAxes()
	sc, text := w.bind(axes)
	z := w.declare(one(w, "local", "local", "global"), axes, scalarNormal(), false)
	if z == nil {
		return
	}
	z.used = true
	at, _ := w.subscripts(sc, z, 0, 0)
	y := w.name(names)
	if w.rare(3) {
		levels, cuts := w.name(plateNames), w.name(plateNames)
		c := w.name(names)
		w.say("plate %s", levels)
		w.say("plate %s = %s - 1", cuts, levels)
		w.say("data %s%s : %s", y, plainAxes(axes), levels)
		w.say("global %s[j_ in %s] : ordered ~ Normal(0, var = %s)", c, cuts, w.number(positive))
		w.say("observe %s%s = cut(%s, %s)", y, text, z.name+at, c)
		return
	}
	w.say("data %s%s : bool", y, plainAxes(axes))
	w.say("observe %s%s = %s %s %s", y, text, z.name+at, one(w, ">", "<", "<=", ">="), w.linear(sc))
}

// process declares a mixture with an unknown number of components.
func (w *writer) process() {
	c := &plate{name: w.name(plateNames), unbounded: true}
	w.say("plate %s : unbounded", c.name)
	pi := w.name(names)
	w.say("global %s ~ GEM(%s) over %s", pi, w.scalar(nil, positive, 0), c.name)
	gone := pi
	for range 1 + w.n(2) {
		v := w.declare("global", []*plate{c}, nil, false)
		if v != nil && w.rare(6) {
			gone += ", " + v.name
		}
	}
	axes := w.unitAxes()
	_, text := w.bind(axes)
	z := &variable{name: w.name(names), axes: axes, kind: category, of: c, local: true}
	w.say("local %s%s ~ Categorical(%s)", z.name, text, pi)
	w.vars = append(w.vars, z)
	w.last = append(w.last, "collapse "+gone)
}

// unknown declares a global, or a local over those axes.
func (w *writer) unknown(axes []*plate) {
	role := "local"
	if axes == nil {
		role = "global"
		for range w.pick(2, 3, 1) {
			if p := w.vectorPlate(); p != nil {
				axes = append(axes, p)
			}
		}
	} else if w.rare(6) {
		role = "global"
	}
	w.declare(role, axes, nil, true)
}

// observed declares data.
func (w *writer) observed(axes []*plate) { w.declare("data", axes, nil, true) }

// tieUp makes data of what nothing depends on: a sum of such numbers is the mean of a Normal.
func (w *writer) tieUp() {
	for _, v := range slices.Clone(w.vars) {
		if v.used || v.known || v.kind > boolean || len(v.axes) == 0 || v.event > 0 || v.axes[0].unbounded || w.rare(4) {
			continue
		}
		sc, text := w.bind(v.axes)
		at, _ := w.subscripts(sc, v, 0, 0)
		w.say("data %s%s : real ~ Normal(%s, var = %s)", w.name(names), text, sum(v.name+at, w.scalar(sc, real, 1)), w.scalar(sc, positive, 1))
		v.used = true
	}
}

// directives writes how the sampler goes about it.
func (w *writer) directives() {
	var unknowns []*variable
	for _, v := range w.vars {
		if v.dist != nil && !v.known {
			unknowns = append(unknowns, v)
		}
	}
	some := func(fits func(v *variable) bool) (string, *variable) {
		for range 4 {
			if len(unknowns) > 0 {
				if v := one(w, unknowns...); fits(v) {
					return v.name, v
				}
			}
		}
		return "", nil
	}
	unboundedFirst := func(v *variable) bool { return len(v.axes) > 0 && v.axes[0].unbounded }
	if w.rare(12) {
		if s, v := some(func(v *variable) bool {
			return slices.Contains([]string{"Dirichlet", "Beta", "Gamma", "InvGamma", "Normal"}, v.dist.Name) && !unboundedFirst(v)
		}); v != nil {
			w.last = append(w.last, "collapse "+s)
			unknowns = slices.DeleteFunc(unknowns, func(u *variable) bool { return u == v })
		}
	}
	if w.rare(10) {
		if s, v := some(func(v *variable) bool { return v.dist.Name == "Normal" && len(v.axes) > 0 && !unboundedFirst(v) }); v != nil {
			w.last = append(w.last, "block "+s)
			unknowns = slices.DeleteFunc(unknowns, func(u *variable) bool { return u == v })
		}
	}
	if w.rare(8) {
		if s, v := some(func(v *variable) bool { return v.dist.Type == ir.Real && v.event == 0 && !unboundedFirst(v) }); v != nil {
			w.last = append(w.last, "kernel "+s+" : slice")
		}
	}
	if w.rare(6) {
		for _, v := range unknowns {
			if v.local && len(v.axes) > 0 && (v.axes[0].over == nil || len(v.axes) > 1) {
				i := 0
				if len(v.axes) > 1 && v.axes[1].over != nil {
					i = 1
				}
				w.last = append(w.last, "batch over "+v.axes[i].name)
				break
			}
		}
	}
	if w.rare(5) {
		if s, v := some(func(v *variable) bool { return !unboundedFirst(v) }); v != nil && !strings.Contains(strings.Join(w.last, " "), "collapse") {
			w.last = append(w.last, "monitor "+s)
		}
	}
}
