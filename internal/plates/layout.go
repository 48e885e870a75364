// This file finds the places of nodes, plates and arrows, after Sugiyama, Tagawa & Toda (1981), level by level: what lies in a
// plate is laid out first, and the plate then takes part as one box in the level around it. On each level
//
//  1. arrows that would close a cycle between boxes are turned round, for the layout only;
//  2. each box goes to the layer below the last box that points at it, and what nothing points at goes right above what it points
//     at;
//  3. an arrow that passes a layer gets a place of its own there, so that it never runs across a box; one that leaves or enters a
//     plate gets a place on the plate's lower or upper side. A plate's name has a place in its last layer, beside the arrows;
//  4. the order in each layer is that of the mean places of neighbours, swept up and down, the order with fewest crossings kept;
//  5. the horizontal places are, layer by layer, the least-squares fit to those of neighbours among places that keep the order
//     and the gaps: an isotonic regression, by pooling adjacent violators.
//
// Arrows between layers are curves that stay between them, so that nothing overlaps but arrows that cross.

package plates

import (
	"math"
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
)

// Sizes of text, in points.
const (
	NameSize   = 12.0
	DetailSize = 9.5
)

// Distances, in points.
const (
	nodePad   = 12.0 // beside a node's text
	nodeHigh  = 24.0 // a node of one line; another line adds lineHigh
	lineHigh  = 12.0
	loopWide  = 16.0
	gapX      = 14.0 // between boxes of a layer
	gapArrow  = 10.0 // between an arrow that passes and its neighbour
	gapY      = 22.0 // between layers, and more for arrows that go far aside
	platePad  = 10.0
	labelHigh = 16.0
	margin    = 4.0 // around the diagram
)

type builder struct {
	model   *ir.Model
	measure func(string, float64) float64
	nodes   map[*ir.Var]*leaf
	root    *group
	edges   []*edge
	diagram *Diagram
}

// A leaf is a node with the plate that it lies in.
type leaf struct {
	node   *Node
	parent *group
}

// A group is a plate with what lies in it; the root is the whole diagram.
type group struct {
	of            *ir.Plate
	parent        *group
	depth         int
	plate         *Plate
	items         []*item
	width, height float64
	at            Point // upper left corner in the diagram, once all is laid out

	layers [][]*item
	chains map[*edge][]*item // the places of each arrow on this level, from above
	tops   []float64         // of the layers
	highs  []float64         // heights of the layers
}

// An item is what has a place in a layer: a node, a plate, an arrow that passes (or a place on the plate's side where one does), or
// the plate's name.
type item struct {
	leaf  *leaf
	group *group
	edge  *edge
	label bool

	layer         int
	width, height float64
	x             float64 // left side, within the group
	order         float64 // where its neighbours would have it
}

// An edge is an arrow, as the layout has it: from above to below.
type edge struct {
	*Edge
	from, to *leaf
	turned   bool
	lca      *group
}

// above returns the side from which the layout starts.
func (e *edge) ends() (upper, lower *leaf) {
	if e.turned {
		return e.to, e.from
	}
	return e.from, e.to
}

func (b *builder) layout() {
	for _, e := range b.edges {
		e.lca = common(e.from.parent, e.to.parent)
	}
	b.orient(b.root)
	fewest := math.MaxInt
	var best func()
	for range 4 { // each turn knows from the one before where arrows come from
		crossings := b.place(b.root)
		b.settle(b.root, Point{margin, margin})
		for _, e := range b.edges {
			e.Path = b.path(e)
		}
		if crossings < fewest {
			fewest, best = crossings, b.remember()
		}
	}
	best()
}

// remember returns what brings the layout as it is now into the diagram.
func (b *builder) remember() func() {
	d := *b.diagram
	d.Width, d.Height = b.root.width+2*margin, b.root.height+2*margin
	d.Plates = plates(b.root)
	nodes := make([]Node, len(d.Nodes))
	for i, n := range d.Nodes {
		nodes[i] = *n
	}
	paths := make([][]Point, len(d.Edges))
	for i, e := range d.Edges {
		paths[i] = e.Path
	}
	return func() {
		*b.diagram = d
		for i, n := range nodes {
			*d.Nodes[i] = n
		}
		for i, p := range paths {
			d.Edges[i].Path = p
		}
	}
}

