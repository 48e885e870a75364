// This file tests figures by what they are made of: the numbers that they draw, and the text of the SVG that comes out.

package figure

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"image/png"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime"
	"gonum.org/v1/plot/plotter"
)

// normalDraws are chains × draws of a Normal distribution, all of one seed.
func normalDraws(chains, n int) [][]float64 {
	rng := runtime.NewRand(1)
	out := make([][]float64, chains)
	for k := range out {
		out[k] = make([]float64, n)
		for i := range out[k] {
			out[k][i] = rng.Norm()
		}
	}
	return out
}

func rowOf(t *testing.T, chains [][]float64) runtime.Row {
	t.Helper()
	columns := make([][][]float64, len(chains))
	for k, c := range chains {
		columns[k] = [][]float64{c}
	}
	rows, err := runtime.Summarise([]string{"mu"}, columns)
	if err != nil {
		t.Fatal(err)
	}
	return rows[0]
}

// all are figures of every kind, of draws of many kinds.
func all(t *testing.T) map[string]*Figure {
	t.Helper()
	out := map[string]*Figure{}
	scaled := func(chains [][]float64, f func(float64) float64) [][]float64 {
		for _, c := range chains {
			for i, v := range c {
				c[i] = f(v)
			}
		}
		return chains
	}
	hole := normalDraws(2, 100)
	hole[1][50] = math.Inf(1)
	for name, chains := range map[string][][]float64{
		"short": normalDraws(1, 3), "plain": normalDraws(4, 100), "long": normalDraws(3, 30_000), "many": normalDraws(20, 40),
		"counts": scaled(normalDraws(4, 50), math.Round), "two": {{1, 2}, {2, 1}}, "hole": hole,
		"tiny": scaled(normalDraws(2, 60), func(v float64) float64 { return 1e-300 * v }), "huge": scaled(normalDraws(2, 60), func(v float64) float64 { return 1e300 * v }),
		"far":      scaled(normalDraws(2, 60), func(v float64) float64 { return 1e9 + v }),
		"far away": scaled(normalDraws(2, 60), func(v float64) float64 { return 1e17 + 64*math.Round(v) }),
		"tail":     scaled(normalDraws(4, 1000), func(v float64) float64 { return math.Exp(5 * v) }),
	} {
		for _, f := range OfScalar(chains, rowOf(t, chains), 1+len(name)%2) {
			out[name+" "+f.Name] = f
		}
	}
	file, _ := dsl.Parse("a.gm", "model a\nplate N\nplate clusters : unbounded\nconst alpha : real > 0 = 1\nglobal pi ~ GEM(alpha) over clusters\nglobal mu[k in clusters] ~ Normal(0, var = 1)\nlocal z[n in N] ~ Categorical(pi)\ndata x[n in N] : real ~ Normal(mu[z[n]], var = 1)\ncollapse pi\n")
	m, diags := ir.Check(file)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	out["plates"] = Plates(m)
	out["batch"] = Batch(&runtime.Decision{Costs: "measured", Batch: 10, Globals: 1, Units: 100, Candidates: []runtime.Candidate{
		{Batch: 10, Globals: 1, Objective: 1e-3, Low: 5e-4, High: 2e-3}, {Batch: 100, Globals: 1, Objective: 2e-3, Low: 0, High: 1e300},
		{Batch: 100, Globals: 4, Objective: 3e-3, Low: 2e-3, High: 4e-3}}})
	return out
}

