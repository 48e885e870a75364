// This file holds evaluation of expressions: plain recursion, arrays flat and row-major.

package interp

import (
	"fmt"
	"math"

	"github.com/gibbsgen/gibbsgen/ir"
)

// Eval returns the value of an expression at the given 0-based indices: one number for a scalar, else the elements row-major.
func Eval(m *ir.Model, e ir.Expr, env *Env, indices map[string]int) ([]float64, error) {
	x, err := newMachine(m, env)
	if err != nil {
		return nil, err
	}
	return x.eval(e, indices)
}

// eval returns a slice that the caller may keep but not change, except that of a number.
func (x *machine) eval(e ir.Expr, at map[string]int) ([]float64, error) {
	switch e := e.(type) {
	case *ir.Num:
		return []float64{e.Value}, nil
	case *ir.Ref:
		return x.ref(e, at)
	case *ir.SizeOf:
		of, err := x.indices(e.Of, at)
		if err != nil {
			return nil, err
		}
		n, err := x.length(e.Plate, of)
		return []float64{float64(n)}, err
	case *ir.IndexVal:
		k, err := x.index(e.Index, at)
		return []float64{float64(k + 1)}, err
	case *ir.Bin:
		return x.bin(e, at)
	case *ir.App:
		a, err := x.eval(e.X, at)
		if err != nil {
			return nil, err
		}
		f, ok := functions[e.Fn]
		if !ok {
			return nil, fmt.Errorf("unknown function %s", e.Fn)
		}
		out := make([]float64, len(a))
		for i := range a {
			out[i] = f(a[i])
		}
		return out, nil
	case *ir.Dot:
		a, err := x.eval(e.A, at)
		if err != nil {
			return nil, err
		}
		b, err := x.eval(e.B, at)
		if err != nil {
			return nil, err
		}
		if len(a) != len(b) {
			return nil, fmt.Errorf("dot of vectors of lengths %d and %d", len(a), len(b))
		}
		s := 0.0
		for i := range a {
			s += a[i] * b[i]
		}
		return []float64{s}, nil
	case *ir.Sum:
		s := 0.0
		err := x.each([]ir.Binder{e.Over}, at, func(at map[string]int) error {
			v, err := x.eval(e.Body, at)
			if err == nil {
				s += v[0]
			}
			return err
		})
		return []float64{s}, err
	case *ir.Fill:
		return x.fill(e, at)
	}
	return nil, fmt.Errorf("internal: expression %T", e)
}

var functions = map[string]func(float64) float64{
	"log": math.Log, "exp": math.Exp, "sqrt": math.Sqrt, "abs": math.Abs,
	"logistic": func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	"Phi":      func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 },
	"lgamma":   func(x float64) float64 { y, _ := math.Lgamma(x); return y },
}

func (x *machine) bin(e *ir.Bin, at map[string]int) ([]float64, error) {
	a, err := x.eval(e.L, at)
	if err != nil {
		return nil, err
	}
	b, err := x.eval(e.R, at)
	if err != nil {
		return nil, err
	}
	scalarA, scalarB := len(e.L.Shape()) == 0, len(e.R.Shape()) == 0
	if !scalarA && !scalarB && len(a) != len(b) {
		return nil, fmt.Errorf("%c of %d and %d elements", e.Op, len(a), len(b))
	}
	out := make([]float64, len(a))
	if scalarA {
		out = make([]float64, len(b))
	}
	for i := range out {
		var p, q float64
		if p = a[0]; !scalarA {
			p = a[i]
		}
		if q = b[0]; !scalarB {
			q = b[i]
		}
		switch e.Op {
		case '+':
			out[i] = p + q
		case '-':
			out[i] = p - q
		case '*':
			out[i] = p * q
		case '/':
			out[i] = p / q
		case '^':
			out[i] = math.Pow(p, q)
		default:
			return nil, fmt.Errorf("internal: operator %c", e.Op)
		}
	}
	return out, nil
}

func (x *machine) fill(e *ir.Fill, at map[string]int) ([]float64, error) {
	v, err := x.eval(e.X, at)
	if err != nil {
		return nil, err
	}
	n, err := x.total(e.Plate[0])
	if err != nil {
		return nil, err
	}
	if len(e.Plate) == 2 {
		out := make([]float64, n*n)
		for i := range n {
			out[i*n+i] = v[0]
		}
		return out, nil
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = v[0]
	}
	return out, nil
}

// ref returns the values that a reference selects.
func (x *machine) ref(r *ir.Ref, at map[string]int) ([]float64, error) {
	if r.Var.Def != nil { // only a Monitor list refers to a let
		return x.let(r, at)
	}
	idx, err := x.indices(r.Idx, at)
	if err != nil {
		return nil, err
	}
	off, n, err := x.locate(r.Var.Axes, idx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Var.Name, err)
	}
	if x.need != nil {
		if err := x.need(r.Var, off, n); err != nil {
			return nil, err
		}
	}
	vals, err := x.value(r.Var)
	if err != nil {
		return nil, err
	}
	return vals[off : off+n : off+n], nil
}

// let evaluates a reference to a let that was not substituted, all of its elements where indices are left out.
func (x *machine) let(r *ir.Ref, at map[string]int) ([]float64, error) {
	idx, err := x.indices(r.Idx, at)
	if err != nil {
		return nil, err
	}
	n := min(len(idx), len(r.Var.Params))
	inner := map[string]int{}
	for i, k := range idx[:n] {
		inner[r.Var.Params[i].Name] = k
	}
	var out []float64
	err = x.each(r.Var.Params[n:], inner, func(at map[string]int) error {
		v, err := x.eval(r.Var.Def, at)
		out = append(out, v...)
		return err
	})
	if err != nil || len(idx) == n {
		return out, err
	}
	off, k, err := x.locate(r.Var.Axes[n:], idx[n:])
	if err != nil {
		return nil, err
	}
	return out[off : off+k], nil
}

func (x *machine) indices(ix []ir.IndexExpr, at map[string]int) ([]int, error) {
	out := make([]int, len(ix))
	for i, e := range ix {
		k, err := x.index(e, at)
		if err != nil {
			return nil, err
		}
		out[i] = k
	}
	return out, nil
}

func (x *machine) index(e ir.IndexExpr, at map[string]int) (int, error) {
	switch {
	case e.Cat != nil:
		v, err := x.ref(e.Cat, at)
		if err != nil {
			return 0, err
		}
		k, err := whole(v[0])
		if err != nil {
			return 0, fmt.Errorf("%s: %w", e.Cat.Var.Name, err)
		}
		return k + e.Add, nil
	case e.Name != "":
		k, ok := at[e.Name]
		if !ok {
			return 0, fmt.Errorf("index %s has no value", e.Name)
		}
		return k + e.Add, nil
	}
	return e.Add, nil
}

// each calls f for all values of the binders, added to the indices in at.
func (x *machine) each(over []ir.Binder, at map[string]int, f func(map[string]int) error) error {
	inner := make(map[string]int, len(at)+len(over))
	for k, v := range at {
		inner[k] = v
	}
	return x.run(over, inner, f)
}

func (x *machine) run(over []ir.Binder, at map[string]int, f func(map[string]int) error) error {
	if len(over) == 0 {
		return f(at)
	}
	b := over[0]
	of, err := x.indices(b.Of, at)
	if err != nil {
		return err
	}
	n, err := x.length(b.Plate, of)
	if err != nil {
		return err
	}
	for i := b.Lo; i < n+b.Hi; i++ {
		at[b.Name] = i
		if err := x.run(over[1:], at, f); err != nil {
			return err
		}
	}
	return nil
}
