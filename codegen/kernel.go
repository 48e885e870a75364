// This file holds kernels in generated code: a kernel's Go names, its signature, and which functions it is printed as.

package codegen

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// A kern is a kernel with the Go names that its functions share.
type kern struct {
	*plan.Kernel
	g      *generator
	v      *ir.Var
	name   string   // Mu
	params []string // k
}

func (g *generator) kern(k *plan.Kernel) *kern {
	out := &kern{Kernel: k, g: g, v: k.Target.Var, name: g.kernelNames[k]}
	for _, b := range k.Loops {
		p := localName(k.Names[b.Name])
		if slices.Contains(out.own(), p) {
			p += "_"
		}
		out.params = append(out.params, p)
	}
	return out
}

// own returns the names that the kernel's functions give to values of their own, in formulas that follow the literature.
func (k *kern) own() []string {
	switch k.Conditional.Kernel {
	case conjugacy.Enumerate:
		return []string{"w", "p", "total", "put"}
	case conjugacy.SliceKernel:
		return []string{"t", "u", "diff", "put"}
	}
	own := append(k.natural(), "diff", "put", "x")
	if k.Rows != nil {
		own = append(own, rowsParts...)
	}
	if k.ranged() && len(k.ahead()) > 0 {
		own = append(own, "base", "m", "j", "rows", "sum")
		for _, n := range k.natural() {
			own = append(own, n+"s")
		}
	}
	return own
}

// letters returns the names of all families' natural parameters, of numbers or of blocks: what stands for one of them in
// some kernels stands for nothing else in others.
func (k *kern) letters() []string {
	var out []string
	for _, f := range conjugacy.Families {
		if len(f.Draws) == 0 || f.Block() != k.block() {
			continue
		}
		for _, n := range f.Natural {
			if !slices.Contains(out, n.Name) {
				out = append(out, n.Name)
			}
		}
	}
	return out
}

// natural returns the names of the natural parameters, in the order of the runtime's functions.
func (k *kern) natural() []string {
	var out []string
	for _, n := range k.Family.Natural {
		out = append(out, n.Name)
	}
	return out
}

// drawCall returns the runtime's draw, with its natural parameters and bounds in local variables. A block's fills dst; side
// are a point and which side of it t lies on, if the data say so.
func (k *kern) drawCall(e *emitter, dst []jen.Code, side ...jen.Code) (conjugacy.Call, *jen.Statement) {
	d, ok := k.Draw(len(side) > 0)
	if !ok {
		panic("codegen: no draw for " + k.Family.Name)
	}
	if d.At0 {
		side = side[1:]
	}
	return d, jen.Id("s").Dot("rng").Dot(d.Name).Call(slices.Concat(dst, k.takes(e, d, nil), side)...)
}

// takes returns what a function of the runtime takes after arguments of its own: natural parameters, as placed gives them,
// and what else it asks for.
func (k *kern) takes(e *emitter, fn conjugacy.Call, rooms map[string]jen.Code) []jen.Code {
	names := slices.DeleteFunc(k.natural(), func(n string) bool { _, fixed := fn.Without[n]; return fixed })
	out := placed(names, rooms)
	if fn.Power {
		out = append(out, jen.Lit(k.Params.R))
	}
	switch {
	case fn.Bounds && k.Params.Truncated:
		out = append(out, jen.Id("lo"), jen.Id("hi"))
	case fn.Bounds:
		out = append(out, jen.Lit(0), jen.Qual("math", "Inf").Call(jen.Lit(1)))
	}
	if fn.Size {
		out = append(out, e.f.total(k.positions()).Code())
	}
	if fn.Work {
		out = append(out, jen.Id("s").Dot("work"))
	}
	return out
}

// lower is the name's unexported form: mu.
func (k *kern) lower() string { return strings.ToLower(k.name[:1]) + k.name[1:] }

// doc returns the head comment of a conditional: what the function does, then the derivation.
func (k *kern) doc(fn, what string) []string {
	out := []string{fn + " " + what, ""}
	for _, l := range k.g.derivation(k.Conditional) {
		if l != "" {
			l = "\t" + l
		}
		out = append(out, l)
	}
	return out
}

func (k *kern) drawName() string { return "draw" + k.name }

