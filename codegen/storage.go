// This file holds where generated code keeps things: the struct fields of plates, variables and accumulators, and how
// an element of one is addressed.
//
// Arrays are flat and row-major. A ragged plate's elements lie one parent after the other; wordsAt[d] is where those
// of parent d begin, and wordsAt has one entry more than the parent has elements.

package codegen

import (
	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A layout names everything that is stored.
type layout struct {
	model *ir.Model
	size  map[*ir.Plate]string // field of Sizes: N; of a ragged plate: its lengths WordsLen; of an unbounded one: State's number in use
	field map[*ir.Var]string   // field of Data, Hyper or State
	refs  map[*ir.Var]string   // field of a location's reference
	name  map[*ir.Var]string   // exported, and no other variable's, of whatever role
}

func newLayout(m *ir.Model) *layout {
	l := &layout{model: m, size: map[*ir.Plate]string{}, field: map[*ir.Var]string{}, refs: map[*ir.Var]string{}, name: map[*ir.Var]string{}}
	data := newNamer("Sizes") // sizes and data share the struct Data
	hyper, state := newNamer(), newNamer("Clone")
	all := newNamer()
	for _, p := range m.Plates {
		switch {
		case p.Unbounded: // the number in use is part of the state
			l.size[p] = state.exported(p.Name)
		case p.Over != nil:
			l.size[p] = data.fresh(data.exported(p.Name) + "Len")
		default:
			l.size[p] = data.exported(p.Name)
		}
	}
	for _, v := range m.Vars {
		l.name[v] = all.exported(v.Name)
		switch v.Role {
		case dsl.Const:
			l.field[v] = hyper.exported(v.Name)
		case dsl.Data:
			l.field[v] = data.exported(v.Name)
		case dsl.Global, dsl.Local:
			l.field[v] = state.exported(v.Name)
		}
	}
	return l
}

// inv and logDet name the fields of a matrix's inverse and of its log determinant.
func (l *layout) inv(v *ir.Var) string    { return "inv" + l.name[v] }
func (l *layout) logDet(v *ir.Var) string { return "logdet" + l.name[v] }

// goType returns the Go type of one element.
func goType(t ir.Type) *jen.Statement {
	switch t.Elem {
	case ir.Int:
		return jen.Int()
	case ir.Bool:
		return jen.Bool()
	case ir.Cat:
		return jen.Int32()
	}
	return jen.Float64()
}

// fieldType returns the Go type of the whole variable.
func fieldType(v *ir.Var) *jen.Statement {
	if len(v.Axes) == 0 {
		return goType(v.Type)
	}
	return jen.Index().Add(goType(v.Type))
}

// holder returns the Sampler's field that holds v: data, hyper or state.
func holder(v *ir.Var) string {
	switch v.Role {
	case dsl.Const:
		return "hyper"
	case dsl.Data:
		return "data"
	}
	return "state"
}

// A frame is a function body under construction: it collects statements and what it reads of the sampler, so that the
// function can begin with short local names for the arrays and scalars it uses.
type frame struct {
	l      *layout
	uses   []use
	byName map[string]bool // local names in use
	byKey  map[string]string
	write  map[*ir.Var]bool  // scalars the body writes: always addressed through s
	path   map[string]string // expressions for s.data, s.hyper, s.state where they go by other names
	live   bool              // the body changes the number in use of unbounded plates: it and what grows with it likewise
}

type use struct {
	local string
	code  *jen.Statement
}

func newFrame(l *layout, params ...string) *frame {
	f := &frame{l: l, byName: map[string]bool{}, byKey: map[string]string{}, write: map[*ir.Var]bool{}}
	for _, p := range params {
		f.byName[p] = true
	}
	return f
}

// local returns a fresh local name.
func (f *frame) local(name string) string {
	name = localName(name)
	out := name
	for i := 2; f.byName[out]; i++ {
		out = name + itoa(i)
	}
	f.byName[out] = true
	return out
}

// own returns a fresh local name for a variable of the generator's own; it may be one that a spec's names are kept from.
func (f *frame) own(name string) string {
	out := name
	for i := 2; f.byName[out]; i++ {
		out = name + itoa(i)
	}
	f.byName[out] = true
	return out
}

// get returns the local name that stands for code throughout the function.
func (f *frame) get(key, name string, code *jen.Statement) ex {
	if l, ok := f.byKey[key]; ok {
		return id(l)
	}
	l := f.local(name)
	f.byKey[key] = l
	f.uses = append(f.uses, use{l, code})
	return id(l)
}

// prologue returns the declarations of the local names.
func (f *frame) prologue() []jen.Code {
	var out []jen.Code
	for _, u := range f.uses {
		out = append(out, jen.Id(u.local).Op(":=").Add(u.code))
	}
	return out
}

// variable returns the whole variable v.
func (f *frame) variable(v *ir.Var) ex {
	if name, ok := f.byKey["v:"+v.Name]; ok {
		return id(name)
	}
	code := f.held(holder(v)).Dot(f.l.field[v])
	if ref := f.l.refs[v]; ref != "" {
		return f.kept(ref, v.Axes)
	}
	if len(v.Axes) == 0 && f.write[v] || f.live && overUnbounded(v) {
		return raw(code)
	}
	return f.get("v:"+v.Name, v.Name, code)
}

// sizeOf returns the number of elements of a plate as an int; of holds the indices of a ragged one's parents.
func (f *frame) sizeOf(p *ir.Plate, of ...ex) ex {
	if p.Over != nil {
		at, parent := f.start(p), f.position(chainOf(p.Over), of)
		return sub(index(at, add(parent, intLit(1))), index(at, parent))
	}
	if p.Unbounded {
		code := jen.Id("s").Dot("state").Dot(f.l.size[p])
		if f.live {
			return raw(code)
		}
		return f.get("p:"+p.Name, p.Name, code)
	}
	return f.get("p:"+p.Name, p.Name, f.held("data").Dot(f.l.size[p]))
}

// held returns s.data, s.hyper or s.state, or what stands for it in this function.
func (f *frame) held(name string) *jen.Statement {
	if p := f.path[name]; p != "" {
		return jen.Id(p)
	}
	return jen.Id("s").Dot(name)
}

// chainOf returns a plate with all that it is ragged over, outermost first.
func chainOf(p *ir.Plate) []*ir.Plate {
	var ps []*ir.Plate
	for ; p != nil; p = p.Over {
		ps = append([]*ir.Plate{p}, ps...)
	}
	return ps
}

// start returns the offsets of a ragged plate.
func (f *frame) start(p *ir.Plate) ex {
	return f.get("at:"+p.Name, p.Name+"At", jen.Id("s").Dot(startField(p)))
}

func startField(p *ir.Plate) string { return localName(p.Name) + "At" }

// offset returns the flat position of the element at ix in an array over the plates (fewer indices than plates: where
// that row begins).
func (f *frame) offset(plates []*ir.Plate, ix []ex) ex {
	off := intLit(0)
	for i := 0; i < len(plates); {
		j := i + chainLen(plates[i:])
		if !off.isNum || off.num != 0 { // what is named has to be used
			off = mul(off, f.total(plates[i:j]))
		}
		if i < len(ix) {
			off = add(off, f.position(plates[i:j], ix[i:min(j, len(ix))]))
		}
		i = j
	}
	return off
}

// chainLen returns how many of the first plates make one flat axis: a plate and those ragged over it.
func chainLen(plates []*ir.Plate) int {
	n := 1
	for n < len(plates) && plates[n].Over == plates[n-1] {
		n++
	}
	return n
}

// position returns the flat position along a plate and those ragged over it.
func (f *frame) position(chain []*ir.Plate, ix []ex) ex {
	pos := ix[0]
	for k, p := range chain[1:] {
		pos = index(f.start(p), pos)
		if k+1 < len(ix) {
			pos = add(pos, ix[k+1])
		}
	}
	return pos
}

// total returns the number of elements of an array over the plates.
func (f *frame) total(plates []*ir.Plate) ex {
	out := intLit(1)
	for i := 0; i < len(plates); {
		j := i + chainLen(plates[i:])
		if p := plates[j-1]; p.Over != nil {
			at := f.start(p)
			out = mul(out, index(at, sub(call("", "len", at), intLit(1))))
		} else {
			out = mul(out, f.sizeOf(p))
		}
		i = j
	}
	return out
}

// element returns v[ix] in its Go type.
func (f *frame) element(v *ir.Var, ix []ex) ex {
	if len(v.Axes) == 0 {
		return f.variable(v)
	}
	return index(f.variable(v), f.offset(v.Axes, ix))
}

// real returns an element as a float64.
func asReal(t ir.Type, e ex) ex {
	switch t.Elem {
	case ir.Real:
		return e
	case ir.Bool:
		return call(runtimePath, "Indicator", e)
	}
	return call("", "float64", e)
}
