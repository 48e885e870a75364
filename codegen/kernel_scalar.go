// This file holds kernels of one number with a family: its natural parameters, its draw, its log density.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
)

// coefNames lists the natural parameters of a family in the order of the runtime's draw.
var coefNames = map[string][]string{
	"Normal": {"h", "prec"}, "Gamma": {"c", "b"}, "GIG": {"c", "a", "b"}, "LogNormal": {"c", "q"}, "Beta": {"c", "d"},
	"MVNormal": {"h", "prec"}, "Dirichlet": {"c"}, "Wishart": {"c", "S"}, "InvWishart": {"c", "S"},
	"Normal-Inverse-Gamma": {"kappa", "b", "S", "c"},
}

// results are the values that a scalar conditional's function returns: natural parameters, then bounds.
func (k *kern) results() []string {
	out := slices.Clone(coefNames[k.Family.Name])
	if k.Params.Truncated {
		out = append(out, "lo", "hi")
	}
	return out
}

// printParams emits muGivenRest: the natural parameters of a scalar conditional.
func (k *kern) printParams(f *jen.File) {
	e, out := k.body(k.results()...)
	var rets []jen.Code
	for _, n := range coefNames[k.Family.Name] {
		v := e.poly(k.Params.Coef[n])
		rets = append(rets, v.Code())
	}
	if k.Params.Truncated {
		// The parameters are named before the bounds are found, since the latter need statements.
		for i, n := range coefNames[k.Family.Name] {
			out.add(jen.Id(n).Op("=").Add(rets[i]))
			rets[i] = jen.Id(n)
		}
		k.bounds(e)
		rets = append(rets, jen.Id("lo"), jen.Id("hi"))
	}
	out.add(jen.Return(rets...))
	var res []jen.Code
	names := k.results()
	for i, n := range names {
		if i < len(names)-1 {
			res = append(res, jen.Id(n))
		} else {
			res = append(res, jen.Id(n).Float64())
		}
	}
	assemble(f, k.doc(k.given(), "returns the natural parameters of the full conditional of "+k.label()+"."), method(k.given()).Params(k.signature()...).Params(res...), e, out)
}

// printScalar emits drawMu.
func (k *kern) printScalar(f *jen.File) {
	e, out := k.body(append(k.results(), "next", "old")...)
	e.f.write[k.v] = true
	old := k.cell(e)
	moves := k.hasMoves(allAccs)
	if moves || k.Removed {
		out.add(jen.Id("old").Op(":=").Add(old.Code()))
	}
	if k.Removed {
		k.moves(e, k.takenOut(), "-=", k.scalarAt("old"))
	}
	var lhs []jen.Code
	for _, n := range k.results() {
		lhs = append(lhs, jen.Id(n))
	}
	out.add(jen.List(lhs...).Op(":=").Id("s").Dot(k.given()).Call(k.args()...))
	out.add(jen.Id("next").Op(":=").Add(k.drawCall()))
	out.add(jen.If(jen.Id("next").Op("!=").Id("next")).Block(jen.Return(k.improper())))
	switch {
	case k.Entangled:
		k.untangled(e, k.scalarAt("old"), k.scalarAt("next"))
	case k.Removed:
		k.moves(e, allAccs, "+=", k.scalarAt("next"))
	case moves:
		k.movesBetween(e)
	}
	out.add(old.Code().Op("=").Id("next"))
	out.add(jen.Return(jen.Nil()))
	assemble(f, []string{k.drawName() + " draws " + k.label() + " from its full conditional."}, method(k.drawName()).Params(k.signature()...).Error(), e, out)
}

// scalar emits the draw of one number: natural parameters, draw, moves.
func (k *kern) scalar(e *emitter) { k.scalarAfter(e, nil) }