func (k *kern) given() string { return k.lower() + "GivenRest" }

// signature returns the target's indices as parameters, after the given ones.
func (k *kern) signature(before ...jen.Code) []jen.Code {
	out := before
	for i, p := range k.params {
		if i < len(k.params)-1 {
			out = append(out, jen.Id(p))
		} else {
			out = append(out, jen.Id(p).Int())
		}
	}
	return out
}

// args returns the target's indices as arguments.
func (k *kern) args(before ...jen.Code) []jen.Code {
	for _, p := range k.params {
		before = append(before, jen.Id(p))
	}
	return before
}

// body returns an emitter for a function of the target's indices.
func (k *kern) body(reserved ...string) (*emitter, *block) {
	f := newFrame(k.g.l, append(append([]string(nil), k.params...), reserved...)...)
	out := &block{}
	e := k.g.emitter(f, out)
	for i, b := range k.Loops {
		e.names[b.Name] = id(k.params[i])
		e.names[k.Names[b.Name]] = id(k.params[i])
	}
	return e, out
}

// place returns the flat position of the target's element, or of where its block begins.
func (k *kern) place(e *emitter) ex {
	var ix []ex
	for _, j := range k.Target.J {
		if j.Name == "" {
			break
		}
		ix = append(ix, e.ix(j))
	}
	return e.f.offset(k.v.Axes, ix)
}

// cell returns the state's element as it is assigned to.
func (k *kern) cell(e *emitter) ex {
	if len(e.loops) > 0 {
		return e.load("v:"+k.v.Name, k.v.Name, e.f.variable(k.v), k.v.Axes, k.Target.J)
	}
	if len(k.v.Axes) == 0 {
		return raw(jen.Id("s").Dot("state").Dot(k.g.l.field[k.v]))
	}
	return index(e.f.variable(k.v), k.place(e))
}

// block reports whether the target is a vector or matrix.
func (k *kern) block() bool { return len(k.Target.T.Axes) > 0 }

// dims returns the number of elements of the block.
func (k *kern) dims(e *emitter) ex { return e.f.total(k.Target.T.Axes) }

// print emits the kernel's functions.
func (k *kern) print(f *jen.File) {
	switch k.Conditional.Kernel {
	case conjugacy.Enumerate:
		switch {
		case k.Urn != nil:
			k.printWeights(f)
			k.printUrn(f)
		case k.ranged():
			k.printSweep(f, "weighs every value of "+k.Label()+" and draws one", k.enumerate)
		default:
			k.printOne(f, "weighs every value of "+k.Label()+" and draws one.", k.enumerate)
		}
	case conjugacy.SliceKernel:
		k.printParts(f)
		k.printLogDensity(f)
		k.printSlice(f)
	default:
		switch {
		case k.block():
			k.printBlockParams(f)
			if k.Rows != nil {
				k.printRowsParams(f)
			}
			k.printBlock(f)
		case k.ranged():
			k.printSweep(f, "draws "+k.Label()+" from its full conditional", k.scalar)
		default:
			k.printParams(f)
			k.printScalar(f)
		}
	}
}

// ranged reports whether the draws of many units stand in one loop: locals whose conditional is a few lines of arithmetic,
// for which a call for each would cost as much as the draw.
func (k *kern) ranged() bool {
	if !k.local() || k.Urn != nil || k.block() {
		return false
	}
	return k.Conditional.Kernel != conjugacy.SliceKernel
}

// improper returns the error for a conditional without a proper density.
func (k *kern) improper() *jen.Statement {
	args := []jen.Code{jen.Lit(k.v.Name)}
	return jen.Qual(runtimePath, "Improper").Call(k.args(args...)...)
}

// improperAt is improper with the indices as the emitter has them.
func (k *kern) improperAt(e *emitter) *jen.Statement {
	args := []jen.Code{jen.Lit(k.v.Name)}
	for _, b := range k.Loops {
		args = append(args, e.names[b.Name].Code())
	}
	return jen.Qual(runtimePath, "Improper").Call(args...)
}

// wrap returns err with the target's name and indices.
func (k *kern) wrap() *jen.Statement {
	return jen.Qual(runtimePath, "DrawError").Call(k.args(jen.Err(), jen.Lit(k.v.Name))...)
}
