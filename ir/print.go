// This file holds the dump of a typed model, in a notation close to the language: what the goldens show.

package ir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// String dumps the model: plates, variables with axes, types and supports, then factors with canonical parameters.
func (m *Model) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "model %s\n\n", m.Name)
	for _, p := range m.Plates {
		fmt.Fprintf(&b, "plate %s", p.Name)
		switch {
		case p.Over != nil:
			fmt.Fprintf(&b, "[%s]", p.Over.Name)
		case p.Unbounded:
			b.WriteString(" : unbounded")
		case p.DefaultSize() != "":
			fmt.Fprintf(&b, " = %s", p.DefaultSize())
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	for _, v := range m.Vars {
		fmt.Fprintf(&b, "%s\n", v.describe())
	}
	if len(m.Factors) > 0 {
		b.WriteByte('\n')
	}
	for _, f := range m.Factors {
		fmt.Fprintf(&b, "%s%s\n", over(f.Over), f.statement())
	}
	for _, k := range m.Constraints {
		fmt.Fprintf(&b, "%s%s\n", over(k.Over), k.statement())
	}
	if len(m.Collapse) > 0 {
		fmt.Fprintf(&b, "\ncollapse %s\n", varNames(m.Collapse))
	}
	for _, k := range m.Blocks {
		fmt.Fprintf(&b, "\nblock (%s)\n", varNames(k.Vars))
	}
	if len(m.Monitor) > 0 {
		var s []string
		for _, r := range m.Monitor {
			s = append(s, ExprString(r))
		}
		fmt.Fprintf(&b, "\nmonitor %s\n", strings.Join(s, ", "))
	}
	for _, v := range m.Vars {
		if k := m.Kernels[v]; k != "" {
			fmt.Fprintf(&b, "\nkernel %s : %s\n", v.Name, k)
		}
	}
	if m.Batch != nil {
		fmt.Fprintf(&b, "\nbatch over %s\n", m.Batch.Name)
	}
	return b.String()
}

func varNames(vs []*Var) string {
	var s []string
	for _, v := range vs {
		s = append(s, v.Name)
	}
	return strings.Join(s, ", ")
}

func (v *Var) describe() string {
	s := fmt.Sprintf("%s %s", v.Role, v.Name)
	if n := len(v.Axes); n > 0 {
		var axes []string
		for i, p := range v.Axes {
			if i == n-v.Event {
				axes = append(axes, "| "+p.Name)
			} else {
				axes = append(axes, p.Name)
			}
		}
		s += "[" + strings.ReplaceAll(strings.Join(axes, ", "), ", | ", " | ") + "]"
	}
	if v.Role == dsl.Let {
		def := "?"
		if v.Def != nil {
			def = ExprString(v.Def)
		}
		if len(v.Params) > 0 {
			return s + " = " + strings.TrimSuffix(over(v.Params), ": ") + " -> " + def
		}
		return s + " = " + def
	}
	s += " : " + v.supportString()
	if v.Default != nil {
		s += " = " + ExprString(v.Default)
	}
	return s
}

func (v *Var) supportString() string {
	s := v.Support
	kind := map[SupportKind]string{Line: "real", Simplex: "simplex", SPD: "cov", Binary: "bool", Counts: "int"}[s.Kind]
	if s.Kind == Finite {
		return v.Type.Of.Name
	}
	if s.Ordered {
		kind = "ordered"
	}
	switch {
	case s.Kind == Counts:
		lo, hi := "0", "∞"
		if s.Lo != nil {
			lo = ExprString(s.Lo)
		}
		if s.Hi != nil {
			hi = ExprString(s.Hi)
		}
		return kind + " " + lo + ".." + hi
	case s.Lo == nil && s.Hi == nil:
		return kind
	}
	lo, hi := "(-∞", "∞)"
	if s.Lo != nil {
		lo = "(" + ExprString(s.Lo)
		if s.LoClosed {
			lo = "[" + lo[1:]
		}
	}
	if s.Hi != nil {
		hi = ExprString(s.Hi) + ")"
		if s.HiClosed {
			hi = hi[:len(hi)-1] + "]"
		}
	}
	return kind + " in " + lo + ", " + hi
}

func over(bs []Binder) string {
	if len(bs) == 0 {
		return ""
	}
	var s []string
	for _, b := range bs {
		s = append(s, b.String())
	}
	return strings.Join(s, ", ") + ": "
}

// String writes a binder as a spec would.
func (b Binder) String() string {
	plate := b.Plate.Name
	if len(b.Of) > 0 {
		plate += "[" + indexList(b.Of) + "]"
	}
	s := b.Name + " in " + plate
	switch {
	case b.Lo > 0 && b.Hi < 0:
		s += fmt.Sprintf(" if %d < %s <= %s - %d", b.Lo, b.Name, plate, -b.Hi)
	case b.Lo > 0:
		s += fmt.Sprintf(" if %s > %d", b.Name, b.Lo)
	case b.Hi < 0:
		s += fmt.Sprintf(" if %s <= %s - %d", b.Name, plate, -b.Hi)
	}
	return s
}

func (f *Factor) statement() string {
	var args []string
	for i, a := range f.Args {
		s := ExprString(a)
		if p := f.Dist.Params[i]; p.Named {
			s = p.Name + " = " + s
		}
		args = append(args, s)
	}
	s := fmt.Sprintf("%s ~ %s(%s)", ExprString(f.X), f.Dist.Name, strings.Join(args, ", "))
	if f.Lo != nil || f.Hi != nil {
		lo, hi := "-∞", "∞"
		if f.Lo != nil {
			lo = ExprString(f.Lo)
		}
		if f.Hi != nil {
			hi = ExprString(f.Hi)
		}
		s += fmt.Sprintf(" truncated to (%s, %s)", lo, hi)
	}
	return s
}

func (k *Constraint) statement() string {
	if k.Cuts != nil {
		return fmt.Sprintf("%s = cut(%s, %s)", ExprString(k.Y), ExprString(k.L), ExprString(k.Cuts))
	}
	op := ">"
	if k.Less {
		op = "<"
	}
	return fmt.Sprintf("%s = (%s %s %s)", ExprString(k.Y), ExprString(k.L), op, ExprString(k.R))
}

// ExprString writes an expression as a spec would, with as few parentheses as its meaning needs.
func ExprString(e Expr) string { return exprString(e, 0) }

// Precedence: 1 for + and -, 2 for * and /, 3 for a leading minus, 4 for ^, 5 for what needs no parentheses.
func exprString(e Expr, outer int) string {
	paren := func(prec int, s string) string {
		if prec < outer {
			return "(" + s + ")"
		}
		return s
	}
	switch e := e.(type) {
	case *Num:
		s := strconv.FormatFloat(e.Value, 'g', -1, 64)
		if e.Value < 0 {
			return paren(3, s)
		}
		return s
	case *Ref:
		if len(e.Idx) == 0 {
			return e.Var.Name
		}
		return e.Var.Name + "[" + indexList(e.Idx) + "]"
	case *SizeOf:
		if len(e.Of) == 0 {
			return e.Plate.Name
		}
		return e.Plate.Name + "[" + indexList(e.Of) + "]"
	case *IndexVal:
		if e.Index.Add != 0 {
			return paren(1, e.Index.String())
		}
		return e.Index.String()
	case *Bin:
		switch e.Op {
		case '+':
			return paren(1, exprString(e.L, 1)+" + "+exprString(e.R, 1))
		case '-':
			return paren(1, exprString(e.L, 1)+" - "+exprString(e.R, 2))
		case '*':
			if n, ok := e.L.(*Num); ok && n.Value == -1 {
				return paren(3, "-"+exprString(e.R, 4))
			}
			return paren(2, exprString(e.L, 2)+" * "+exprString(e.R, 2))
		case '/':
			return paren(2, exprString(e.L, 2)+" / "+exprString(e.R, 3))
		}
		return paren(4, exprString(e.L, 5)+"^"+exprString(e.R, 4))
	case *App:
		return e.Fn + "(" + ExprString(e.X) + ")"
	case *Dot:
		return "dot(" + ExprString(e.A) + ", " + ExprString(e.B) + ")"
	case *Sum:
		return "sum(" + e.Over.String() + ", " + ExprString(e.Body) + ")"
	case *Fill:
		if len(e.Plate) == 2 {
			id := "identity(" + e.Plate[0].Name + ")"
			if n, ok := e.X.(*Num); ok && n.Value == 1 {
				return id
			}
			return paren(2, exprString(e.X, 2)+" * "+id)
		}
		return "fill(" + ExprString(e.X) + ", " + e.Plate[0].Name + ")"
	case *lam:
		return "(" + e.over.String() + ": " + ExprString(e.body) + ")"
	}
	return "?"
}