// plates are those in a group, as they are now, outer ones before inner ones.
func plates(g *group) []*Plate {
	var out []*Plate
	for _, it := range g.items {
		if it.group != nil {
			p := *it.group.plate
			out = append(append(out, &p), plates(it.group)...)
		}
	}
	return out
}

// common returns the innermost group that both lie in.
func common(a, b *group) *group {
	for a != b {
		if a.depth < b.depth {
			a, b = b, a
		}
		a = a.parent
	}
	return a
}

// within returns the item of g that the leaf is, or lies in.
func (g *group) within(l *leaf) *item {
	inner := l.parent
	if inner == g {
		return g.items[slices.IndexFunc(g.items, func(it *item) bool { return it.leaf == l })]
	}
	for inner != nil && inner.parent != g {
		inner = inner.parent
	}
	if inner == nil {
		return nil
	}
	return g.items[slices.IndexFunc(g.items, func(it *item) bool { return it.group == inner })]
}

// orient turns the arrows that would close a cycle on a level.
func (b *builder) orient(g *group) {
	next := map[*item][]*edge{}
	for _, e := range b.edges {
		if e.lca == g {
			from := g.within(e.from)
			next[from] = append(next[from], e)
		}
	}
	const open, done = 1, 2
	state := map[*item]int{}
	var visit func(it *item)
	visit = func(it *item) {
		state[it] = open
		for _, e := range next[it] {
			switch to := g.within(e.to); state[to] {
			case open:
				e.turned = true
			case 0:
				visit(to)
			}
		}
		state[it] = done
	}
	for _, it := range g.items {
		if state[it] == 0 {
			visit(it)
		}
	}
	for _, it := range g.items {
		if it.group != nil {
			b.orient(it.group)
		}
	}
}

// A link joins neighbours along an arrow; the offsets are from their left sides.
type link struct {
	upper, lower       *item
	upperOff, lowerOff float64
}

// place lays out a level, those in it first, and returns how many crossings there are.
func (b *builder) place(g *group) (crossings int) {
	for _, it := range g.items {
		switch {
		case it.group != nil:
			crossings += b.place(it.group)
			it.width, it.height = it.group.width, it.group.height
		default:
			n := it.leaf.node
			it.width = max(b.measure(n.Name, NameSize), b.measure(n.Detail, DetailSize)) + 2*nodePad
			it.height = nodeHigh
			if n.Detail != "" {
				it.height += lineHigh
			}
			if n.Loop != "" {
				it.width += loopWide + b.measure(n.Loop, DetailSize)
			}
		}
	}
	g.rank(b.edges)
	links := g.thread(b)
	crossings += g.sort(links)
	g.spread(b, links)
	g.stack(links)
	return crossings
}

// rank finds the layers of the items, 0 at the top.
func (g *group) rank(edges []*edge) {
	type pair struct{ upper, lower *item }
	var pairs []pair
	for _, e := range edges {
		if e.lca == g {
			upper, lower := e.ends()
			pairs = append(pairs, pair{g.within(upper), g.within(lower)})
		}
	}
	for _, it := range g.items {
		it.layer = 0
	}
	for changed := true; changed; { // no cycles: it ends
		changed = false
		for _, p := range pairs {
			if p.lower.layer <= p.upper.layer {
				p.lower.layer = p.upper.layer + 1
				changed = true
			}
		}
	}
	for _, it := range g.items {
		least := math.MaxInt
		source := true
		for _, p := range pairs {
			if p.upper == it {
				least = min(least, p.lower.layer)
			}
			source = source && p.lower != it
		}
		if source && least < math.MaxInt {
			it.layer = least - 1
		}
	}
}

