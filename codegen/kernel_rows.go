// This file holds what generated code does without a Gram matrix Σ_n X[n, i]·X[n, j] of data, where X has few rows: Normal vectors
// are drawn by the rows, and other sums with the matrix are sums over the rows.

package codegen

import (
	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// byRows returns the Sampler's field that says that the accumulator, a Gram matrix, is not kept.
func byRows(a *conjugacy.Accumulator) string { return "byRows" + a.Name[1:] }

// rowsParts are the parameters of the runtime's draw by rows, before X.
var rowsParts = []string{"lin", "diag", "weight", "score"}

func (k *kern) rowsName() string { return k.lower() + "ByRows" }

// rowsOf returns what tells how the block is drawn.
func (k *kern) rowsOf() *jen.Statement { return jen.Id("s").Dot(byRows(k.Rows.Acc)) }

// printRowsParams emits wByRows: it fills the given slices with the parameters of the draw by rows.
func (k *kern) printRowsParams(f *jen.File) {
	e, out := k.body(append(k.letters(), rowsParts...)...)
	row, position := k.Rows.X.Axes[:1], k.Rows.X.Axes[1:]
	e.fill("lin", position, k.Rows.Lin)
	e.fill("diag", position, k.Rows.Diag)
	e.fill("weight", row, k.Rows.Weight)
	e.fill("score", row, k.Rows.Score)
	doc := []string{k.rowsName() + " fills in the same conditional by the rows of " + k.Rows.X.Name + ", without their Gram matrix.", ""}
	for _, l := range conjugacy.RowsDerivation(k.Conditional, k.g.plan.Analysis) {
		doc = append(doc, "\t"+l)
	}
	assemble(f, doc, method(k.rowsName()).Params(k.signature(jen.List(ids(rowsParts)...).Index().Float64())...), e, out)
}

// rowsRooms returns the sampler's room for the parameters: that of the matrix serves three of them.
func (k *kern) rowsRooms(e *emitter) []jen.Code {
	D, N := k.dims(e), e.f.sizeOf(k.Rows.X.Axes[0])
	prec := func(from, n ex) jen.Code {
		return jen.Id("s").Dot("blockPrec").Index(from.Code().Op(":")).Index(jen.Op(":").Add(n.Code()))
	}
	return []jen.Code{
		jen.Id("s").Dot("blockH").Index(jen.Op(":").Add(D.Code())),
		jen.Id("s").Dot("blockPrec").Index(jen.Op(":").Add(D.Code())),
		prec(D, N),
		prec(add(D, N), N),
	}
}

// rowsSize is how many numbers the rooms take of the matrix's.
func (k *kern) rowsSize(e *emitter) ex {
	return add(k.dims(e), mul(intLit(2), e.f.sizeOf(k.Rows.X.Axes[0])))
}

// rowsFilled returns the statements that name the parameters and fill them in, and what the runtime takes of them.
func (k *kern) rowsFilled(e *emitter, indices []jen.Code) (fill, takes []jen.Code) {
	names := ids(rowsParts)
	fill = []jen.Code{
		jen.List(names...).Op(":=").List(k.rowsRooms(e)...),
		jen.Id("s").Dot(k.rowsName()).Call(append(ids(rowsParts), indices...)...),
	}
	return fill, append(names, e.f.variable(k.Rows.X).Code())
}

// gram returns the accumulator of the term that may not be kept, unless the function only runs where it is.
func (e *emitter) gram(t ir.Term) *plan.Acc {
	if e.kept {
		return nil
	}
	for _, f := range t.F {
		if a := e.g.accs[f.A.Name]; f.A.Fn == ir.AccAtom && a != nil && a.Gram != nil {
			return a
		}
	}
	return nil
}

// bothWays emits sum = Σ t, with the Gram matrix where it is kept and by the rows where it is not.
func (e *emitter) bothWays(t ir.Term, a *plan.Acc, sum ex) {
	without, ok := a.Gram.Without(ir.Poly{t})
	if !ok {
		panic("codegen: " + a.Name + " cannot be done without")
	}
	branch := func(p ir.Poly) []jen.Code {
		in := &block{}
		c := e.into(in)
		c.kept = true
		v := c.poly(p)
		in.add(sum.Code().Op("=").Add(v.Code()))
		return in.stmts
	}
	e.out.add(jen.If(jen.Id("s").Dot(byRows(a.Accumulator))).Block(branch(without)...).Else().Block(branch(ir.Poly{t})...))
}
