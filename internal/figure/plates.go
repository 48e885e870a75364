// This file draws plate diagrams.

package figure

import (
	"github.com/gibbsgen/gibbsgen/internal/plates"
	"github.com/gibbsgen/gibbsgen/ir"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Plates returns the plate diagram of a model.
func Plates(m *ir.Model) *Figure {
	d := plates.Of(m, textWidth)
	key, keyWide, keyHigh := keyOf(d)
	width, height := max(d.Width, keyWide), d.Height+keyHigh
	return &Figure{Name: "plates", Title: "Plate diagram of " + m.Name,
		Caption: "An arrow leads from a variable to those whose distribution mentions it. A frame stands for one copy of what is in it for each element of its index set; a set with two frames is one set. Shaded variables are data.",
		width:   vg.Length(width), height: vg.Length(height),
		draw: func(c draw.Canvas) {
			p := pen{c, height}
			p.diagram(d, (width-d.Width)/2)
			p.key(key, d.Height)
		}}
}

// A pen draws with y downwards.
type pen struct {
	draw.Canvas
	height float64
}

func (p *pen) at(x, y float64) vg.Point { return vg.Point{X: vg.Length(x), Y: vg.Length(p.height - y)} }

func (p *pen) diagram(d *plates.Diagram, dx float64) {
	move := func(b plates.Box) plates.Box {
		b.Min.X += dx
		b.Max.X += dx
		return b
	}
	for _, pl := range d.Plates {
		p.outline(p.rounded(move(pl.Box), 6), mute, 0.9, nil)
		at := move(pl.LabelAt)
		p.text(pl.Label, plates.DetailSize, mute, at.Min.X, at.Min.Y+11)
	}
	for _, e := range d.Edges {
		s := ink
		if e.From.Kind == plates.Constant {
			s = mute
		}
		p.arrow(e.Path, dx, s)
	}
	for _, n := range d.Nodes {
		p.node(n, move(n.Box))
		if n.Loop != "" {
			p.loop(n, move(n.LoopAt))
		}
	}
}

// node draws a node in a box.
func (p *pen) node(n *plates.Node, b plates.Box) {
	radius := (b.Max.Y - b.Min.Y) / 2
	s, width := ink, 1.1
	var dashes []vg.Length
	inside := paper
	switch n.Kind {
	case plates.Constant:
		radius, s, width = 2, mute, 0.8
	case plates.Given:
		inside = fill
	case plates.Collapsed:
		dashes = []vg.Length{4, 3}
	}
	path := p.rounded(b, radius)
	p.SetColor(inside.light)
	p.Fill(path)
	p.outline(path, s, width, dashes)
	middle := (b.Min.X + b.Max.X) / 2
	y := (b.Min.Y+b.Max.Y)/2 + 4
	if n.Detail != "" {
		y -= 5.5
		p.text(n.Detail, plates.DetailSize, mute, middle-textWidth(n.Detail, plates.DetailSize)/2/1.04, y+12)
	}
	p.text(n.Name, plates.NameSize, ink, middle-textWidth(n.Name, plates.NameSize)/2/1.04, y)
}

// rounded is a rectangle with rounded corners.
func (p *pen) rounded(b plates.Box, radius float64) vg.Path {
	r := vg.Length(radius)
	var path vg.Path
	corner := func(x, y, start float64) {
		path.Arc(p.at(x, y), r, start, 1.5707963267948966)
	}
	path.Move(p.at(b.Max.X, b.Min.Y+radius))
	corner(b.Max.X-radius, b.Min.Y+radius, 0)
	corner(b.Min.X+radius, b.Min.Y+radius, 1.5707963267948966)
	corner(b.Min.X+radius, b.Max.Y-radius, 3.141592653589793)
	corner(b.Max.X-radius, b.Max.Y-radius, 4.71238898038469)
	path.Close()
	return path
}

func (p *pen) outline(path vg.Path, s shade, width float64, dashes []vg.Length) {
	p.SetLineStyle(draw.LineStyle{Color: s.light, Width: vg.Length(width), Dashes: dashes})
	p.Stroke(path)
	p.SetLineDash(nil, 0)
}

func (p *pen) text(t string, size float64, s shade, x, y float64) {
	p.SetColor(s.light)
	p.FillString(face(size), p.at(x, y), t)
}

// arrow draws the way and a head at its end.
func (p *pen) arrow(way []plates.Point, dx float64, s shade) {
	const long, wide = 6.5, 2.6
	last := way[len(way)-1]
	down := 1.0 // arrows end vertically
	for i := len(way) - 2; i >= 0; i-- {
		if way[i].Y != last.Y {
			if way[i].Y > last.Y {
				down = -1
			}
			break
		}
	}
	var path vg.Path
	path.Move(p.at(way[0].X+dx, way[0].Y))
	for i, b := range way[1:] {
		a := way[i]
		y := b.Y
		if i == len(way)-2 {
			y -= down * (long - 1) // the line must not show beside the head's point
		}
		if a.X == b.X {
			path.Line(p.at(b.X+dx, y))
			continue
		}
		middle := (a.Y + b.Y) / 2
		path.CubeTo(p.at(a.X+dx, middle), p.at(b.X+dx, middle), p.at(b.X+dx, y))
	}
	p.outline(path, s, 0.9, nil)
	p.head(last.X+dx, last.Y, down*long, wide, s)
}

func (p *pen) head(x, y, long, wide float64, s shade) {
	var head vg.Path
	head.Move(p.at(x, y))
	head.Line(p.at(x-wide, y-long))
	head.Line(p.at(x+wide, y-long))
	head.Close()
	p.SetColor(s.light)
	p.Fill(head)
}

// loop draws the arrow of a node to itself, at its right.
func (p *pen) loop(n *plates.Node, b plates.Box) {
	y0, y1 := b.Min.Y+8, b.Max.Y-8
	x := b.Min.X - 2
	var path vg.Path
	path.Move(p.at(x, y0))
	path.CubeTo(p.at(x+18, y0-4), p.at(x+18, y1+4), p.at(x+5, y1))
	p.outline(path, ink, 0.9, nil)
	var head vg.Path
	head.Move(p.at(x, y1-0.5))
	head.Line(p.at(x+7, y1-2.5))
	head.Line(p.at(x+6, y1+2.7))
	head.Close()
	p.SetColor(ink.light)
	p.Fill(head)
	p.text(n.Loop, plates.DetailSize, mute, b.Min.X+15, (b.Min.Y+b.Max.Y)/2+3)
}

// keyOf returns a sample of each kind of node that a diagram has, and the room that they take.
func keyOf(d *plates.Diagram) (samples []*plates.Node, width, height float64) {
	words := [...]string{plates.Constant: "constant", plates.Given: "data", plates.Unknown: "unknown", plates.Collapsed: "integrated out"}
	for kind, word := range words {
		for _, n := range d.Nodes {
			if n.Kind == plates.Kind(kind) {
				samples = append(samples, &plates.Node{Kind: n.Kind, Name: word})
				break
			}
		}
	}
	x := 4.0
	for _, s := range samples {
		s.Box = plates.Box{Min: plates.Point{X: x, Y: 16}, Max: plates.Point{X: x + 20, Y: 28}}
		x += 20 + 5 + textWidth(s.Name, plates.DetailSize) + 12
	}
	return samples, x, 32
}

func (p *pen) key(samples []*plates.Node, top float64) {
	for _, s := range samples {
		b := s.Box
		b.Min.Y += top
		b.Max.Y += top
		p.node(&plates.Node{Kind: s.Kind}, b)
		p.text(s.Name, plates.DetailSize, mute, b.Max.X+5, b.Max.Y-2.5)
	}
}