func (k *kern) scalarAfter(e *emitter, ahead map[string]bool) {
	old := k.cell(e)
	moves := k.hasMoves(allAccs)
	if moves || k.Removed {
		e.out.add(jen.Id("old").Op(":=").Add(old.Code()))
	}
	if k.Removed {
		k.moves(e, k.takenOut(), "-=", k.scalarAt("old"))
	}
	for _, n := range coefNames[k.Family.Name] {
		if ahead[n] {
			continue
		}
		v := e.poly(k.Params.Coef[n])
		if v.isNum {
			e.out.add(jen.Id(n).Op(":=").Float64().Call(v.Code()))
		} else {
			e.out.add(jen.Id(n).Op(":=").Add(v.Code()))
		}
	}
	draw := k.drawCall()
	if at, y, ok := k.side(e); ok {
		if one, isConst := k.Params.Coef["prec"].Constant(); isConst && one == 1 {
			draw = jen.Id("s").Dot("rng").Dot("NormalSide").Call(jen.Id("h"), at.Code(), y.Code())
		} else {
			draw = jen.Id("s").Dot("rng").Dot("NormalSideNat").Call(jen.Id("h"), jen.Id("prec"), at.Code(), y.Code())
		}
		k.leave(e, jen.Id("h"), jen.Id("prec"), at.Code(), jen.Qual(runtimePath, "Indicator").Call(y.Code()))
	} else {
		if k.Params.Truncated {
			e.out.add(jen.Var().List(jen.Id("lo"), jen.Id("hi")).Float64())
			k.bounds(e)
		}
		var vs []jen.Code
		for _, n := range k.results() {
			vs = append(vs, jen.Id(n))
		}
		k.leave(e, vs...)
	}
	e.out.add(jen.Id("next").Op(":=").Add(draw))
	e.out.add(jen.If(jen.Id("next").Op("!=").Id("next")).Block(jen.Return(k.improperAt(e))))
	switch {
	case k.Entangled:
		k.untangled(e, k.scalarAt("old"), k.scalarAt("next"))
	case k.Removed:
		k.moves(e, allAccs, "+=", k.scalarAt("next"))
	case moves:
		k.movesBetween(e)
	}
	e.out.add(old.Code().Op("=").Id("next"))
}

// leave emits the assignment of the last draw's natural parameters and bounds to s.given: one by one, since copying a whole
// array waits for its parts to be written.
func (k *kern) leave(e *emitter, vs ...jen.Code) {
	var lhs []jen.Code
	for i := range vs {
		lhs = append(lhs, jen.Id("s").Dot("given").Index(jen.Lit(i)))
	}
	e.out.add(jen.List(lhs...).Op("=").List(vs...))
}

// drawCall returns the runtime's draw for a scalar family with its natural parameters in local variables.
func (k *kern) drawCall() *jen.Statement {
	rng := jen.Id("s").Dot("rng")
	ids := func(names ...string) []jen.Code {
		var out []jen.Code
		for _, n := range names {
			out = append(out, jen.Id(n))
		}
		return out
	}
	switch k.Family.Name {
	case "Normal":
		if k.Params.Truncated {
			return rng.Dot("TruncNormalNat").Call(ids("h", "prec", "lo", "hi")...)
		}
		return rng.Dot("NormalNat").Call(ids("h", "prec")...)
	case "Gamma":
		switch {
		case k.Params.Truncated:
			return rng.Dot("GammaPowNat").Call(jen.Id("c"), jen.Id("b"), jen.Lit(k.Params.R), jen.Id("lo"), jen.Id("hi"))
		case k.Params.R == 1:
			return rng.Dot("GammaNat").Call(ids("c", "b")...)
		}
		return rng.Dot("GammaPowNat").Call(jen.Id("c"), jen.Id("b"), jen.Lit(k.Params.R), jen.Lit(0), jen.Qual("math", "Inf").Call(jen.Lit(1)))
	case "GIG":
		if k.Params.R == 1 {
			return rng.Dot("GIGNat").Call(ids("c", "a", "b")...)
		}
		return rng.Dot("GIGPowNat").Call(jen.Id("c"), jen.Id("a"), jen.Id("b"), jen.Lit(k.Params.R))
	case "LogNormal":
		return rng.Dot("LogNormalNat").Call(ids("c", "q")...)
	case "Beta":
		return rng.Dot("BetaNat").Call(ids("c", "d")...)
	}
	panic("codegen: no draw for " + k.Family.Name)
}

// logDensity returns log q(x) up to a constant for a scalar family with its natural parameters in local variables.
func (k *kern) logDensity(x ex) ex {
	log := call("math", "Log", x)
	pow := func(r float64) ex {
		switch r {
		case 1:
			return x
		case -1:
			return div(num(1), x)
		}
		return call("math", "Pow", x, num(r))
	}
	switch k.Family.Name {
	case "Normal":
		return sub(mul(id("h"), x), mul(mul(mul(num(0.5), id("prec")), x), x))
	case "Gamma":
		return sub(mul(id("c"), log), mul(id("b"), pow(k.Params.R)))
	case "GIG":
		return sub(sub(mul(id("c"), log), mul(id("a"), pow(k.Params.R))), mul(id("b"), pow(-k.Params.R)))
	case "LogNormal":
		return sub(mul(id("c"), log), mul(mul(mul(num(0.5), id("q")), log), log))
	case "Beta":
		return add(mul(id("c"), log), mul(id("d"), call("math", "Log1p", minus(x))))
	}
	panic("codegen: no density for " + k.Family.Name)
}
