// This file tests that nothing in a diagram overlaps, of every model that there is in the repository, and of some that are hard to draw.

package plates

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// measure takes all letters for as wide as wide ones.
func measure(text string, size float64) float64 { return 0.6 * size * float64(len(text)) }

func parse(t *testing.T, name, src string) *ir.Model {
	t.Helper()
	f, diags := dsl.Parse(name, src)
	if diags.HasErrors() {
		t.Fatalf("%s: %v", name, diags)
	}
	m, diags := ir.Check(f)
	if diags.HasErrors() {
		t.Fatalf("%s: %v", name, diags)
	}
	return m
}

// models are those of the repository, by file.
func models(t *testing.T) map[string]*ir.Model {
	t.Helper()
	out := map[string]*ir.Model{}
	for _, pattern := range []string{"../../specs/*.gm", "../../conjugacy/testdata/models/*.gm"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, diags := dsl.Parse(path, string(src))
			if diags.HasErrors() {
				continue // of those that test messages
			}
			if m, diags := ir.Check(f); !diags.HasErrors() {
				out[path] = m
			}
		}
	}
	return out
}

func TestNothingOverlaps(t *testing.T) {
	all := models(t)
	if len(all) < 40 {
		t.Fatalf("only %d models", len(all))
	}
	all["arrows back and forth"] = parse(t, "a.gm", `model a
plate N
plate M
global top ~ Normal(0, var = 1)
local a[n in N] ~ Normal(top, var = 1)
local b[n in N] ~ Normal(a[1], var = 1)
global q[m in M] ~ Normal(a[1], var = 1)
global r ~ Normal(q[1], var = 1)
local c[n in N] ~ Normal(r + q[1], var = 1)
data y[n in N] : real ~ Normal(c[n] + b[n] + top, var = 1)
`)
	var many strings.Builder
	many.WriteString("model many\nplate N\nplate A[N]\nplate B[A]\n")
	sum := "0"
	for i := range 12 {
		fmt.Fprintf(&many, "const c%d : real > 0 = 1\nglobal g%d ~ Normal(0, var = c%d)\n", i, i, i)
		sum += fmt.Sprintf(" + g%d", i)
	}
	fmt.Fprintf(&many, "local l[n in N] ~ Normal(%s, var = 1)\nlocal k[n in N, a in A[n]] ~ Normal(l[n] + g1, var = c3)\ndata y[n in N, a in A[n], b in B[n, a]] : real ~ Normal(k[n, a] + g2 + l[n], var = c4)\n", sum)
	all["many"] = parse(t, "many.gm", many.String())
	for name, m := range all {
		d := Of(m, measure)
		for _, fault := range faults(d) {
			t.Errorf("%s: %s", name, fault)
		}
		if len(d.Nodes) == 0 {
			t.Errorf("%s has no nodes", name)
		}
	}
}

// faults says what overlaps.
func faults(d *Diagram) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	within := func(in, b Box) bool {
		return b.Min.X >= in.Min.X-1e-6 && b.Max.X <= in.Max.X+1e-6 && b.Min.Y >= in.Min.Y-1e-6 && b.Max.Y <= in.Max.Y+1e-6
	}
	touch := func(a, b Box) bool {
		return a.Min.X < b.Max.X-1e-6 && b.Min.X < a.Max.X-1e-6 && a.Min.Y < b.Max.Y-1e-6 && b.Min.Y < a.Max.Y-1e-6
	}
	whole := Box{Max: Point{d.Width, d.Height}}
	for i, n := range d.Nodes {
		box := Box{n.Box.Min, Point{max(n.Box.Max.X, n.LoopAt.Max.X), n.Box.Max.Y}}
		if !within(whole, box) || box.Max.X <= box.Min.X {
			say("%s is at %v, outside", n.Name, box)
		}
		for _, o := range d.Nodes[i+1:] {
			if touch(box, o.Box) {
				say("%s and %s overlap", n.Name, o.Name)
			}
		}
		for _, p := range d.Plates {
			if touch(p.Box, box) && !within(p.Box, box) {
				say("%s lies across the frame of %s", n.Name, p.Label)
			}
			if touch(p.LabelAt, box) {
				say("%s lies on the name of %s", n.Name, p.Label)
			}
		}
	}
	for i, p := range d.Plates {
		if !within(whole, p.Box) || !within(p.Box, p.LabelAt) {
			say("the frame or the name of %s is outside", p.Label)
		}
		for _, o := range d.Plates[i+1:] {
			if touch(p.Box, o.Box) && !within(p.Box, o.Box) {
				say("the frames of %s and %s cross", p.Label, o.Label)
			}
			if touch(p.LabelAt, o.Box) && !within(o.Box, p.LabelAt) {
				say("the name of %s is on the frame of %s", p.Label, o.Label)
			}
		}
	}
	for _, e := range d.Edges {
		arrow := e.From.Name + " → " + e.To.Name
		if !on(e.Path[0], e.From.Box) || !on(e.Path[len(e.Path)-1], e.To.Box) {
			say("%s does not join them", arrow)
		}
		for _, at := range points(e.Path) {
			spot := Box{at, at}
			if !within(whole, spot) {
				say("%s is outside at %v", arrow, at)
			}
			for _, n := range d.Nodes {
				if n != e.From && n != e.To && within(n.Box, spot) {
					say("%s runs across %s", arrow, n.Name)
				}
			}
			for _, p := range d.Plates {
				if within(p.LabelAt, spot) {
					say("%s runs across the name of %s", arrow, p.Label)
				}
			}
		}
	}
	return slices.Compact(out)
}

