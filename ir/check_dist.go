// This file holds the choice of a catalogue entry for a written distribution, and the factor that comes of it.

package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// A binding pairs the parameters of an entry with the arguments of a call.
type binding struct {
	dist  *Dist
	arg   []int       // for each parameter its argument, or -1 for the default
	spell []*Spelling // for each parameter, nil for canonical
}

// A problem is why an entry does not fit; of several entries of one name the one that got furthest is reported.
type problem struct {
	at              dsl.Span
	code, msg, hint string
	rank            int
}

// match chooses the first entry of the call's name that fits its arguments' names and shapes.
func match(call *dsl.Call, shapes []shape) (*binding, *problem) {
	var worst *problem
	for _, d := range Dists {
		if d.Name != call.Fn.Name {
			continue
		}
		b, p := bind(d, call, shapes)
		if p == nil {
			return b, nil
		}
		if worst == nil || p.rank > worst.rank {
			worst = p
		}
	}
	return nil, worst
}

// bind tries one entry.
func bind(d *Dist, call *dsl.Call, shapes []shape) (*binding, *problem) {
	b := &binding{dist: d, arg: make([]int, len(d.Params)), spell: make([]*Spelling, len(d.Params))}
	for i := range b.arg {
		b.arg[i] = -1
	}
	pos := 0
	for i, a := range call.Args {
		at := call.Span
		if a.Value != nil {
			at = a.Value.ExprSpan()
		}
		if a.Binder != nil || a.Value == nil {
			return nil, &problem{at, "argument", fmt.Sprintf("%s takes no index", d.Name), "", 0}
		}
		k, sp := -1, (*Spelling)(nil)
		if a.Name == nil {
			for pos < len(d.Params) && b.arg[pos] >= 0 {
				pos++
			}
			if pos == len(d.Params) {
				return nil, &problem{at, "argument", fmt.Sprintf("too many arguments: %s", signatureOf(d)), "", 2}
			}
			k = pos
			if p := d.Params[k]; p.Named {
				return nil, &problem{at, "named-argument",
					fmt.Sprintf("%s of %s must be named, since conventions differ", parameterNo(k), d.Name),
					"write `" + strings.Join(spellings(p), " = ...`, or `") + " = ...`", 2}
			}
		} else {
			k, sp = findParam(d, a.Name.Name)
			if k < 0 {
				var all []string
				for _, p := range d.Params {
					all = append(all, spellings(p)...)
				}
				hint := "it is " + signatureOf(d)
				if near := dsl.Nearest(a.Name.Name, all); near != "" {
					hint = fmt.Sprintf("did you mean %s?", near)
				}
				return nil, &problem{a.Name.Span, "argument", fmt.Sprintf("%s has no parameter %s", d.Name, a.Name.Name), hint, 0}
			}
			if b.arg[k] >= 0 {
				return nil, &problem{a.Name.Span, "argument", fmt.Sprintf("%s of %s is given twice", d.Params[k].Name, d.Name), "", 1}
			}
		}
		b.arg[k], b.spell[k] = i, sp
	}
	for k, p := range d.Params {
		i := b.arg[k]
		if i < 0 {
			if p.HasDef {
				continue
			}
			return nil, &problem{call.Span, "argument", fmt.Sprintf("%s lacks its parameter %s", d.Name, strings.Join(spellings(p), " or ")), "it is " + signatureOf(d), 3}
		}
		if s := shapes[i]; s.known && !fits(p.Dims, s.plates) {
			return nil, &problem{call.Args[i].Value.ExprSpan(), "shape",
				fmt.Sprintf("%s of %s is %s, but %s is given", spelledName(p, b.spell[k]), d.Name, shapeWord(p.Dims), describeShape(s.plates)),
				shapeHint(p, call.Args[i].Value, s.plates), 4}
		}
	}
	return b, nil
}

// shapeHint says how to make of an expression what a parameter wants.
func shapeHint(p Param, e dsl.Expr, have []*Plate) string {
	product, _ := unparen(e).(*dsl.Binary)
	switch {
	case p.Dims == 0 && len(have) == 1 && product != nil && product.Op == "*":
		return "`*` goes element by element; the inner product is `dot(a, b)`"
	case p.Dims == 0 && len(have) > 0:
		return "take an element of it, by an index for each axis"
	case p.Dims == 2 && len(have) == 0:
		return "a multiple of the identity is `" + dsl.ExprString(e) + " * identity(P)`"
	}
	return ""
}

// fits reports whether a shape can stand for a parameter; a scalar can for a vector.
func fits(dims int, s []*Plate) bool {
	switch dims {
	case 0:
		return len(s) == 0
	case 1:
		return len(s) <= 1
	}
	return len(s) == 2 && s[0] == s[1]
}

