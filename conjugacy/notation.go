// This file holds the algebra in the field's notation: Σₙ [z[n] = k]·x[n], ½, squares and quotients, and indices under the
// names that the spec gives them, counted from 1.

package conjugacy

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gibbsgen/gibbsgen/ir"
)

// A Notation prints polynomials of one conditional, or of one accumulator. The new value $t is printed as the target
// itself, mu[k]; free names as the indices that the spec declares; bound names by the customary index of their plate, with a
// prime where that is in use already.
//
// A product is written as numbers, factors that the sums around it leave alone, sums, guards, factors, quotient:
//
//	-½·m Σₙ [z[n] = k]·x[n] / s2[k]
//
// so a sum reaches to the end of its term.
type Notation struct {
	model  *ir.Model
	target *Target
	names  map[string]name // of the algebra -> printed
}

// A name is an index as printed, and what it runs over.
type name struct {
	text  string
	plate *ir.Plate // nil if unknown
}

// NewNotation returns the notation of the conditional of t (nil if $t does not occur), in which the names of params are
// free besides the indices of t and the positions #1, #2 of its block.
func NewNotation(m *ir.Model, t *Target, params ...ir.Bind) *Notation {
	n := &Notation{model: m, target: t, names: map[string]name{}}
	if t != nil {
		for i, j := range t.J {
			if j.Name != "" {
				n.declare(j.Name, declaredIndex(m, t.Var, i), t.Var.Axes[i])
			}
		}
		customary := map[string]bool{} // left to the sums, so that fewer need primes
		for _, p := range m.Plates {
			customary[indexName(m, p)] = true
		}
		for i, axis := range append(slices.Clone(t.T.Axes), t.T.Axes...) {
			text := "i"
			for (n.taken(text) || customary[text]) && text < "z" {
				text = string(text[0] + 1)
			}
			for n.taken(text) {
				text += "′"
			}
			n.names["#"+strconv.Itoa(i+1)] = name{text, axis}
		}
	}
	for _, b := range params {
		n.declare(b.Name, indexName(m, b.Plate), b.Plate)
	}
	return n
}

// declare adds a name, printed as text or that with primes.
func (n *Notation) declare(algebra, text string, plate *ir.Plate) {
	for n.taken(text) {
		text += "′"
	}
	n.names[algebra] = name{text, plate}
}

func (n *Notation) taken(text string) bool {
	for _, x := range n.names {
		if x.text == text {
			return true
		}
	}
	return false
}

// within returns the notation inside sums over these binders.
func (n *Notation) within(binders []ir.Bind) *Notation {
	if len(binders) == 0 {
		return n
	}
	in := &Notation{model: n.model, target: n.target, names: map[string]name{}}
	for k, v := range n.names {
		in.names[k] = v
	}
	for _, b := range binders {
		delete(in.names, b.Name)
		in.declare(b.Name, indexName(n.model, b.Plate), b.Plate)
	}
	return in
}

// declaredIndex returns the name of v's i-th index in the first statement that gives it one.
func declaredIndex(m *ir.Model, v *ir.Var, i int) string {
	if i < len(v.Params) && v.Params[i].Name != "" {
		return v.Params[i].Name
	}
	for _, f := range m.Factors {
		if f.X.Var == v && i < len(f.X.Idx) && f.X.Idx[i].Name != "" && f.X.Idx[i].Add == 0 {
			return f.X.Idx[i].Name
		}
	}
	return indexName(m, v.Axes[i])
}

// indexName returns the customary index of a plate: the first that the spec uses for it, else the first letter of its name.
func indexName(m *ir.Model, p *ir.Plate) string {
	for _, f := range m.Factors {
		for _, b := range f.Over {
			if b.Plate == p && !strings.ContainsAny(b.Name, "'~") {
				return b.Name
			}
		}
	}
	for _, v := range m.Vars {
		for _, b := range v.Params {
			if b.Plate == p && !strings.ContainsAny(b.Name, "'~") {
				return b.Name
			}
		}
	}
	return ir.FreshName(p, nil)
}

// Poly prints a sum, terms without sums and accumulators first.
func (n *Notation) Poly(p ir.Poly) string {
	p = flatten(p)
	if len(p) == 0 {
		return "0"
	}
	p = slices.Clone(p)
	sort.SliceStable(p, func(i, j int) bool { return rank(p[i]) < rank(p[j]) })
	var b strings.Builder
	for i, t := range p {
		negative, text := n.term(t)
		switch {
		case i == 0 && negative:
			b.WriteString("-")
		case negative:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		}
		b.WriteString(text)
	}
	return b.String()
}