func TestFigures(t *testing.T) {
	figures := all(t)
	for _, kind := range Kinds {
		if figures["plain "+kind] == nil {
			t.Errorf("no %s of plain draws", kind)
		}
	}
	for name, f := range figures {
		if strings.HasPrefix(name, "plain ") && !slices.Contains(Kinds, f.Name) {
			t.Errorf("%s is not among the kinds", f.Name)
		}
	}
	hexColour := regexp.MustCompile(`#[0-9A-Fa-f]{3,6}`)
	for name, f := range figures {
		text, err := f.Inline()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.Title == "" || !strings.HasSuffix(f.Caption, ".") {
			t.Errorf("%s: title %q, caption %q", name, f.Title, f.Caption)
		}
		if _, err := elements(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, bad := range []string{"style=", "NaN", "Inf", "http", "xlink", hexColour.FindString(text)} {
			if bad != "" && strings.Contains(text, bad) {
				t.Errorf("%s has %q in it", name, bad)
			}
		}
		var svg, pixels bytes.Buffer
		if err := f.WriteSVG(&svg); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := elements(svg.String()); err != nil {
			t.Errorf("%s: SVG file: %v", name, err)
		}
		if kind, _, _ := strings.Cut(name, " "); kind != "plain" && kind != "plates" && kind != "batch" { // a large file each
			continue
		}
		if err := f.WritePNG(&pixels); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if img, err := png.Decode(&pixels); err != nil || img.Bounds().Dx() < int(2.9*f.Width()) {
			t.Errorf("%s: PNG file: %v", name, err)
		}
	}
	if f := OfScalar([][]float64{{1, 1}, {1, 1}}, rowOf(t, [][]float64{{1, 1}, {1, 1}}), 1); f != nil {
		t.Errorf("figures of draws that are all the same: %v", f)
	}
	if Batch(&runtime.Decision{}) != nil {
		t.Error("a figure of no candidates")
	}
}

// elements counts the elements of a text that must be well formed.
func elements(text string) (map[string]int, error) {
	out := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if e, ok := token.(xml.StartElement); ok {
			out[e.Name.Local]++
		}
	}
}