func findParam(d *Dist, name string) (int, *Spelling) {
	for k := range d.Params {
		if d.Params[k].Name == name {
			return k, nil
		}
		for j := range d.Params[k].Spell {
			if d.Params[k].Spell[j].Name == name {
				return k, &d.Params[k].Spell[j]
			}
		}
	}
	return -1, nil
}

func spellings(p Param) []string {
	names := []string{p.Name}
	for _, s := range p.Spell {
		names = append(names, s.Name)
	}
	return names
}

func spelledName(p Param, s *Spelling) string {
	if s != nil {
		return s.Name
	}
	return p.Name
}

// signatureOf writes an entry as one would call it.
func signatureOf(d *Dist) string {
	var ps []string
	for _, p := range d.Params {
		switch {
		case p.Named:
			ps = append(ps, strings.Join(spellings(p), "|")+" = ...")
		default:
			ps = append(ps, p.Name)
		}
	}
	return d.Name + "(" + strings.Join(ps, ", ") + ")"
}

func parameterNo(k int) string {
	if k < 4 {
		return []string{"the first parameter", "the second parameter", "the third parameter", "the fourth parameter"}[k]
	}
	return "a parameter"
}

func shapeWord(dims int) string {
	return []string{"a scalar", "a vector", "a square matrix"}[min(dims, 2)]
}

// describeShape words the shape of an expression.
func describeShape(s []*Plate) string {
	switch len(s) {
	case 0:
		return "a scalar"
	case 1:
		return "a vector over " + s[0].Name
	}
	var names []string
	for _, p := range s {
		names = append(names, p.Name)
	}
	if len(s) == 2 {
		return "a matrix over [" + strings.Join(names, ", ") + "]"
	}
	return "an array over [" + strings.Join(names, ", ") + "]"
}

// drawShape returns the plates of one draw, as far as they are known, and for a category its plate.
func (c *checker) drawShape(b *binding, shapes []shape, over []dsl.Ident) (event []*Plate, cat *Plate) {
	var p *Plate
	for _, id := range over {
		if q := c.plates[id.Name]; q != nil && p == nil {
			p = q
		}
	}
	for k, par := range b.dist.Params {
		if i := b.arg[k]; p == nil && i >= 0 && par.Dims > 0 && shapes[i].known && len(shapes[i].plates) > 0 {
			if b.dist.Event > 0 || par.Cats {
				p = shapes[i].plates[0]
			}
		}
	}
	if p == nil {
		return nil, nil
	}
	switch {
	case b.dist.Type == Cat:
		return nil, p
	case b.dist.Event == 0:
		return nil, nil
	}
	for range b.dist.Event {
		event = append(event, p)
	}
	return event, nil
}

// define resolves what the statements about v say and adds the factors.
func (c *checker) define(v *variable) {
	if v.Role == dsl.Let {
		c.letDef(v)
		return
	}
	if v.Role == dsl.Const {
		for _, d := range v.decls {
			if d.Dist != nil {
				c.errorf(d.Dist.Span, "const", "const %s cannot have a distribution", v.Name).
					Hint = fmt.Sprintf("declare it `global %s`", v.Name)
				v.bad = true
			}
			if d.Value != nil {
				c.constDefault(v, d.Value)
			}
		}
		return
	}
	for _, d := range v.decls {
		if d.Value != nil {
			c.errorf(d.Value.ExprSpan(), "value", "%s %s cannot have a value: only const and let have one", v.Role, v.Name)
		}
		if d.Dist == nil && len(d.Over) > 0 {
			c.errorf(d.Over[0].Span, "over", "`over` needs a distribution before it")
		}
	}
	var facts []*fact
	for _, st := range v.stmts {
		if st.decl.Dist != nil {
			if f := c.factor(v, st); f != nil {
				facts = append(facts, f)
			}
		}
	}
	if v.bad || v.guess {
		return
	}
	c.partition(v)
	for _, f := range facts {
		c.facts = append(c.facts, f)
		c.m.Factors = append(c.m.Factors, f.Factor)
	}
}