// flatten opens a closed sum that is a term by itself, so that c·(a + b) and what stands beside it merge.
func flatten(p ir.Poly) ir.Poly {
	var out ir.Poly
	for _, t := range p {
		if len(t.Over)+len(t.Guards) == 0 && len(t.F) == 1 && t.F[0].A.Fn == ir.ClosedAtom && t.F[0].P == 1 {
			out = append(out, flatten(t.F[0].A.Args[0]).Scale(t.C)...)
			continue
		}
		out = append(out, t)
	}
	return out.Merge()
}

// rank orders the terms of a sum for reading: light ones first, then accumulators, then sums; numbers after names, and no
// minus in front if it can be helped.
func rank(t ir.Term) int {
	r := 0
	switch {
	case len(t.Over) > 0:
		r = 8
	case slices.ContainsFunc(t.F, func(f ir.Fac) bool { return f.A.Fn == ir.AccAtom }):
		r = 4
	case len(t.F) == 0:
		r = 1
	}
	if t.C < 0 {
		r += 2
	}
	return r
}

// Term prints one term with its sign.
func (n *Notation) Term(t ir.Term) string {
	negative, text := n.term(t)
	if negative {
		return "-" + text
	}
	return text
}

func (n *Notation) term(t ir.Term) (negative bool, text string) {
	in := n.within(t.Over)
	var lead, inside, under []string
	for _, g := range t.Guards {
		inside = append(inside, in.guard(g))
	}
	var logs []string // last, so that none seems to reach over what follows it
	for _, f := range t.F {
		s := in.power(f.A, math.Abs(f.P))
		switch {
		case f.P < 0:
			under = append(under, s)
		case len(t.Over) > 0 && !dependsOn(f.A, t.Over):
			lead = append(lead, s)
		case strings.HasPrefix(s, "log ") || strings.HasPrefix(s, "log("):
			logs = append(logs, s)
		default:
			inside = append(inside, s)
		}
	}
	inside = append(inside, logs...)
	c := math.Abs(t.C)
	var sums []string
	scope := n
	for _, b := range t.Over {
		scope = scope.within([]ir.Bind{b})
		sums = append(sums, scope.sum("Σ", b))
	}
	if c != 1 {
		lead = slices.Insert(lead, 0, Number(c))
	}
	if len(sums) > 0 {
		if len(inside) == 0 {
			inside = []string{"1"}
		}
		text = strings.Join(sums, " ") + " " + strings.Join(inside, "·")
		if len(lead) > 0 {
			text = strings.Join(lead, "·") + " " + text
		}
	} else {
		text = strings.Join(append(lead, inside...), "·")
	}
	if text == "" {
		text = "1"
	}
	switch len(under) {
	case 0:
	case 1:
		text += " / " + under[0]
	default:
		text += " / (" + strings.Join(under, "·") + ")"
	}
	return t.C < 0, text
}

func dependsOn(a *ir.Atom, binders []ir.Bind) bool {
	free := a.Free()
	return slices.ContainsFunc(binders, func(b ir.Bind) bool { return free[b.Name] })
}

// sum prints Σₙ or ∏ₙ for a binder that is declared in n: with its range where it is not the whole plate.
func (n *Notation) sum(sign string, b ir.Bind) string {
	x := n.names[b.Name].text
	var conditions []string
	if len(b.Of) > 0 {
		of := n.ixs(b.Of)
		if b.Plate.Over == nil || of != indexName(n.model, b.Plate.Over) {
			conditions = append(conditions, x+" in "+b.Plate.Name+"["+of+"]")
		}
	}
	conditions = append(conditions, rangeOf(x, b.Plate, b.Lo, b.Hi)...)
	return sign + subscript(x, conditions)
}

// rangeOf states Lo and Hi, 1-based: t > 1, t < T.
func rangeOf(x string, plate *ir.Plate, lo, hi int) (out []string) {
	if lo > 0 {
		out = append(out, x+">"+strconv.Itoa(lo))
	}
	switch {
	case hi == -1:
		out = append(out, x+"<"+plate.Name)
	case hi < 0:
		out = append(out, x+"≤"+plate.Name+strconv.Itoa(hi))
	}
	return out
}

var subscripts = strings.NewReplacer("a", "ₐ", "e", "ₑ", "h", "ₕ", "i", "ᵢ", "j", "ⱼ", "k", "ₖ", "l", "ₗ", "m", "ₘ", "n", "ₙ",
	"o", "ₒ", "p", "ₚ", "r", "ᵣ", "s", "ₛ", "t", "ₜ", "u", "ᵤ", "v", "ᵥ", "x", "ₓ")

