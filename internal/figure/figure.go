// Package figure draws the figures of a report: what chains did, what a batch size costs, a model's plates. A figure is drawn
// once, whether it becomes a part of a page, an SVG file or a PNG file. This file holds figures and their ways out.
package figure

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"regexp"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Figure can be written in several ways.
type Figure struct {
	Name    string // of its kind, fit for a file name: trace
	Title   string // in a few words
	Caption string // what to look for, in plain sentences

	width, height vg.Length
	draw          func(c draw.Canvas)
}

// Width is the figure's, in points.
func (f *Figure) Width() float64 { return float64(f.width) }

// WriteSVG writes an SVG file, in the colours for light paper.
func (f *Figure) WriteSVG(w io.Writer) error {
	_, err := f.svg(true).WriteTo(w)
	return err
}

// WritePNG writes a PNG file, three pixels a point.
func (f *Figure) WritePNG(w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(3*72), vgimg.UseBackgroundColor(paper.light))
	f.draw(draw.New(c))
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

func (f *Figure) svg(background bool) *vgsvg.Canvas {
	c := vgsvg.New(f.width, f.height)
	dc := draw.New(c)
	if background {
		c.SetColor(paper.light)
		c.Fill(dc.Rectangle.Path())
	}
	f.draw(dc)
	return c
}

// styled is a style attribute in what vgsvg writes.
var styled = regexp.MustCompile(`\s*style="([^"]*)"`)

// Inline returns the figure as an element of an HTML page. Its colours are classes, to which CSS gives values, and it has no style
// attributes, so that a page with it needs to allow none.
func (f *Figure) Inline() (string, error) {
	var b bytes.Buffer
	if _, err := f.svg(false).WriteTo(&b); err != nil {
		return "", err
	}
	_, body, ok := strings.Cut(b.String(), "<svg ")
	if _, rest, more := strings.Cut(body, ">"); ok && more {
		body = rest
	} else {
		return "", fmt.Errorf("figure %s: no svg element in what was drawn", f.Name)
	}
	body = styled.ReplaceAllStringFunc(body, func(attr string) string {
		return attributes(styled.FindStringSubmatch(attr)[1])
	})
	return fmt.Sprintf(`<svg class="figure" role="img" aria-label="%s" viewBox="0 0 %.5g %.5g" width="%.5g" height="%.5g">%s`,
		html.EscapeString(f.Title), float64(f.width), float64(f.height), float64(f.width), float64(f.height), body), nil
}

// attributes turns a style into attributes: its colours into classes, its font into what CSS says.
func attributes(style string) string {
	var out strings.Builder
	var classes []string
	for decl := range strings.SplitSeq(style, ";") {
		key, value, ok := strings.Cut(decl, ":")
		if !ok {
			continue
		}
		switch key = strings.TrimSpace(key); {
		case key == "fill" || key == "stroke":
			if name := nameOf(value); name != "" {
				classes = append(classes, key[:1]+"-"+name)
				continue
			}
		case strings.HasPrefix(key, "font-") && key != "font-size":
			continue
		}
		fmt.Fprintf(&out, ` %s="%s"`, key, strings.TrimSpace(value))
	}
	if len(classes) > 0 {
		fmt.Fprintf(&out, ` class="%s"`, strings.Join(classes, " "))
	}
	return out.String()
}

// A shade is a colour by what it is for, on light and on dark paper.
type shade struct {
	name        string
	light, dark color.NRGBA
}

func rgb(x uint32) color.NRGBA {
	return color.NRGBA{uint8(x >> 16), uint8(x >> 8), uint8(x), 255}
}

// The shades. No two are the same on light paper, since Inline knows them by that.
var (
	paper = shade{"paper", rgb(0xffffff), rgb(0x15181d)}
	ink   = shade{"ink", rgb(0x22262e), rgb(0xe4e7ec)}
	mute  = shade{"mute", rgb(0x5b6270), rgb(0xa4acb9)}
	grid  = shade{"grid", rgb(0xdfe3e8), rgb(0x333a45)}
	fill  = shade{"fill", rgb(0xe3e8ef), rgb(0x343c49)} // of what was observed
	alert = shade{"alert", rgb(0xb42318), rgb(0xff8a7a)}

	// chainShades are those of chains 0, 1, ..., told apart also by those who do not see red and green (after Okabe & Ito 2008).
	chainShades = []shade{
		{"c0", rgb(0x0067a5), rgb(0x5cb4f2)},
		{"c1", rgb(0xc75000), rgb(0xff9d57)},
		{"c2", rgb(0x007f5f), rgb(0x3dd1a5)},
		{"c3", rgb(0x9a4f96), rgb(0xe29ade)},
		{"c4", rgb(0x8a6d00), rgb(0xe8c84a)},
		{"c5", rgb(0x3f51b5), rgb(0x9fa8ff)},
		{"c6", rgb(0x6d4c41), rgb(0xc8a99c)},
		{"c7", rgb(0x546e7a), rgb(0x9fb8c4)},
	}
	shades = append([]shade{paper, ink, mute, grid, fill, alert}, chainShades...)
)

// Swatch is the class of the colour of a chain's key, for CSS.
func Swatch(chain int) string { return "b-" + chainShade(chain).name }

func chainShade(chain int) shade { return chainShades[chain%len(chainShades)] }

// nameOf finds a shade by how it is written; "" if it is none.
func nameOf(value string) string {
	for _, s := range shades {
		if strings.EqualFold(strings.TrimSpace(value), hex(s.light)) {
			return s.name
		}
	}
	return ""
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// CSS returns the rules that give the colours of Inline and Swatch their values, on light and on dark paper.
func CSS() string {
	var b strings.Builder
	vars := func(of func(shade) color.NRGBA) {
		b.WriteString(":root{")
		for _, s := range shades {
			fmt.Fprintf(&b, "--%s:%s;", s.name, hex(of(s)))
		}
		b.WriteString("}")
	}
	vars(func(s shade) color.NRGBA { return s.light })
	b.WriteString("\n@media (prefers-color-scheme:dark){")
	vars(func(s shade) color.NRGBA { return s.dark })
	b.WriteString("}\n")
	for _, s := range shades {
		fmt.Fprintf(&b, ".f-%[1]s{fill:var(--%[1]s)}.s-%[1]s{stroke:var(--%[1]s)}.b-%[1]s{background:var(--%[1]s)}\n", s.name)
	}
	return b.String()
}

// fonts are those in which texts are measured and drawn. A browser takes Liberation Sans or another one of the same widths.
var fonts = font.NewCache(liberation.Collection())

var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

// face returns the font in a size, in points.
func face(size float64) font.Face { return fonts.Lookup(sans, vg.Length(size)) }

// textWidth is the width of a text, with a little to spare for browsers without the font.
func textWidth(text string, size float64) float64 {
	f := face(size)
	return float64(f.Width(text)) * 1.04
}