// factor turns `x[n in N] ~ D(args) over K` into a factor, or reports why not.
func (c *checker) factor(v *variable, st *statement) *fact {
	call := st.decl.Dist
	if !slices.Contains(distNames(), call.Fn.Name) {
		c.unknownDist(call.Fn)
		v.bad = true
	}
	overOK := true
	for _, id := range st.decl.Over {
		overOK = c.plate(id) != nil && overOK
	}
	args := make([]Expr, len(call.Args))
	shapes := make([]shape, len(call.Args))
	failed := !overOK
	for i, a := range call.Args {
		if a.Value == nil {
			continue
		}
		if args[i] = c.whole(st.sc, a.Value); args[i] != nil {
			shapes[i] = shape{args[i].Shape(), true}
		} else {
			failed = true
		}
	}
	if v.bad {
		return nil
	}
	b, prob := match(call, shapes)
	if prob != nil {
		c.errorf(prob.at, prob.code, "%s", prob.msg).Hint = prob.hint
		v.bad = true
		return nil
	}
	if failed {
		return nil
	}
	if !v.guess && b.dist.Type != v.Type.Elem {
		c.wrongType(v, b, st)
		return nil
	}
	event, cat, ok := c.checkDraw(v, st, b, shapes)
	if !ok {
		v.bad = true
		return nil
	}
	if v.guess {
		return nil
	}
	f := &Factor{Over: st.binders(), X: &Ref{Var: v.Var, Idx: indicesOf(st.axes), At: st.decl.Name.Span}, Dist: b.dist, Span: st.decl.Span}
	out := &fact{Factor: f, v: v, st: st, spell: b.spell}
	for k, p := range b.dist.Params {
		var e Expr
		if i := b.arg[k]; i >= 0 {
			e = args[i]
		}
		given := e
		switch {
		case e == nil:
			e = &Num{Value: p.Default, At: call.Span}
		case b.spell[k] != nil:
			e = b.spell[k].Of(e)
		}
		if p.Dims == 1 && len(e.Shape()) == 0 {
			fill := cat
			if len(event) > 0 {
				fill = event[0]
			}
			if fill == nil {
				c.errorf(call.Span, "shape", "nothing says how long the vector %s of %s is", p.Name, call.Fn.Name).
					Hint = "name the plate: `" + c.text(call.Span) + " over K`"
				return nil
			}
			e = &Fill{X: e, Plate: []*Plate{fill}, At: e.Span()}
		}
		f.Args = append(f.Args, unshadow(e, f.Over))
		out.given = append(out.given, given)
		at := call.Span
		if i := b.arg[k]; i >= 0 {
			at = call.Args[i].Value.ExprSpan()
		}
		out.at = append(out.at, at)
	}
	return out
}

// unknownDist reports a name after `~` that is no distribution.
func (c *checker) unknownDist(id dsl.Ident) {
	if id.Name == "" {
		return
	}
	d := c.errorf(id.Span, "unknown-distribution", "unknown distribution %s", id.Name)
	if h := otherNames[strings.ToLower(id.Name)]; h != "" {
		d.Hint = "it is called " + h
	} else if near := dsl.Nearest(id.Name, distNames()); near != "" {
		d.Hint = fmt.Sprintf("did you mean %s?", near)
	} else {
		d.Hint = "known are " + strings.Join(distNames(), ", ")
	}
}

// otherNames are what other languages and papers call a distribution.
var otherNames = map[string]string{
	"gaussian": "Normal", "n": "Normal", "norm": "Normal", "dnorm": "Normal",
	"mvnormal": "Normal(mean, cov = ...)", "multivariatenormal": "Normal(mean, cov = ...)", "multinormal": "Normal(mean, cov = ...)",
	"inversegamma": "InvGamma", "inv_gamma": "InvGamma", "ig": "InvGamma", "inversewishart": "InvWishart", "inv_wishart": "InvWishart",
	"iw": "InvWishart", "dir": "Dirichlet", "cat": "Categorical", "discrete": "Categorical", "bern": "Bernoulli", "bin": "Binomial",
	"pois": "Poisson", "exp": "Exponential", "doubleexponential": "Laplace", "t": "StudentT", "student_t": "StudentT",
	"inversegaussian": "InvGaussian", "wald": "InvGaussian", "dp": "GEM", "stickbreaking": "GEM", "improper": "Flat",
}

// wrongType reports a distribution that does not draw what the variable holds.
func (c *checker) wrongType(v *variable, b *binding, st *statement) {
	have := elemWord(v.Type)
	draws := elemWord(Type{Elem: b.dist.Type})
	d := c.errorf(st.decl.Dist.Span, "type", "%s draws %s, but %s is %s", b.dist.Name, draws, v.Name, have)
	v.bad = true
	if t := v.declaredType(); t != nil {
		d.Notes = append(d.Notes, c.place("its type is declared", t.Span))
	}
	switch {
	case b.dist.Type == Bool:
		d.Hint = fmt.Sprintf("declare it `%s : bool`", v.Name)
	case b.dist.Type == Int:
		d.Hint = fmt.Sprintf("declare it `%s : int`", v.Name)
	case b.dist.Type == Real && v.Type.Elem != Cat:
		d.Hint = fmt.Sprintf("declare it `%s : real`", v.Name)
	}
}

