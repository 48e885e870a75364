// This file picks scalars of a sampler's state that label switching leaves alone. Where nothing but their numbers tells the
// components of a mixture apart, chains and draws number them differently: then the mean of component 1 says nothing, and that
// of the least component does.

package runtime

import (
	"math"
	"slices"
)

// An Exchangeable is a plate whose elements can be renumbered without a change to the joint density.
type Exchangeable struct {
	Plate string
	Size  int // number of elements; of an unbounded plate, of those in use
	// Members says how many categories are each of the elements, where the sampler keeps that count: a view, valid until the next
	// update. Else it is nil.
	Members []float64
}

// An Exchanger is a sampler that says which of its plates are exchangeable; generated ones do, as the compiler proves it from the
// spec.
type Exchanger interface {
	// Exchangeable returns the same slice every time, and allocates at its first call only.
	Exchangeable() []Exchangeable
}

// Invariants are scalars of a chain's state that label switching leaves alone. The log joint is one, and not among them: it costs
// as much as a sweep, while these cost what looking at each global does, whatever the number of units.
type Invariants struct {
	shower    Shower
	exchanger Exchanger
	monitored Sampler // in place of a Shower
	names     []string
	groups    []invariantGroup
	scratch   []float64
}

// An invariantGroup is what is taken of one unknown, or of the sizes of one plate's categories.
type invariantGroup struct {
	kind    invariantKind
	unknown int
	plate   int   // among the exchangeable
	axis    int   // of the unknown, over that plate
	at      []int // which of the elements, or of the sorted ones
}

type invariantKind int

const (
	byElement  invariantKind = iota // the elements as they are
	bySorted                        // a number for each element of the plate, sorted
	byMean                          // the mean of that number over members: the plate has no fixed size
	byOccupied                      // how many elements of the plate have a member
	byOverlap                       // the probability that two members drawn with replacement are of one element
)

// NewInvariants picks at most that many scalars of the globals of s, on which s must be a [Shower] and, for there to be any
// exchangeable plate, an [Exchanger]:
//
//   - of a global over no such plate its elements;
//   - of one over such a plate a number for each of the plate's elements, sorted: the value if it is one, else the Euclidean norm of the
//     values (of a row of probabilities, say);
//   - for an unbounded plate the mean of these numbers over members in place of the sorted ones, since how many there are
//     changes from draw to draw;
//   - where members are counted, the number of elements that have any, and the sum of squared shares of members.
//
// If there are too many, each source gives equally many as far as it has them, evenly over its range. Of a sampler that is
// no Shower the monitored scalars are taken, unsorted.
func NewInvariants(s Sampler, most int) *Invariants {
	v := &Invariants{}
	v.exchanger, _ = s.(Exchanger)
	v.shower, _ = s.(Shower)
	if v.shower == nil {
		v.monitored = s
		names := s.Names()
		v.groups = []invariantGroup{{at: evenly(len(names), most)}}
		v.names = pickNames(names, v.groups[0].at)
		v.scratch = make([]float64, 0, len(names))
		return v
	}
	var plates []Exchangeable
	if v.exchanger != nil {
		plates = v.exchanger.Exchangeable()
	}
	var sizes []int
	add := func(g invariantGroup, size int) {
		v.groups = append(v.groups, g)
		sizes = append(sizes, size)
	}
	unknowns := v.shower.Unknowns()
	for p := range plates {
		if plates[p].Members != nil {
			add(invariantGroup{kind: byOccupied, plate: p}, 1)
			add(invariantGroup{kind: byOverlap, plate: p}, 1)
		} else if unboundedPlate(unknowns, plates[p].Plate) {
			add(invariantGroup{kind: byOccupied, plate: p}, 1)
		}
	}
	for i := range unknowns {
		u := &unknowns[i]
		if u.Local || slices.ContainsFunc(plates, func(e Exchangeable) bool { return e.Plate == u.Of.Plate }) {
			continue
		}
		g, size := invariantGroup{kind: byElement, unknown: i}, u.Len()
		for axis, d := range slices.Backward(u.Dims) {
			if p := slices.IndexFunc(plates, func(e Exchangeable) bool { return e.Plate == d.Plate }); p >= 0 {
				g.kind, g.plate, g.axis, size = bySorted, p, axis, d.Size
				if d.Unbounded {
					g.kind, size = byMean, 1
				}
			}
		}
		if g.kind == byElement || !slices.ContainsFunc(u.Dims, func(d Dim) bool { return d.At != nil }) {
			add(g, size)
		}
	}
	room := 0
	for k, n := range share(sizes, most) {
		g := &v.groups[k]
		g.at = evenly(sizes[k], n)
		if g.kind == bySorted {
			room = max(room, sizes[k])
		}
		v.names = append(v.names, g.label(unknowns, plates)...)
	}
	v.scratch = make([]float64, 0, room)
	return v
}

// Names returns the names of what Append appends, such as mu.1, sorted(mu).1, sorted(|beta|).1, mean(mu), occupied(clusters) and
// overlap(clusters).
func (v *Invariants) Names() []string { return v.names }