// thread gives each arrow its places on this level, and returns who is joined to whom.
func (g *group) thread(b *builder) []link {
	last := 0
	for _, it := range g.items {
		last = max(last, it.layer)
	}
	// Layer 0 is now the upper side of the plate, and the last one its lower side.
	g.layers = make([][]*item, last+3)
	for _, it := range g.items {
		it.layer++
		g.layers[it.layer] = append(g.layers[it.layer], it)
	}
	last += 2
	if g.plate != nil {
		label := &item{label: true, width: b.measure(g.plate.Label, DetailSize), height: labelHigh, layer: last}
		g.layers[last] = append(g.layers[last], label)
	}
	g.chains = map[*edge][]*item{}
	var links []link
	for _, e := range b.edges {
		upperLeaf, lowerLeaf := e.ends()
		upper, lower := g.within(upperLeaf), g.within(lowerLeaf)
		if upper == nil && lower == nil || upper == lower {
			continue
		}
		from, to := 0, last
		if upper != nil {
			from = upper.layer + 1
		}
		if lower != nil {
			to = lower.layer - 1
		}
		var chain []*item
		if upper != nil {
			chain = append(chain, upper)
		}
		for layer := from; layer <= to; layer++ {
			it := &item{edge: e, layer: layer}
			g.layers[layer] = append(g.layers[layer], it)
			chain = append(chain, it)
		}
		if lower != nil {
			chain = append(chain, lower)
		}
		g.chains[e] = chain
		for i := range len(chain) - 1 {
			links = append(links, link{chain[i], chain[i+1], b.offset(chain[i], e, true), b.offset(chain[i+1], e, false)})
		}
	}
	return links
}

// offset is where on an item an arrow begins (below it) or ends.
func (b *builder) offset(it *item, e *edge, below bool) float64 {
	switch {
	case it.leaf != nil:
		return it.leaf.width(b) / 2
	case it.group != nil:
		chain := it.group.chains[e]
		at := chain[0]
		if below {
			at = chain[len(chain)-1]
		}
		return platePad + at.x
	}
	return 0
}

// width is the width of a node without its loop.
func (l *leaf) width(b *builder) float64 {
	return max(b.measure(l.node.Name, NameSize), b.measure(l.node.Detail, DetailSize)) + 2*nodePad
}

// sort orders each layer so that few links cross, and returns how many do.
func (g *group) sort(links []link) int {
	// What comes from outside, as far as an earlier turn knows whence, has the order of that.
	outside := func(it *item) (x float64, known bool) {
		if it.edge == nil || len(it.edge.Path) == 0 || it.layer != 0 && it.layer != len(g.layers)-1 {
			return 0, false
		}
		upper, lower := it.edge.ends()
		n := upper.node
		if it.layer > 0 {
			n = lower.node
		}
		return (n.Box.Min.X + n.Box.Max.X) / 2, true
	}
	index := func() {
		for _, layer := range g.layers {
			slices.SortStableFunc(layer, func(a, b *item) int {
				switch {
				case a.label != b.label:
					if a.label {
						return -1
					}
					return 1
				case a.order < b.order:
					return -1
				case a.order > b.order:
					return 1
				}
				return 0
			})
			for i, it := range layer {
				it.order = float64(i)
			}
		}
	}
	for _, layer := range []int{0, len(g.layers) - 1} {
		for i, it := range g.layers[layer] {
			it.order = float64(i)
			if x, known := outside(it); known {
				it.order = x
			}
		}
	}
	for _, layer := range g.layers[1 : len(g.layers)-1] {
		for i, it := range layer {
			it.order = float64(i)
		}
	}
	index()
	keep := func() [][]*item {
		out := make([][]*item, len(g.layers))
		for i, layer := range g.layers {
			out[i] = slices.Clone(layer)
		}
		return out
	}
	fewest, best := crossings(links), keep()
	for sweep := range 12 {
		down := sweep%2 == 0
		for k := range g.layers {
			layer := k
			if !down {
				layer = len(g.layers) - 1 - k
			}
			for _, it := range g.layers[layer] {
				if _, fixed := outside(it); fixed || it.label {
					continue
				}
				var sum, n float64
				for _, l := range links {
					switch {
					case down && l.lower == it:
						sum, n = sum+l.upper.order+l.upperOff/(l.upper.width+1), n+1
					case !down && l.upper == it:
						sum, n = sum+l.lower.order+l.lowerOff/(l.lower.width+1), n+1
					}
				}
				if n > 0 {
					it.order = sum / n
				}
			}
			index()
		}
		if c := crossings(links); c < fewest {
			fewest, best = c, keep()
		}
	}
	g.layers = best
	for _, layer := range g.layers {
		for i, it := range layer {
			it.order = float64(i)
		}
	}
	return g.swap(links, fewest, outside)
}