// checkDraw compares the shape of one draw with the declared one.
func (c *checker) checkDraw(v *variable, st *statement, b *binding, shapes []shape) (event []*Plate, cat *Plate, ok bool) {
	call := st.decl.Dist
	over := st.decl.Over
	if len(over) > max(b.dist.Event, 1) || len(over) == 2 && over[0].Name != over[1].Name {
		c.errorf(over[1].Span, "over", "%s draws over one plate", b.dist.Name)
		return nil, nil, false
	}
	event, cat = c.drawShape(b, shapes, over)
	nNamed := len(indicesOf(st.axes))
	declared := v.Axes[nNamed:]
	if len(event) == 0 && b.dist.Event > 0 && len(declared) == b.dist.Event {
		event = declared
	}
	if cat == nil && b.dist.Type == Cat {
		if cat = v.Type.Of; cat == nil {
			c.errorf(call.Span, "shape", "nothing says which plate %s draws a category of", call.Fn.Name).
				Hint = "name the plate: `" + c.text(call.Span) + " over K`"
			return nil, nil, false
		}
	}
	where := c.text(st.decl.Name.Span)
	named := strings.Join(axisTexts(c, st.axes[:nNamed]), ", ")
	if b.dist.Event == 0 && len(over) > 0 && b.dist.Type != Cat {
		c.errorf(over[0].Span, "over", "%s draws a single number, so it has no `over`", b.dist.Name)
		return nil, nil, false
	}
	if len(declared) != b.dist.Event {
		switch {
		case b.dist.Event == 0 && nNamed == len(st.axes): // another statement makes it a vector
			c.errorf(call.Span, "shape", "%s draws %s, but %s is %s", call.Fn.Name, shapeWord(0), v.Name, describeShape(declared))
		case b.dist.Event == 0:
			c.errorf(st.axes[nNamed].span, "shape", "%s draws %s, but %s has the axis %s without an index", call.Fn.Name, shapeWord(0), v.Name, declared[0].Name).
				Hint = fmt.Sprintf("for independent elements name the index: `i in %s`", declared[0].Name)
		case len(event) == 0:
			c.errorf(call.Span, "shape", "nothing says how long a draw of %s is", call.Fn.Name).
				Hint = "name the plate: `" + c.text(call.Span) + " over K`"
		default:
			want := make([]string, len(event))
			for i, p := range event {
				want[i] = p.Name
			}
			if named != "" {
				named += ", "
			}
			c.errorf(st.decl.Name.Span, "shape", "%s draws %s, but %s has %s", call.Fn.Name, describeShape(event), v.Name, axesWord(len(declared))).
				Hint = fmt.Sprintf("write `%s[%s%s]`", where, named, strings.Join(want, ", "))
		}
		v.bad = true
		return nil, nil, false
	}
	if len(event) > 0 && !slices.Equal(event, declared) {
		c.errorf(call.Span, "shape", "%s draws %s, but %s is %s", call.Fn.Name, describeShape(event), v.Name, describeShape(declared))
		return nil, nil, false
	}
	vec := cat // every vector and matrix among the parameters lies over this plate
	if len(event) > 0 {
		vec = event[0]
	}
	for k, p := range b.dist.Params {
		i := b.arg[k]
		if i < 0 || p.Dims == 0 || len(shapes[i].plates) == 0 || vec == nil {
			continue
		}
		if got := shapes[i].plates[0]; got != vec {
			c.errorf(call.Args[i].Value.ExprSpan(), "shape", "%s of %s lies over %s, but %s is wanted", spelledName(p, b.spell[k]), call.Fn.Name, got.Name, vec.Name)
			return nil, nil, false
		}
	}
	if !v.guess && v.Type.Elem == Cat && cat != v.Type.Of {
		c.errorf(call.Span, "type", "%s draws a category of %s, but %s is a category of %s", call.Fn.Name, cat.Name, v.Name, v.Type.Of.Name)
		return nil, nil, false
	}
	if len(event) > 0 {
		c.used[event[0]] = true
		if event[0].Over != nil {
			c.errorf(call.Span, "ragged", "one draw cannot run over the ragged plate %s", event[0].Name)
			return nil, nil, false
		}
		if gem := b.dist.Name == "GEM"; gem != event[0].Unbounded {
			if gem {
				c.errorf(call.Span, "unbounded", "GEM breaks a stick into infinitely many pieces, but %s is finite", event[0].Name).
					Hint = fmt.Sprintf("declare `plate %s : unbounded`, or use Dirichlet", event[0].Name)
			} else {
				c.errorf(call.Span, "unbounded", "%s cannot draw over the unbounded plate %s", b.dist.Name, event[0].Name).
					Hint = "use GEM"
			}
			return nil, nil, false
		}
	}
	return event, cat, true
}

func axisTexts(c *checker, axes []axis) []string {
	var out []string
	for _, a := range axes {
		out = append(out, c.text(a.span))
	}
	return out
}

func axesWord(n int) string {
	switch n {
	case 0:
		return "no axis for it"
	case 1:
		return "one axis for it"
	}
	return fmt.Sprintf("%d axes for it", n)
}