// on reports whether a point is on the upper or the lower side of a box.
func on(p Point, b Box) bool {
	return p.X >= b.Min.X && p.X <= b.Max.X && (p.Y == b.Min.Y || p.Y == b.Max.Y)
}

// points are some along a way, each curve drawn as the figure draws it.
func points(way []Point) []Point {
	var out []Point
	for i, b := range way[1:] {
		a := way[i]
		for k := 1; k < 20; k++ {
			t := float64(k) / 20
			u := 1 - t
			middle := (a.Y + b.Y) / 2
			out = append(out, Point{
				u*u*u*a.X + 3*u*u*t*a.X + 3*u*t*t*b.X + t*t*t*b.X,
				u*u*u*a.Y + 3*u*u*t*middle + 3*u*t*t*middle + t*t*t*b.Y})
		}
	}
	return out
}

// TestFaultsAreFound plants one of each kind.
func TestFaultsAreFound(t *testing.T) {
	lasso := models(t)["../../specs/lasso.gm"]
	for want, plant := range map[string]func(d *Diagram){
		"overlap":          func(d *Diagram) { d.Nodes[1].Box = d.Nodes[0].Box },
		"outside":          func(d *Diagram) { d.Width = 50 },
		"across the frame": func(d *Diagram) { d.Plates[0].Box.Min.X += 20 },
		"does not join":    func(d *Diagram) { d.Edges[0].Path[0].Y++ },
		"on the name":      func(d *Diagram) { d.Plates[0].LabelAt = d.Nodes[4].Box },
		"frames":           func(d *Diagram) { d.Plates[0].Box.Min.Y = d.Plates[1].Box.Min.Y - 9 },
		"runs across the name": func(d *Diagram) {
			p := d.Edges[len(d.Edges)-2].Path
			d.Plates[1].LabelAt = Box{Point{p[1].X - 2, p[1].Y - 3}, Point{p[1].X + 2, p[1].Y + 3}}
		},
		"runs across ": func(d *Diagram) {
			d.Edges[0].Path[1] = Point{d.Nodes[6].Box.Min.X + 9, d.Nodes[6].Box.Min.Y + 9}
		},
	} {
		d := Of(lasso, measure)
		if found := faults(d); len(found) > 0 {
			t.Fatal(found)
		}
		plant(d)
		if found := strings.Join(faults(d), "; "); !strings.Contains(found, want) {
			t.Errorf("%q is not found: %s", want, found)
		}
	}
}

// TestDiagram looks at what is a node, in which plates, and at the arrows.
func TestDiagram(t *testing.T) {
	all := models(t)
	for _, tt := range []struct{ spec, want string }{
		{"lasso", `lambda constant []; a constant []; b constant []; X[D] data [N]; y data [N] observed; sigma2 unknown [] InvGamma;
			tau2 unknown [D] Exponential; w unknown [D] Normal; z unknown [N] Normal;
			a→sigma2; b→sigma2; lambda→tau2; sigma2→w; tau2→w; X[D]→z; w→z; z→y`},
		{"lda", `alpha constant []; eta constant []; beta[vocab] unknown [topics] Dirichlet; theta[topics] integrated out [docs] Dirichlet;
			z unknown [docs words] Categorical; x data [docs words] Categorical; eta→beta[vocab]; alpha→theta[topics]; theta[topics]→z; z→x; beta[vocab]→x`},
		{"ar1", `rho unknown [] Normal; s2 unknown [] InvGamma; r2 unknown [] InvGamma; x unknown [T] Normal loop t - 1; y data [T] Normal;
			rho→x; s2→x; x→y; r2→y`},
		{"rats", `x data [T]; ma unknown [] Normal; mb unknown [] Normal; va unknown [] InvGamma; vb unknown [] InvGamma; s2 unknown [] InvGamma;
			al unknown [I] Normal; be unknown [I] Normal; y data [I T] Normal; ma→al; va→al; mb→be; vb→be; al→y; be→y; x→y; s2→y`},
	} {
		got := words(Of(all["../../specs/"+tt.spec+".gm"], measure))
		slices.Sort(got)
		want := strings.Split(strings.Join(strings.Fields(tt.want), " "), "; ")
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", tt.spec, strings.Join(got, "; "), strings.Join(want, "; "))
		}
	}
}

func words(d *Diagram) []string {
	kinds := [...]string{"constant", "data", "unknown", "integrated out"}
	var out []string
	for _, n := range d.Nodes {
		var in []string
		for _, p := range d.Plates {
			if n.Box.Min.X > p.Box.Min.X && n.Box.Max.X < p.Box.Max.X && n.Box.Min.Y > p.Box.Min.Y && n.Box.Max.Y < p.Box.Max.Y {
				in = append(in, p.Label)
			}
		}
		s := fmt.Sprintf("%s %s %v %s", n.Name, kinds[n.Kind], in, n.Detail)
		if n.Loop != "" {
			s += " loop " + n.Loop
		}
		out = append(out, strings.TrimSpace(s))
	}
	for _, e := range d.Edges {
		out = append(out, e.From.Name+"→"+e.To.Name)
	}
	return out
}
