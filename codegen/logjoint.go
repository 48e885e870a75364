// This file holds the log joint density in generated code: a sum over the statements of the spec, in their order.

package codegen

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A judge is the printed log joint: the function, and the buffers that it keeps in the Sampler.
type judge struct {
	name    string
	params  []jen.Code
	doc     []string
	body    []jen.Code
	buffers []buffer
}

// A buffer is scratch space of the Sampler: a field of as many float64 as an array over the plates has.
type buffer struct {
	field string
	shape []*ir.Plate
}

// logJoint prints LogJoint, or, if variables are collapsed, logJointWith, which takes their values.
func (g *generator) logJoint(f *jen.File) {
	j := g.judge()
	for _, line := range j.doc {
		f.Comment("// " + line)
	}
	f.Func().Params(jen.Id("s").Op("*").Id("Sampler")).Id(j.name).Params(j.params...).Float64().Block(j.body...)
}

func (g *generator) judge() *judge {
	j := &judge{name: "LogJoint", doc: []string{
		"LogJoint returns the log density of the data and the unknowns at the current state, every constant included: -Inf where",
		"a constraint is violated.",
	}}
	w := g.writer("lp")
	w.scratch = func(shape []*ir.Plate, _ ex) *jen.Statement {
		b := buffer{"joint" + itoa(len(j.buffers)+1), shape}
		j.buffers = append(j.buffers, b)
		return jen.Id("s").Dot(b.field)
	}
	if len(g.model.Collapse) > 0 {
		j.name = "logJointWith"
		j.doc = []string{"logJointWith returns the log density of the data, the unknowns and the values given for what is integrated out."}
		for _, v := range g.collapsed() {
			name := w.bindVar(v)
			j.params = append(j.params, jen.Id(name).Add(fieldType(v)))
			if len(v.Axes) > 0 {
				j.doc = append(j.doc, name+" is flat, row-major, over "+plateNames(v.Axes)+".")
			}
		}
	}
	w.emit(jen.Id("lp").Op(":=").Lit(0.0))
	var seated []*ir.Plate
	for _, f := range g.model.Factors {
		if p := fromStick(f); p != nil {
			if !slices.Contains(seated, p) {
				seated = append(seated, p)
				w.partition(p)
			}
			continue
		}
		if isGEM(f) || f.Dist.LogProb == "" && f.Lo == nil && f.Hi == nil {
			continue // its partition is counted where categories are drawn; and the log of a flat density is 0
		}
		w.statement(g.quote(f.Span))
		w.density(f)
	}
	for _, c := range g.model.Constraints {
		w.statement(g.quote(c.Span))
		w.constraint(c)
	}
	for _, v := range g.model.Vars {
		if v.Support.Ordered && v.Unknown() {
			w.ordered(v)
		}
	}
	w.emit(jen.Return(jen.Id("lp")))
	j.body = w.body()
	return j
}

// collapsed returns the parameters of logJointWith, in declaration order.
func (g *generator) collapsed() []*ir.Var {
	var out []*ir.Var
	for _, v := range g.model.Vars {
		if slices.Contains(g.model.Collapse, v) && !g.isStick(v) {
			out = append(out, v)
		}
	}
	return out
}

// bindVar makes a local name stand for a variable, and returns it.
func (w *writer) bindVar(v *ir.Var) string {
	name := w.local(v.Name)
	w.byKey["v:"+v.Name] = name
	return name
}

// density adds the log density of a factor to lp.
func (w *writer) density(f *ir.Factor) {
	fn, of := f.Dist.LogProb, f.Args
	if link, x := f.Link(); link != "" {
		fn, of = map[string]string{"Phi": "BernoulliProbitLogPMF", "logistic": "BernoulliLogitLogPMF"}[link], []ir.Expr{x}
	}
	args := make([]ex, len(of))
	for i, a := range of { // what no index changes is computed before the loops
		if !guarded(f.X) && free(a, f.Over) {
			args[i] = w.arg(f, i, a)
		}
	}
	w.overAll(f.Over, func() {
		w.exists(f.X, func() {
			at := slices.Clone(args)
			for i, a := range of {
				if at[i].code == nil {
					at[i] = w.arg(f, i, a)
				}
			}
			x := w.target(f.X)
			if f.Lo != nil || f.Hi != nil {
				w.truncation(f, x, at)
			}
			if fn != "" {
				w.emit(jen.Id("lp").Op("+=").Add(call(runtimePath, fn, w.matrix(f, append([]ex{x}, at...))...).Code()))
			}
		})
	})
}