// subscript prints an index below a sum sign: ₙ where Unicode has the letter, _d or _{t>1} where not.
func subscript(x string, conditions []string) string {
	if len(conditions) > 0 {
		return "_{" + strings.Join(conditions, ", ") + "}"
	}
	letter := strings.TrimRight(x, "′")
	if len(letter) == 1 {
		if s := subscripts.Replace(letter); s != letter {
			return s + x[len(letter):]
		}
		return "_" + x
	}
	return "_{" + x + "}"
}

// Number prints a coefficient: ½, 3/2, 0.01, 1/9.
func Number(c float64) string {
	switch c {
	case 0.5:
		return "½"
	case 0.25:
		return "¼"
	case 0.75:
		return "¾"
	}
	if h := 2 * c; h == math.Trunc(h) && c != math.Trunc(c) && math.Abs(h) < 1000 {
		return strconv.FormatFloat(h, 'f', 0, 64) + "/2"
	}
	if s := strconv.FormatFloat(c, 'g', -1, 64); len(s) > 8 { // not a short decimal: perhaps a fraction
		for q := 3.0; q < 100; q++ {
			if p := math.Round(c * q); p != 0 && p/q == c && math.Abs(p) < 1000 {
				return strconv.FormatFloat(p, 'f', 0, 64) + "/" + strconv.FormatFloat(q, 'f', 0, 64)
			}
		}
	}
	if a := math.Abs(c); a >= 1e-6 && a < 1e12 {
		return strconv.FormatFloat(c, 'f', -1, 64)
	}
	return strconv.FormatFloat(c, 'g', -1, 64)
}

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "-", "⁻")

// Power prints base^p: base², √base, base⁻¹.
func Power(base string, p float64) string {
	switch {
	case p == 1:
		return base
	case p == 0.5:
		return "√" + base
	case p == math.Trunc(p) && math.Abs(p) < 100:
		return base + superscripts.Replace(strconv.Itoa(int(p)))
	}
	s := Number(p)
	if utf8.RuneCountInString(s) > 1 {
		s = "(" + s + ")"
	}
	return base + "^" + s
}

func (n *Notation) power(a *ir.Atom, p float64) string {
	s := n.atom(a)
	if p != 1 && (a.Fn == ir.LogDetAtom || a.Fn == ir.CallAtom && a.Name != "abs") {
		s = "(" + s + ")"
	}
	return Power(s, p)
}

var functions = map[string]string{"lgamma": "log Γ", "Phi": "Φ", "logPhi": "log Φ", "loglogistic": "log logistic"}

func (n *Notation) atom(a *ir.Atom) string {
	switch a.Fn {
	case ir.RefAtom:
		name, ix := n.place(a)
		return name + brackets(ix)
	case ir.InvAtom:
		name, ix := n.place(a)
		k := max(0, len(ix)-2)
		return name + brackets(ix[:k]) + "⁻¹" + brackets(ix[k:])
	case ir.LogDetAtom:
		name, ix := n.place(a)
		return "log|" + name + brackets(ix) + "|"
	case ir.SizeAtom:
		return a.Plate.Name + brackets(n.each(a.Ix))
	case ir.IndexAtom:
		return n.ixs(a.Ix)
	case ir.AccAtom:
		return a.Name + brackets(n.each(a.Ix))
	case ir.ClosedAtom:
		return "(" + n.Poly(a.Args[0]) + ")"
	}
	args := make([]string, len(a.Args))
	for i, p := range a.Args {
		args[i] = n.Poly(p)
	}
	arg := strings.Join(args, "; ")
	if a.Name == "abs" {
		return "|" + arg + "|"
	}
	fn := a.Name
	if f := functions[fn]; f != "" {
		fn = f
	}
	if a.Name == "log" && plain(a.Args[0]) {
		return "log " + arg
	}
	if strings.HasPrefix(arg, "(") && len(a.Args) == 1 && len(a.Args[0]) == 1 && len(a.Args[0][0].F) == 1 && a.Args[0][0].F[0].P == 1 && a.Args[0][0].C == 1 {
		return fn + arg
	}
	return fn + "(" + arg + ")"
}