// swap exchanges neighbours as long as that makes fewer crossings.
func (g *group) swap(links []link, fewest int, outside func(*item) (float64, bool)) int {
	for better := true; better; {
		better = false
		for _, layer := range g.layers {
			for i := range len(layer) - 1 {
				a, b := layer[i], layer[i+1]
				_, fixedA := outside(a)
				_, fixedB := outside(b)
				if a.label || fixedA && fixedB {
					continue
				}
				a.order, b.order = b.order, a.order
				if c := crossings(links); c < fewest {
					fewest, better = c, true
					layer[i], layer[i+1] = b, a
				} else {
					a.order, b.order = b.order, a.order
				}
			}
		}
	}
	return fewest
}

// crossings counts the pairs of links that cross.
func crossings(links []link) int {
	n := 0
	for i, a := range links {
		for _, b := range links[i+1:] {
			if a.upper.layer != b.upper.layer {
				continue
			}
			up := compare(a.upper, a.upperOff, b.upper, b.upperOff)
			low := compare(a.lower, a.lowerOff, b.lower, b.lowerOff)
			if up*low < 0 {
				n++
			}
		}
	}
	return n
}

// compare says which of two places in a layer is further left.
func compare(a *item, aOff float64, b *item, bOff float64) int {
	x, y := a.order, b.order
	if a == b {
		x, y = aOff, bOff
	}
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// spread finds the horizontal places.
func (g *group) spread(b *builder, links []link) {
	for _, layer := range g.layers {
		at := 0.0
		for i, it := range layer {
			if i > 0 {
				at += gap(layer[i-1], it)
			}
			it.x = at
			at += it.width
		}
	}
	for sweep := range 40 {
		for k := range g.layers {
			layer := g.layers[k]
			if sweep%2 == 1 {
				layer = g.layers[len(g.layers)-1-k]
			}
			g.fit(layer, links)
		}
	}
	left := math.Inf(1)
	for _, layer := range g.layers {
		for _, it := range layer {
			left = min(left, it.x)
		}
	}
	g.width = 0
	for _, layer := range g.layers {
		for _, it := range layer {
			if it.x -= left; it.label {
				it.x = 0
			}
			g.width = max(g.width, it.x+it.width)
		}
	}
	if g.plate != nil {
		g.width += 2 * platePad
	}
}

// gap is the least distance between neighbours in a layer.
func gap(a, b *item) float64 {
	if a.edge != nil || b.edge != nil {
		return gapArrow
	}
	return gapX
}

// fit moves the items of a layer to where the mean of their neighbours would have them, as far as order and gaps allow.
func (g *group) fit(layer []*item, links []link) {
	type block struct {
		weight, sum float64 // of the places that are wanted for the block's beginning
		n           int
	}
	var blocks []block
	offsets := make([]float64, len(layer)) // of an item from the first one, if all are packed
	for i, it := range layer {
		if i > 0 {
			offsets[i] = offsets[i-1] + layer[i-1].width + gap(layer[i-1], it)
		}
		want, weight := it.x, 0.01
		var sum, n float64
		for _, l := range links {
			straight := 1.0
			if l.upper.edge != nil && l.lower.edge != nil { // long arrows straight
				straight = 4
			}
			switch it {
			case l.lower:
				sum, n = sum+straight*(l.upper.x+l.upperOff-l.lowerOff), n+straight
			case l.upper:
				sum, n = sum+straight*(l.lower.x+l.lowerOff-l.upperOff), n+straight
			}
		}
		if n > 0 {
			want, weight = sum/n, n
		}
		blocks = append(blocks, block{weight, weight * (want - offsets[i]), 1})
		for k := len(blocks) - 1; k > 0 && blocks[k-1].sum/blocks[k-1].weight > blocks[k].sum/blocks[k].weight; k-- {
			blocks[k-1].weight += blocks[k].weight
			blocks[k-1].sum += blocks[k].sum
			blocks[k-1].n += blocks[k].n
			blocks = blocks[:k]
		}
	}
	i := 0
	for _, bl := range blocks {
		for range bl.n {
			layer[i].x = bl.sum/bl.weight + offsets[i]
			i++
		}
	}
}

// stack finds the heights of the layers and the distances between them.
func (g *group) stack(links []link) {
	g.tops = make([]float64, len(g.layers))
	g.highs = make([]float64, len(g.layers))
	at := 0.0
	for k, layer := range g.layers {
		for _, it := range layer {
			g.highs[k] = max(g.highs[k], it.height)
		}
		if k > 0 {
			aside := 0.0
			any := false
			for _, l := range links {
				if l.lower.layer == k {
					any = true
					aside = max(aside, math.Abs(l.upper.x+l.upperOff-l.lower.x-l.lowerOff))
				}
			}
			switch {
			case any:
				at += gapY + min(gapY, aside/8)
			case k == 1 || k == len(g.layers)-1: // a plate's own sides
				if g.plate != nil {
					at += platePad
				}
			default:
				at += gapY
			}
		}
		g.tops[k] = at
		at += g.highs[k]
	}
	g.height = at
}

// settle finds the places of all that lies in a group whose corner is known.
func (b *builder) settle(g *group, at Point) {
	g.at = at
	pad := 0.0
	if g.plate != nil {
		pad = platePad
		g.plate.Box = Box{at, Point{at.X + g.width, at.Y + g.height}}
	}
	for k, layer := range g.layers {
		for _, it := range layer {
			corner := Point{at.X + pad + it.x, at.Y + g.tops[k]}
			slack := g.highs[k] - it.height
			switch {
			case it.group != nil:
				b.settle(it.group, Point{corner.X, corner.Y + slack/2})
			case it.leaf != nil:
				n := it.leaf.node
				corner.Y += slack / 2
				width := it.leaf.width(b)
				n.Box = Box{corner, Point{corner.X + width, corner.Y + it.height}}
				n.LoopAt = Box{Point{n.Box.Max.X, corner.Y}, Point{corner.X + it.width, n.Box.Max.Y}}
			case it.label:
				g.plate.LabelAt = Box{corner, Point{corner.X + it.width, corner.Y + it.height}}
			}
		}
	}
}

// path is the way of an arrow through all levels, from its tail.
func (b *builder) path(e *edge) []Point {
	upper, lower := e.ends()
	var out []Point
	add := func(x, y float64) { out = append(out, Point{x, y}) }
	var groups []*group // from the upper end's plate out to the common level, and in again
	for g := upper.parent; g != e.lca; g = g.parent {
		groups = append(groups, g)
	}
	groups = append(groups, e.lca)
	n := len(groups)
	for g := lower.parent; g != e.lca; g = g.parent {
		groups = slices.Insert(groups, n, g)
	}
	start := upper.node.Box
	add((start.Min.X+start.Max.X)/2, start.Max.Y)
	for _, g := range groups {
		pad := 0.0
		if g.plate != nil {
			pad = platePad
		}
		for _, it := range g.chains[e] {
			top := g.at.Y + g.tops[it.layer]
			bottom := top + g.highs[it.layer]
			x := g.at.X + pad + it.x
			below, above := true, true
			if it.edge == nil { // only the sides that the arrow leaves or enters
				below, above = it == g.chains[e][0], it != g.chains[e][0]
				x += b.offset(it, e, below)
			}
			if above {
				add(x, top)
			}
			if below {
				add(x, bottom)
			}
		}
	}
	end := lower.node.Box
	add((end.Min.X+end.Max.X)/2, end.Min.Y)
	if e.turned {
		slices.Reverse(out)
	}
	return out
}