// truncation emits the bounds of a truncated distribution: the indicator, and the probability that divides the density.
func (w *writer) truncation(f *ir.Factor, x ex, args []ex) {
	lo, hi := constant(negInf), constant(posInf)
	if f.Lo != nil {
		lo = w.scalar(f.Lo)
	}
	if f.Hi != nil {
		hi = w.scalar(f.Hi)
	}
	s := f.X.Var.Support
	below, above := "<=", ">="
	if s.LoClosed && f.Lo != nil {
		below = "<"
	}
	if s.HiClosed && f.Hi != nil {
		above = ">"
	}
	var out ex
	switch {
	case f.Hi == nil:
		out = cmp(below, x, lo)
	case f.Lo == nil:
		out = cmp(above, x, hi)
	default:
		out = binary("||", precOr, cmp(below, x, lo), cmp(above, x, hi))
	}
	w.emit(jen.If(out.Code()).Block(jen.Return(constant(negInf).Code())))
	if f.Dist.LogProb != "" {
		w.emit(jen.Id("lp").Op("-=").Add(call(runtimePath, f.Dist.LogMass, append([]ex{lo, hi}, args...)...).Code()))
	}
}

// constraint emits the check that data and unknowns agree.
func (w *writer) constraint(c *ir.Constraint) {
	w.overAll(c.Over, func() {
		w.exists(c.Y, func() {
			y := w.ref(c.Y)
			var violated ex
			if c.Cuts != nil {
				violated = cmp("!=", call("", "int", y), call(runtimePath, "CutCategory", w.scalar(c.L), w.values(c.Cuts, c.Cuts.Var.Name)))
			} else {
				violated = cmp("!=", y, paren(w.compare(c)))
			}
			w.emit(jen.If(violated.Code()).Block(jen.Return(constant(negInf).Code())))
		})
	})
}

// compare returns the inequality of a constraint.
func (w *writer) compare(c *ir.Constraint) ex {
	op := ">"
	if c.Less {
		op = "<"
	}
	l, r := w.scalar(c.L), w.scalar(c.R)
	return cmp(op, l, r)
}

func paren(e ex) ex { return raw(jen.Parens(e.Code())) }

// ordered emits the check that the rows of v increase. Its elements have one distribution, so that each order is as likely as
// any other, and the density is n! times that of the elements.
func (w *writer) ordered(v *ir.Var) {
	n := w.sizeOf(v.Axes[len(v.Axes)-1])
	w.comment("The elements of " + v.Name + " are in order; each order of n was as likely as any other.")
	w.emit(jen.If(jen.Op("!").Add(call(runtimePath, "Ordered", w.variable(v), n).Code())).Block(jen.Return(constant(negInf).Code())))
	rows := w.total(v.Axes[:len(v.Axes)-1])
	w.emit(jen.Id("lp").Op("+=").Add(mul(floatOf(rows), call(runtimePath, "LgammaF", add(call("", "float64", n), num(1)))).Code()))
}

func floatOf(e ex) ex {
	if e.isNum {
		return e
	}
	return call("", "float64", e)
}

// partition emits the probability of the partition that categories drawn from a GEM make.
func (w *writer) partition(p *ir.Plate) {
	stick := w.g.stick(p)
	if stick == nil {
		return
	}
	clear(w.buffers)
	w.comment(w.g.quote(stick.Span) + ": the probability of the partition, by the Chinese restaurant process")
	counts := w.temp("counts")
	pi := stick.X.Var
	w.emit(jen.Id(counts).Op(":=").Make(jen.Index().Int(), w.total(pi.Axes).Code()))
	for _, f := range w.g.model.Factors {
		if fromStick(f) != p {
			continue
		}
		w.comment(w.g.quote(f.Span))
		of := f.Args[0].(*ir.Ref)
		w.overAll(f.Over, func() {
			w.exists(f.X, func() {
				at := append(w.indices(of.Idx), call("", "int", w.ref(f.X)))
				w.emit(jen.Id(counts).Index(w.offset(pi.Axes, at).Code()).Op("++"))
			})
		})
	}
	w.overAll(stick.Over, func() {
		row := id(counts)
		if ix := w.indices(stick.X.Idx); len(ix) > 0 {
			lo := w.offset(pi.Axes, ix)
			row = slice(row, lo, add(lo, w.sizeOf(p)))
		}
		w.emit(jen.Id("lp").Op("+=").Add(call(runtimePath, "CRPLogPMF", row, w.scalar(stick.Args[0])).Code()))
	})
}

func plateNames(ps []*ir.Plate) string {
	var out []string
	for _, p := range ps {
		out = append(out, p.Name)
	}
	return strings.Join(out, ", ")
}