// TestEscaped: a name that is markup stays text.
func TestEscaped(t *testing.T) {
	p := newPlot(`</text><script>alert(1)</script>`, "")
	lines(p, 1, ink, plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	text, err := newFigure("x", `"><script>`, "", p).Inline()
	if err != nil {
		t.Fatal(err)
	}
	if found, err := elements(text); err != nil || found["script"] > 0 || !strings.Contains(text, "&lt;script&gt;alert(1)") {
		t.Errorf("%v %v", found, err)
	}
}

// TestShades: texts have the contrast that WCAG 2 asks of them (4.5), lines theirs (3), on light paper and on dark; no two shades are one on
// light paper.
func TestShades(t *testing.T) {
	luminance := func(c color.NRGBA) float64 {
		part := func(v uint8) float64 {
			x := float64(v) / 255
			if x <= 0.03928 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
	}
	contrast := func(a, b color.NRGBA) float64 {
		x, y := luminance(a)+0.05, luminance(b)+0.05
		return max(x/y, y/x)
	}
	for i, s := range shades {
		for _, o := range shades[:i] {
			if s.light == o.light || s.name == o.name {
				t.Errorf("%s and %s are one", s.name, o.name)
			}
		}
		if nameOf(hex(s.light)) != s.name {
			t.Errorf("%s is not known by its colour", s.name)
		}
	}
	for _, s := range append([]shade{ink, mute, alert}, chainShades...) {
		for _, on := range []shade{paper, fill} {
			least := 4.5
			if strings.HasPrefix(s.name, "c") {
				least = 3
			}
			if on == fill && s != ink && s != mute {
				continue // nothing else is written there
			}
			if c := contrast(s.light, on.light); c < least {
				t.Errorf("%s on %s: contrast %.2f on a light page", s.name, on.name, c)
			}
			if c := contrast(s.dark, on.dark); c < least {
				t.Errorf("%s on %s: contrast %.2f on a dark page", s.name, on.name, c)
			}
		}
	}
}

// TestTraceKeepsExtremes: thinning loses no least and no largest draw.
func TestTraceKeepsExtremes(t *testing.T) {
	chain := normalDraws(1, 10_000)[0]
	chain[1234], chain[5678], chain[99] = 50, -50, math.NaN()
	var ys []float64
	lines := thinned(chain)
	for _, line := range lines {
		last := 0.0
		for _, p := range line {
			ys = append(ys, p.Y)
			if p.X < last {
				t.Errorf("draw %v after draw %v", p.X, last)
			}
			last = p.X
		}
	}
	if slices.Max(ys) != 50 || slices.Min(ys) != -50 || len(ys) > 2*columns {
		t.Errorf("from %v to %v by %d points", slices.Min(ys), slices.Max(ys), len(ys))
	}
	if got := thinned([]float64{1, math.NaN(), 2, 3}); len(got) != 2 || len(got[1]) != 2 {
		t.Errorf("a hole: %v", got)
	}
}

// TestRankCounts: each chain's draws are all counted; of chains that agree evenly, up to chance; ties are shared.
func TestRankCounts(t *testing.T) {
	// Of 4 chains with 10,000 draws in 20 bins a count has mean 500 and a standard deviation of about sqrt(500·3/4·19/20) < 19: 6 of them are
	// passed by none of 80 counts but once in 10⁶ runs; the seed is fixed.
	for k, c := range rankCounts(normalDraws(4, 10_000), 20) {
		sum := 0.0
		for _, n := range c {
			sum += n
			if math.Abs(n-500) > 6*19 {
				t.Errorf("chain %d: %v of 500", k, n)
			}
		}
		if math.Abs(sum-10_000) > 1e-6 {
			t.Errorf("chain %d: %v draws", k, sum)
		}
	}
	if got := rankCounts([][]float64{{1, 1}, {1, 1}}, 4); !slices.Equal(got[0], []float64{.5, .5, .5, .5}) {
		t.Errorf("ties: %v", got)
	}
	if got := rankCounts([][]float64{{1, 2}, {3, 4}}, 2); !slices.Equal(got[0], []float64{2, 0}) || !slices.Equal(got[1], []float64{0, 2}) {
		t.Errorf("apart: %v", got)
	}
}

// TestDensity: the area is 1, also where the draws end at a bound, and the Normal's density is met. A kernel estimate of 100,000 draws has at
// its peak a standard deviation of about sqrt(0.4·0.28/(n·h)) < 0.004 and a bias of about h²/2·0.4 < 0.002 at h = 0.09: 0.02 is far from both.
func TestDensity(t *testing.T) {
	chains := normalDraws(1, 100_000)
	low, high, cut := window(chains)
	if cut {
		t.Error("a Normal's tails are no heavy ones")
	}
	area := func(pts plotter.XYs) (a float64) {
		for i := range pts[1:] {
			a += (pts[i+1].X - pts[i].X) * (pts[i].Y + pts[i+1].Y) / 2
		}
		return a
	}
	pts := kernelDensity(chains[0], low, high, bandwidth(chains, low, high))
	if a := area(pts); math.Abs(a-1) > 0.01 {
		t.Errorf("area %v", a)
	}
	for _, p := range pts {
		if want := math.Exp(-p.X*p.X/2) / math.Sqrt(2*math.Pi); math.Abs(p.Y-want) > 0.02 {
			t.Errorf("at %v: %v, want %v", p.X, p.Y, want)
		}
	}
	half := make([]float64, len(chains[0]))
	for i, v := range chains[0] {
		half[i] = math.Abs(v)
	}
	low, high, _ = window([][]float64{half})
	pts = kernelDensity(half, low, high, bandwidth([][]float64{half}, low, high))
	if a := area(pts); low < 0 || math.Abs(a-1) > 0.01 || math.Abs(pts[0].Y-0.798) > 0.03 {
		t.Errorf("half a Normal: from %v, area %v, %v at 0", low, a, pts[0].Y)
	}
	for i := range half {
		half[i] = math.Exp(6 * chains[0][i])
	}
	if _, high, cut := window([][]float64{half}); !cut || high > slices.Max(half)/2 {
		t.Errorf("a heavy tail up to %v is drawn up to %v", slices.Max(half), high)
	}
}

func TestTicks(t *testing.T) {
	for _, tt := range []struct {
		low, high float64
		want      string
	}{
		{0, 10, "0 2 4 6 8 10"}, {-0.3, 0.3, "-0.2 0 0.2"}, {1e9, 1e9 + 4, "1000000000 1000000001 1000000002 1000000003 1000000004"}, {0, 3e-7, "0 1e-7 2e-7 3e-7"}, {1, 1, ""},
		{0, 5e6, "0 1e6 2e6 3e6 4e6 5e6"}, {99_950, 100_050, "99960 99980 100000 100020 100040"}, {-1.2e-5, 1.1e-5, "-1e-5 -5e-6 0 5e-6 1e-5"},
	} {
		var got []string
		for _, k := range ticks(5).Ticks(tt.low, tt.high) {
			got = append(got, k.Label)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("from %v to %v: %v, want %s", tt.low, tt.high, got, tt.want)
		}
	}
}