// plain reports whether p is a variable, an accumulator or a size by itself.
func plain(p ir.Poly) bool {
	return len(p) == 1 && p[0].C == 1 && len(p[0].Over)+len(p[0].Guards) == 0 && len(p[0].F) == 1 && p[0].F[0].P == 1 &&
		(p[0].F[0].A.Fn == ir.RefAtom || p[0].F[0].A.Fn == ir.AccAtom || p[0].F[0].A.Fn == ir.SizeAtom)
}

// place returns the name of the variable that a stands for, and its indices: those of the target itself for $t.
func (n *Notation) place(a *ir.Atom) (name string, ix []string) {
	ix = n.each(a.Ix)
	if n.target == nil || a.Var != n.target.T {
		return a.Var.Name, ix
	}
	var full []string
	for i, block := range n.target.Block {
		switch {
		case !block:
			full = append(full, n.ix(n.target.J[i]))
		case len(ix) > 0:
			full = append(full, ix[0])
			ix = ix[1:]
		}
	}
	return n.target.Var.Name, full
}

// Target prints the target: mu[k]; a block stands without the indices drawn jointly, unless it has others: beta[k].
func (n *Notation) Target() string {
	var ix []string
	for i, block := range n.target.Block {
		if block && slices.Contains(n.target.Block[i:], false) {
			ix = append(ix, "·") // an axis drawn jointly before one that is not
		} else if !block {
			ix = append(ix, n.ix(n.target.J[i]))
		}
	}
	return n.target.Var.Name + brackets(ix)
}

func brackets(ix []string) string {
	if len(ix) == 0 {
		return ""
	}
	return "[" + strings.Join(ix, ", ") + "]"
}

func (n *Notation) ixs(ix []ir.Ix) string { return strings.Join(n.each(ix), ", ") }

func (n *Notation) each(ix []ir.Ix) []string {
	out := make([]string, len(ix))
	for i, x := range ix {
		out[i] = n.ix(x)
	}
	return out
}

// ix prints an index as a user counts, from 1.
func (n *Notation) ix(x ir.Ix) string {
	var s string
	switch {
	case x.Cat != nil:
		s = n.atom(x.Cat)
	case x.Name == "":
		return strconv.Itoa(x.Add + 1)
	default:
		s = n.names[x.Name].text
		if s == "" {
			s = strings.TrimRight(x.Name, "'")
		}
	}
	switch {
	case x.Add > 0:
		s += "+" + strconv.Itoa(x.Add)
	case x.Add < 0:
		s += strconv.Itoa(x.Add)
	}
	return s
}

// guard prints an Iverson bracket.
func (n *Notation) guard(g ir.Guard) string {
	l, r := n.each(g.L), n.each(g.R)
	switch g.Rel {
	case ir.Eq:
		var eqs []string
		for i := range l {
			if g.L[i].Cat == nil && (g.R[i].Cat != nil || g.L[i].Name == "") { // the category first, numbers last: [z[n] = k]
				l[i], r[i] = r[i], l[i]
			}
			eqs = append(eqs, l[i]+" = "+r[i])
		}
		return "[" + strings.Join(eqs, ", ") + "]"
	case ir.Ne:
		if len(l) == 1 {
			return "[" + l[0] + " ≠ " + r[0] + "]"
		}
		return "[(" + strings.Join(l, ", ") + ") ≠ (" + strings.Join(r, ", ") + ")]"
	}
	return "[" + n.inRange(g) + "]"
}

// inRange prints that an index lies in its plate, leaving out the side that cannot fail.
func (n *Notation) inRange(g ir.Guard) string {
	x, base := g.L[0], g.L[0]
	base.Add = 0
	var over *ir.Plate // what the index runs over before it is shifted
	if x.Cat != nil {
		over = x.Cat.Var.Type.Of
	} else {
		over = n.names[x.Name].plate
	}
	whole := over == g.Plate
	s, lo, hi := n.ix(base), g.Lo-x.Add, g.Hi-x.Add
	size := g.Plate.Name + brackets(n.each(g.Of))
	var out []string
	if !whole || lo > 0 {
		out = append(out, s+" > "+strconv.Itoa(lo))
	}
	if !whole || hi < 0 {
		switch {
		case hi == -1:
			out = append(out, s+" < "+size)
		case hi < 0:
			out = append(out, s+" ≤ "+size+strconv.Itoa(hi))
		case hi == 0:
			out = append(out, s+" ≤ "+size)
		default:
			out = append(out, s+" ≤ "+size+"+"+strconv.Itoa(hi))
		}
	}
	if len(out) == 0 {
		return s + " ≤ " + size
	}
	return strings.Join(out, ", ")
}
