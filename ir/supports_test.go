package ir

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A sampled variable: its Var, and draws from inside its support.
type sampled struct {
	v    *Var
	draw func(*rand.Rand) float64
}

func sampledVars() []sampled {
	num := func(x float64) Expr { return &Num{Value: x} }
	return []sampled{
		{&Var{Name: "real"}, func(r *rand.Rand) float64 { return 3 * r.NormFloat64() }},
		{&Var{Name: "pos", Support: Support{Lo: num(0)}}, func(r *rand.Rand) float64 { return r.ExpFloat64() }},
		{&Var{Name: "nonneg", Support: Support{Lo: num(0), LoClosed: true}}, func(r *rand.Rand) float64 { return max(0, r.NormFloat64()) }},
		{&Var{Name: "neg", Support: Support{Hi: num(0)}}, func(r *rand.Rand) float64 { return -r.ExpFloat64() }},
		{&Var{Name: "unit", Support: Support{Lo: num(0), Hi: num(1)}}, func(r *rand.Rand) float64 { return r.Float64() }},
		{&Var{Name: "mid", Support: Support{Lo: num(-2), Hi: num(0.5), HiClosed: true}}, func(r *rand.Rand) float64 { return max(-2+2.5*r.Float64(), -1.999) }},
		{&Var{Name: "count", Type: Type{Elem: Int}, Support: Support{Kind: Counts}}, func(r *rand.Rand) float64 { return float64(r.IntN(4)) }},
		{&Var{Name: "bool", Type: Type{Elem: Bool}, Support: Support{Kind: Binary}}, func(r *rand.Rand) float64 { return float64(r.IntN(2)) }},
	}
}

// scalarValue evaluates a scalar expression of variables without indices; NaN if any part of it is infinite, which is a domain
// error reported elsewhere, or overflow.
func scalarValue(e Expr, at map[*Var]float64) float64 {
	x := evaluate(e, at)
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

func evaluate(e Expr, at map[*Var]float64) float64 {
	switch e := e.(type) {
	case *Num:
		return e.Value
	case *Ref:
		return at[e.Var]
	case *App:
		x := scalarValue(e.X, at)
		switch e.Fn {
		case "exp":
			return math.Exp(x)
		case "log":
			return math.Log(x)
		case "sqrt":
			return math.Sqrt(x)
		case "abs":
			return math.Abs(x)
		case "logistic":
			return 1 / (1 + math.Exp(-x))
		case "Phi":
			return math.Erfc(-x/math.Sqrt2) / 2
		}
	case *Bin:
		x, y := scalarValue(e.L, at), scalarValue(e.R, at)
		switch e.Op {
		case '+':
			return x + y
		case '-':
			return x - y
		case '*':
			return x * y
		case '/':
			return x / y
		case '^':
			if x != x || y != y {
				return math.NaN() // not 1, as 1^NaN and NaN^0 are
			}
			return math.Pow(x, y)
		}
	}
	return math.NaN()
}

func randomExpr(r *rand.Rand, vars []sampled, depth int) Expr {
	if depth == 0 || r.IntN(5) == 0 {
		if r.IntN(3) == 0 {
			return &Num{Value: []float64{-2, -1, -0.5, 0, 0.5, 1, 2, 3}[r.IntN(8)]}
		}
		return &Ref{Var: vars[r.IntN(len(vars))].v}
	}
	if r.IntN(3) == 0 {
		return &App{Fn: []string{"exp", "log", "sqrt", "abs", "logistic", "Phi"}[r.IntN(6)], X: randomExpr(r, vars, depth-1)}
	}
	return &Bin{Op: "+-*/^"[r.IntN(5)], L: randomExpr(r, vars, depth-1), R: randomExpr(r, vars, depth-1)}
}

// TestIntervalsHold evaluates random expressions at random values inside the supports: every finite value must lie in the
// interval. Rounding may touch an open end, never pass it by more than a few units in the last place.
func TestIntervalsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vars := sampledVars()
	checked, informative := 0, 0
	for range 20000 {
		e := randomExpr(r, vars, 3)
		in := rangeOf(e)
		if !math.IsInf(in.lo, -1) || !math.IsInf(in.hi, 1) {
			informative++
		}
		for range 5 {
			at := map[*Var]float64{}
			for _, s := range vars {
				at[s.v] = s.draw(r)
			}
			x := scalarValue(e, at)
			if x != x {
				continue
			}
			checked++
			slack := 1e-9 * (1 + math.Abs(x))
			if x < in.lo-slack || x > in.hi+slack || in.whole && x != math.Trunc(x) && math.Abs(x) < 1e15 {
				t.Fatalf("%s is %v at %v, outside %+v", ExprString(e), x, at, in)
			}
		}
	}
	if checked < 10000 || informative < 5000 {
		t.Errorf("only %d values checked, %d intervals informative", checked, informative)
	}
}

// TestAboveDim checks what is provably greater than P - 1.
func TestAboveDim(t *testing.T) {
	p, q := &Plate{Name: "P"}, &Plate{Name: "Q"}
	size := &SizeOf{Plate: p}
	num := func(x float64) Expr { return &Num{Value: x} }
	bin := func(op byte, l, r Expr) Expr { return &Bin{Op: op, L: l, R: r} }
	ref := func(s Support) Expr { return &Ref{Var: &Var{Name: "v", Support: s}} }
	for _, c := range []struct {
		e    Expr
		want bool
	}{
		{size, true},
		{bin('+', size, num(2)), true},
		{bin('-', size, num(0.5)), true},
		{bin('-', size, num(1)), false},
		{bin('*', num(2), size), true},
		{num(10), false},
		{&SizeOf{Plate: q}, false},
		{bin('+', size, ref(Support{Lo: num(0)})), true},
		{bin('+', size, ref(Support{})), false},
		{ref(Support{Lo: bin('-', size, num(1))}), true},
		{ref(Support{Lo: bin('-', size, num(1)), LoClosed: true}), false},
		{ref(Support{Lo: num(0)}), false},
		{bin('+', ref(Support{Lo: bin('-', size, num(1))}), num(3)), true},
	} {
		if got := aboveDim(c.e, p); got != c.want {
			t.Errorf("%s > P - 1: %v, want %v", ExprString(c.e), got, c.want)
		}
	}
}
