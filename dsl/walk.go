// This file walks over syntax trees.

package dsl

// Walk calls f for e and, where f returns true, for the expressions inside it, in source order. The bounds and
// conditions of binders (`sum(k in words[d] if k > 1, ...)`) are inside their call. A nil e is skipped.
func Walk(e Expr, f func(Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	switch e := e.(type) {
	case *Index:
		for _, x := range e.Args {
			Walk(x, f)
		}
	case *Call:
		for i := range e.Args {
			a := &e.Args[i]
			if a.Binder != nil {
				walkAxis(a.Binder, f)
			}
			Walk(a.Value, f)
		}
	case *Unary:
		Walk(e.X, f)
	case *Binary:
		Walk(e.X, f)
		Walk(e.Y, f)
	case *Paren:
		Walk(e.X, f)
	}
}

// WalkDecl walks over every expression of a statement, in source order.
func WalkDecl(d Decl, f func(Expr) bool) {
	switch d := d.(type) {
	case *PlateDecl:
		Walk(d.Size, f)
	case *VarDecl:
		for i := range d.Axes {
			walkAxis(&d.Axes[i], f)
		}
		if d.Type != nil {
			Walk(d.Type.Lo, f)
			Walk(d.Type.Hi, f)
		}
		if d.Dist != nil {
			Walk(d.Dist, f)
		}
		Walk(d.Value, f)
	case *ObserveDecl:
		for i := range d.Axes {
			walkAxis(&d.Axes[i], f)
		}
		Walk(d.Value, f)
	case *ListDecl:
		for _, x := range d.Items {
			Walk(x, f)
		}
	}
}

func walkAxis(a *Axis, f func(Expr) bool) {
	for _, x := range a.Of {
		Walk(x, f)
	}
	Walk(a.Cond, f)
	Walk(a.Lit, f)
}
