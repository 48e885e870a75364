// This file holds the product of densities that a conditional begins with, in the words of the spec.

package conjugacy

import (
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// product prints the factors that mention the target: Normal(mu[k]; m0, var = v0) · ∏_{n: z[n] = k} Normal(...). What is
// integrated out stands in one integral over all its factors.
func (c *Conditional) product(a *Analysis, n *Notation) string {
	m := a.Model
	var out []string
	integral := false
	for _, f := range c.Srcs {
		switch {
		case f == nil:
		case mentionsAny(f, m.Collapse):
			integral = true
		default:
			out = append(out, n.touched(f))
		}
	}
	for _, k := range a.where.constraints[c.Target.Var] {
		if text, ok := n.constraint(k); ok {
			out = append(out, text)
		}
	}
	if integral {
		text := "∫"
		for _, f := range m.Factors {
			if mentionsAny(f, m.Collapse) {
				all, _ := n.productOver(f.Over, nil, func(in instance) string { return densityText(f, in) })
				text += " " + all
			}
		}
		for _, v := range m.Collapse {
			text += " d" + v.Name
		}
		out = append(out, text)
	}
	if len(out) == 0 {
		return "1"
	}
	return strings.Join(out, " · ")
}

func mentionsAny(f *ir.Factor, vs []*ir.Var) bool {
	return len(vs) > 0 && slices.ContainsFunc(unknowns(append([]ir.Expr{f.X, f.Lo, f.Hi}, f.Args...)...), func(v *ir.Var) bool { return slices.Contains(vs, v) })
}

// touched prints a factor as a product over its indices, as far as the target does not fix them.
func (n *Notation) touched(f *ir.Factor) string {
	text, _ := n.productOver(f.Over, append([]ir.Expr{f.X, f.Lo, f.Hi}, f.Args...), func(in instance) string { return densityText(f, in) })
	return text
}

// constraint prints a constraint as an indicator; false if it does not mention the target.
func (n *Notation) constraint(k *ir.Constraint) (string, bool) {
	return n.productOver(k.Over, []ir.Expr{k.L, k.R, k.Cuts}, func(in instance) string {
		relation := " > "
		if k.Less {
			relation = " < "
		}
		side := in.text(k.L) + relation
		if k.Cuts != nil {
			side = in.text(k.L) + " cut by " + in.text(k.Cuts)
		} else {
			side += in.text(k.R)
		}
		return "[" + in.text(k.Y) + " = (" + side + ")]"
	})
}

// An instance says what the bound names of a statement are printed as.
type instance map[string]ir.IndexExpr

// text prints an expression of the statement.
func (in instance) text(e ir.Expr) string {
	if len(in) == 0 {
		return ir.ExprString(e)
	}
	return ir.ExprString(reindex(e, in))
}

// productOver prints the product of a statement over those of its binders that the target leaves free. Where the target's
// element is written v[t] or v[t-1], the instances of the statement that mention v[J] are printed one by one; where it is
// v[z[n]], a condition stands below the product. The expressions es are searched for the target; false says that they do not
// mention it.
func (n *Notation) productOver(over []ir.Binder, es []ir.Expr, print func(instance) string) (string, bool) {
	var mentions [][]ir.IndexExpr // distinct
	for _, e := range es {
		if e == nil || e == ir.Expr((*ir.Ref)(nil)) {
			continue
		}
		ir.WalkExpr(e, func(e ir.Expr) {
			if r, ok := e.(*ir.Ref); ok && r.Var == n.target.Var &&
				!slices.ContainsFunc(mentions, func(ix []ir.IndexExpr) bool { return sameIndices(ix, r.Idx) }) {
				mentions = append(mentions, r.Idx)
			}
		})
	}
	solved := len(mentions) > 0
	var instances []instance
	for _, m := range mentions {
		in, ok := n.solve(m, over)
		instances = append(instances, in)
		solved = solved && ok
	}
	var out []string
	if !solved {
		instances = []instance{{}}
	}
	for k, in := range instances {
		var free, products, conditions []string
		for _, b := range over {
			x, fixed := in[b.Name]
			if fixed {
				conditions = append(conditions, rangeOfIndex(x, b)...)
				continue
			}
			text := b.Name
			for n.taken(text) { // a name that is not the target's
				text += "′"
			}
			in[b.Name] = ir.IndexExpr{Name: text}
			free = append(free, text)
			products = append(products, "∏"+subscript(text, rangeOf(text, b.Plate, b.Lo, b.Hi)))
		}
		if len(mentions) == 1 || solved { // else no simple condition, and factors without the target do no harm
			for i, x := range mentions[k] {
				if n.target.Block[i] || solvedAt(x, over) || boundInside(x, over) {
					continue
				}
				x = reindexOne(x, in)
				l, r := x.String(), n.ix(n.target.J[i])
				if x.Cat == nil { // a number comes last
					l, r = r, l
				}
				conditions = append(conditions, l+" = "+r)
			}
		}
		text := print(in)
		switch {
		case len(free) > 0 && len(conditions) > 0:
			text = "∏_{" + strings.Join(free, ",") + ": " + strings.Join(conditions, ", ") + "} " + text
		case len(free) > 0:
			text = strings.Join(products, " ") + " " + text
		case len(conditions) > 0:
			text += "^[" + strings.Join(conditions, ", ") + "]"
		}
		if !slices.Contains(out, text) { // two elements of a block may stand in one factor
			out = append(out, text)
		}
	}
	return strings.Join(out, " · "), len(mentions) > 0
}

// solve returns the instance of a statement over these binders in which the mention at ix is the target. False says that an
// index is a category, so that many instances may be.
func (n *Notation) solve(ix []ir.IndexExpr, over []ir.Binder) (instance, bool) {
	in, ok := instance{}, true
	for i, x := range ix {
		switch {
		case n.target.Block[i]:
		case solvedAt(x, over) && in[x.Name].Name == "":
			in[x.Name] = ir.IndexExpr{Name: n.ix(n.target.J[i]), Add: -x.Add}
		default:
			ok = ok && x.Cat == nil
		}
	}
	return in, ok
}

// solvedAt reports whether the index is one of the binders, shifted or not.
func solvedAt(x ir.IndexExpr, over []ir.Binder) bool {
	return x.Cat == nil && slices.ContainsFunc(over, func(b ir.Binder) bool { return b.Name == x.Name })
}

// boundInside reports whether the index depends on a name that a sum inside the statement binds: it takes all values there.
func boundInside(x ir.IndexExpr, over []ir.Binder) bool {
	if x.Cat != nil {
		return slices.ContainsFunc(x.Cat.Idx, func(y ir.IndexExpr) bool { return boundInside(y, over) })
	}
	return x.Name != "" && !solvedAt(x, over)
}

// rangeOfIndex states that x lies in the range of the binder.
func rangeOfIndex(x ir.IndexExpr, b ir.Binder) []string {
	return rangeOf(x.Name, b.Plate, b.Lo-x.Add, min(b.Hi-x.Add, 0))
}

// reindex returns e with the names of in replaced in every index.
func reindex(e ir.Expr, in instance) ir.Expr {
	switch e := e.(type) {
	case *ir.Ref:
		return &ir.Ref{Var: e.Var, Idx: reindexAll(e.Idx, in), At: e.At}
	case *ir.SizeOf:
		return &ir.SizeOf{Plate: e.Plate, Of: reindexAll(e.Of, in), At: e.At}
	case *ir.IndexVal:
		return &ir.IndexVal{Index: reindexOne(e.Index, in), At: e.At}
	case *ir.Bin:
		return &ir.Bin{Op: e.Op, L: reindex(e.L, in), R: reindex(e.R, in), At: e.At}
	case *ir.App:
		return &ir.App{Fn: e.Fn, X: reindex(e.X, in), At: e.At}
	case *ir.Dot:
		return &ir.Dot{A: reindex(e.A, in), B: reindex(e.B, in), At: e.At}
	case *ir.Sum:
		own := e.Over
		own.Of = reindexAll(own.Of, in)
		inner := instance{}
		for k, v := range in {
			if k != own.Name {
				inner[k] = v
			}
		}
		return &ir.Sum{Over: own, Body: reindex(e.Body, inner), At: e.At}
	case *ir.Fill:
		return &ir.Fill{X: reindex(e.X, in), Plate: e.Plate, At: e.At}
	}
	return e
}

func reindexAll(ix []ir.IndexExpr, in instance) []ir.IndexExpr {
	out := make([]ir.IndexExpr, len(ix))
	for i, x := range ix {
		out[i] = reindexOne(x, in)
	}
	return out
}

func reindexOne(x ir.IndexExpr, in instance) ir.IndexExpr {
	if x.Cat != nil {
		x.Cat = reindex(x.Cat, in).(*ir.Ref)
		return x
	}
	if y, ok := in[x.Name]; ok && x.Name != "" {
		y.Add += x.Add
		return y
	}
	return x
}

func sameIndices(a, b []ir.IndexExpr) bool {
	return slices.EqualFunc(a, b, func(x, y ir.IndexExpr) bool { return x.String() == y.String() })
}

// densityText prints Normal(x[n]; mu[z[n]], var = s2).
func densityText(f *ir.Factor, in instance) string {
	args := argsText(f, in)
	if args != "" {
		args = "; " + args
	}
	s := f.Dist.Name + "(" + in.text(f.X) + args + ")"
	lo, hi := "-∞", "∞"
	if f.Lo != nil {
		lo = in.text(f.Lo)
	}
	if f.Hi != nil {
		hi = in.text(f.Hi)
	}
	if f.Lo != nil || f.Hi != nil {
		s += " on (" + lo + ", " + hi + ")"
	}
	return s
}

func argsText(f *ir.Factor, in instance) string {
	var args []string
	for i, a := range f.Args {
		if fill, ok := a.(*ir.Fill); ok && len(fill.Plate) == 1 {
			a = fill.X // as the spec says it: Dirichlet(1)
		}
		s := in.text(a)
		if p := f.Dist.Params[i]; p.Named {
			s = p.Name + " = " + s
		}
		args = append(args, s)
	}
	return strings.Join(args, ", ")
}

// statementText prints the statement of a factor as the spec has it.
func statementText(m *ir.Model, f *ir.Factor) string {
	for _, d := range m.File.Decls {
		if v, ok := d.(*dsl.VarDecl); ok && v.Span == f.Span {
			return dsl.DeclString(v)
		}
	}
	return "?" // every factor has a statement
}