// Append appends the current values of what Names names. It allocates nothing once dst is long enough.
func (v *Invariants) Append(dst []float64) []float64 {
	if v.monitored != nil {
		v.scratch = v.monitored.AppendValues(v.scratch[:0])
		for _, i := range v.groups[0].at {
			dst = append(dst, v.scratch[i])
		}
		return dst
	}
	unknowns := v.shower.Unknowns()
	var plates []Exchangeable
	if v.exchanger != nil {
		plates = v.exchanger.Exchangeable()
	}
	for k := range v.groups {
		g := &v.groups[k]
		if len(g.at) == 0 {
			continue
		}
		switch g.kind {
		case byElement:
			for _, i := range g.at {
				dst = append(dst, unknowns[g.unknown].Value(i))
			}
		case bySorted:
			s := v.scratch[:unknowns[g.unknown].Dims[g.axis].Size]
			for i := range s {
				s[i] = unknowns[g.unknown].number(g.axis, i)
			}
			slices.Sort(s)
			for _, i := range g.at {
				dst = append(dst, s[i])
			}
		case byMean:
			dst = append(dst, memberMean(&unknowns[g.unknown], g.axis, plates[g.plate]))
		case byOccupied:
			dst = append(dst, float64(occupied(plates[g.plate])))
		case byOverlap:
			var n, squares float64
			for _, m := range plates[g.plate].Members {
				n += m
				squares += m * m
			}
			dst = append(dst, squares/(n*n))
		}
	}
	return dst
}

// number returns one number for the element at of the given axis: the value if there is one, else the norm of the values.
func (u *Unknown) number(axis, at int) float64 {
	inner, outer := 1, 1 // elements below and above the axis
	for k, d := range u.Dims {
		switch {
		case k < axis:
			outer *= d.Size
		case k > axis:
			inner *= d.Size
		}
	}
	if inner*outer == 1 {
		return u.Value(at)
	}
	var squares float64
	for o := range outer {
		first := (o*u.Dims[axis].Size + at) * inner
		if u.Real != nil { // as nearly all are, and large
			for _, x := range u.Real[first:][:inner] {
				squares += x * x
			}
			continue
		}
		for i := range inner {
			x := u.Value(first + i)
			squares += x * x
		}
	}
	return math.Sqrt(squares)
}

// memberMean returns the mean of the plate's numbers, each counted as often as it has members, or once where that is not known.
func memberMean(u *Unknown, axis int, plate Exchangeable) float64 {
	var sum, n float64
	for i := range u.Dims[axis].Size {
		weight := 1.0
		if plate.Members != nil {
			weight = plate.Members[i]
		}
		sum += weight * u.number(axis, i)
		n += weight
	}
	return sum / n
}

// occupied returns how many elements of the plate have a member.
func occupied(plate Exchangeable) int {
	if plate.Members == nil {
		return plate.Size
	}
	n := 0
	for _, m := range plate.Members {
		if m > 0 {
			n++
		}
	}
	return n
}

// label names the picked scalars of a group.
func (g *invariantGroup) label(unknowns []Unknown, plates []Exchangeable) []string {
	var out []string
	u := &unknowns[g.unknown]
	of := u.Name
	if len(u.Dims) > 1 {
		of = "|" + of + "|"
	}
	if len(g.at) == 0 {
		return nil
	}
	switch g.kind {
	case byElement:
		all := make([]string, 0, u.Len())
		ix := make([]int, len(u.Dims))
		_ = u.Walk(ix, func(int) error {
			all = append(all, ElementLabel(u.Name, ix...))
			return nil
		})
		out = pickNames(all, g.at)
	case bySorted:
		for _, i := range g.at {
			out = append(out, ElementLabel("sorted("+of+")", i))
		}
	case byMean:
		out = []string{"mean(" + of + ")"}
	case byOccupied:
		out = []string{"occupied(" + plates[g.plate].Plate + ")"}
	case byOverlap:
		out = []string{"overlap(" + plates[g.plate].Plate + ")"}
	}
	return out
}

// unboundedPlate reports whether the plate of that name is seen to have no fixed size.
func unboundedPlate(unknowns []Unknown, plate string) bool {
	return slices.ContainsFunc(unknowns, func(u Unknown) bool {
		return u.Of.Unbounded && u.Of.Plate == plate ||
			slices.ContainsFunc(u.Dims, func(d Dim) bool { return d.Unbounded && d.Plate == plate })
	})
}

// share divides most among sources of these sizes: each gets the same number as far as it has so many, the first ones before the
// others.
func share(sizes []int, most int) []int {
	out := make([]int, len(sizes))
	for given := true; given && most > 0; {
		given = false
		for k := range sizes {
			if out[k] < sizes[k] && most > 0 {
				out[k]++
				most--
				given = true
			}
		}
	}
	return out
}

// evenly returns n of 0, ..., size-1, ends included, in order; all if there are no more.
func evenly(size, n int) []int {
	n = min(n, size)
	out := make([]int, n)
	for i := range out {
		if n > 1 {
			out[i] = (i*(size-1) + (n-1)/2) / (n - 1)
		}
	}
	return out
}

func pickNames(names []string, at []int) []string {
	out := make([]string, len(at))
	for i, k := range at {
		out[i] = names[k]
	}
	return out
}
