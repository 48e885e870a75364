// This file holds prediction in generated code: the probability of a further element of data whose elements have a category
// each, given the state.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// predictions returns what can be foretold.
func (g *generator) predictions() []*plan.Prediction {
	if g.plan == nil {
		return nil
	}
	out, _ := g.plan.Predictions()
	return out
}

func (k *kern) predictName() string { return "Predict" + k.name }
func (k *kern) prepareName() string { return "PreparePredict" + k.name }
func (k *kern) totalsName() string  { return "predict" + k.name }

// predictFields are the fields of the sampler that predictions need.
func (g *generator) predictFields() []jen.Code {
	var out []jen.Code
	for _, p := range g.predictions() {
		if !p.Proper {
			k := g.kernOf(p.Kernel)
			out = append(out, jen.Id(k.totalsName()).Index().Float64().Comment("// sums over "+p.X.Type.Of.Name+" in the denominator of "+k.predictName()))
		}
	}
	return out
}

// printPredictions prints PredictZ for each prediction, and Predictions, which lists them.
func (g *generator) printPredictions(f *jen.File) {
	ps := g.predictions()
	if len(ps) == 0 {
		return
	}
	var list []jen.Code
	for _, p := range ps {
		k := g.kernOf(p.Kernel)
		outer := k.params[:len(k.params)-1]
		value := localName(p.X.Name)
		for slices.Contains(k.params, value) || slices.Contains(k.own(), value) {
			value += "_"
		}
		var prepare jen.Code = jen.Func().Params().Block()
		if !p.Proper {
			k.printPrepare(f, p)
			prepare = jen.Id("s").Dot(k.prepareName())
		}
		k.printPredict(f, p, outer, value)
		args := make([]jen.Code, 0, len(k.params))
		for i := range outer {
			args = append(args, jen.Id("at").Index(jen.Lit(i)))
		}
		list = append(list, jen.Line().Values(
			jen.Id("Unknown").Op(":").Lit(k.v.Name), jen.Id("Data").Op(":").Lit(p.X.Name), jen.Id("Prepare").Op(":").Add(prepare),
			jen.Id("Prob").Op(":").Func().Params(jen.Id("at").Index().Int(), jen.Id("x").Int32()).Float64().Block(
				jen.Return(jen.Id("s").Dot(k.predictName()).Call(append(args, jen.Id("x"))...)))))
	}
	comment(f, []string{"Predictions lists the data of which a further element has a known probability given the state."})
	typ := jen.Index().Qual(runtimePath, "Prediction")
	f.Add(method("Predictions").Params().Add(typ).Block(jen.Return(typ.Clone().Values(append(list, jen.Line())...))))
	f.Line()
}

// printPredict prints PredictZ.
func (k *kern) printPredict(f *jen.File, p *plan.Prediction, outer []string, value string) {
	e, out := k.body("top", "bottom", "p", value)
	e.names[plan.ValueIndex] = call("", "int", id(value))
	out.add(jen.List(jen.Id("top"), jen.Id("bottom")).Op(":=").List(jen.Lit(0.0), jen.Lit(0.0)))
	k.eachValue(e, func(c *emitter, v string) {
		w := num(1)
		for _, x := range p.Prior {
			w = weightFactor(c, w, x)
		}
		c.out.add(jen.Id("p").Op(":=").Add(typed(w)))
		q := id("p")
		for _, x := range p.Given {
			q = weightFactor(c, q, x)
		}
		c.out.add(jen.Id("top").Op("+=").Add(q.Code()))
		below := id("p")
		if !p.Proper {
			below = mul(below, index(c.f.get("predict", "totals", jen.Id("s").Dot(k.totalsName())), id(v)))
		}
		c.out.add(jen.Id("bottom").Op("+=").Add(below.Code()))
	})
	out.add(jen.Return(jen.Id("top").Op("/").Id("bottom")))
	var params []jen.Code
	for _, o := range outer {
		params = append(params, jen.Id(o).Int())
	}
	params = append(params, jen.Id(value).Int32())
	target := k.v.Name
	doc := []string{
		k.predictName() + " returns the probability that a further element of " + p.X.Name + place(outer) + " has the value " + value + ", from 0, given the state:",
		"",
		"\tp(" + value + " | ·) = Σ_t W(t, " + value + ") / Σ_t Σ_v W(t, v),  where W is the weight of t in the draw of " + target,
		"",
		"with sums over the elements that are there. It does not depend on which of them it would come after.",
	}
	if !p.Proper {
		doc = append(doc, k.prepareName()+" must be called first, after each update.")
	} else {
		doc = append(doc, "The sum over v is that of the factors without "+p.X.Name+", since the others are probabilities.")
	}
	assemble(f, doc, method(k.predictName()).Params(params...).Float64(), e, out)
}

// place is [d, e] for indices, "" for none.
func place(names []string) string {
	if len(names) == 0 {
		return ""
	}
	out := "[" + names[0]
	for _, n := range names[1:] {
		out += ", " + n
	}
	return out + "]"
}

// typed makes a literal a float64, where := would make it an int.
func typed(x ex) *jen.Statement {
	if x.isNum {
		return jen.Float64().Call(x.Code())
	}
	return x.Code()
}

// printPrepare prints the sums over the values of x of the factors that it is in.
func (k *kern) printPrepare(f *jen.File, p *plan.Prediction) {
	e, out := k.body("totals")
	field := jen.Id("s").Dot(k.totalsName())
	out.add(
		field.Clone().Op("=").Qual(runtimePath, "Resize").Call(field.Clone(), k.categories(e).Code()),
		jen.Id("totals").Op(":=").Add(field.Clone()),
		jen.Clear(jen.Id("totals")))
	e.hint = map[string]string{plan.ValueIndex: "v"}
	e.over(ir.Bind{Name: plan.ValueIndex, Plate: p.X.Type.Of}, func(c *emitter) {
		k.eachValue(c, func(d *emitter, v string) {
			w := num(1)
			for _, x := range p.Given {
				w = weightFactor(d, w, x)
			}
			d.out.add(jen.Id("totals").Index(jen.Id(v)).Op("+=").Add(w.Code()))
		})
	})
	assemble(f, []string{k.prepareName() + " sums up what " + k.predictName() + " divides by."}, method(k.prepareName()).Params(), e, out)
}

// eachValue emits a loop over the values of the category around what body emits.
func (k *kern) eachValue(e *emitter, body func(c *emitter, v string)) {
	v := e.f.local("k")
	l := &loop{name: "$t", v: v, size: k.categories(e), pre: &block{}, rows: map[string]string{}, full: true, bound: map[string]bool{"$t": true}}
	e.changes()
	in := &block{}
	c := e.bind("$t", id(v)).into(in)
	c.cat = id(v)
	c.value = func(e *emitter, a *ir.Atom) (ex, bool) { return call("", "float64", e.cat), true }
	c.loops = append(slices.Clone(e.loops), l)
	body(c, v)
	e.out.add(l.pre.stmts...)
	e.out.add(l.header(ir.Bind{}).Block(in.stmts...))
	delete(e.f.byName, v)
}
