// Package testkit holds what the tests of several packages share.
package testkit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Signatures returns the functions and methods of the package in dir, such as "(float64, []float64) error", by their names: Beta,
// Rand.Beta. It reads the files itself, since Go's test cache sees what a test opens, and not what go/packages loads: a test that
// finds a function by name would stay "ok (cached)" after the function is renamed.
func Signatures(t testing.TB, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no source in %s: %v", dir, err)
	}
	out := map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				name := fn.Name.Name
				if fn.Recv != nil {
					name = strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*") + "." + name
				}
				out[name] = Signature(typeNames(fn.Type.Params), strings.Join(typeNames(fn.Type.Results), ", "))
			}
		}
	}
	return out
}

// Signature writes a signature as Signatures does.
func Signature(params []string, result string) string {
	return "(" + strings.Join(params, ", ") + ") " + result
}

// typeNames is the type of each parameter or result.
func typeNames(fields *ast.FieldList) []string {
	var out []string
	if fields != nil {
		for _, f := range fields.List {
			for range max(len(f.Names), 1) {
				out = append(out, types.ExprString(f.Type))
			}
		}
	}
	return out
}

// Fit compares draws with the density exp(logf) on (lo, hi), where bounds may be infinite: it returns the log of the density's
// integral, and the Kolmogorov-Smirnov statistic √n·D of the draws, by the trapezoidal rule in a coordinate in which tails are light.
func Fit(xs []float64, logf func(float64) float64, lo, hi float64) (logTotal, ks float64) {
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	n := len(sorted)
	middle, spread := sorted[n/2], sorted[3*n/4]-sorted[n/4]
	var to, from, slope func(float64) float64 // the coordinate u of x, x of u, and dx/du
	switch {
	case !math.IsInf(lo, 0) && !math.IsInf(hi, 0):
		to = func(x float64) float64 { return math.Log((x - lo) / (hi - x)) }
		from = func(u float64) float64 { return lo + (hi-lo)/(1+math.Exp(-u)) }
		slope = func(u float64) float64 { return (hi - lo) / (2 + math.Exp(u) + math.Exp(-u)) }
	case !math.IsInf(lo, 0):
		to = func(x float64) float64 { return math.Log(x - lo) }
		from = func(u float64) float64 { return lo + math.Exp(u) }
		slope = math.Exp
	case !math.IsInf(hi, 0):
		to = func(x float64) float64 { return -math.Log(hi - x) }
		from = func(u float64) float64 { return hi - math.Exp(-u) }
		slope = func(u float64) float64 { return math.Exp(-u) }
	default:
		to = func(x float64) float64 { return math.Asinh((x - middle) / spread) }
		from = func(u float64) float64 { return middle + spread*math.Sinh(u) }
		slope = func(u float64) float64 { return spread * math.Cosh(u) }
	}
	a, b := to(sorted[0]), to(sorted[n-1])
	a, b = a-(b-a), b+(b-a) // beyond the draws: they may stop too early
	const cells = 20000
	h := (b - a) / cells
	cum, last := make([]float64, cells+1), 0.0
	for i := range cum {
		u := a + h*float64(i)
		f := math.Exp(logf(from(u))) * slope(u)
		if f != f || math.IsInf(f, 0) {
			f = 0 // an end of the range, where x has no digits left
		}
		if i > 0 {
			cum[i] = cum[i-1] + h*(f+last)/2
		}
		last = f
	}
	total := cum[cells]
	for i, x := range sorted {
		at := (to(x) - a) / h
		if !(at >= 0 && at <= cells) {
			return math.Log(total), math.Inf(1)
		}
		k := min(int(at), cells-1)
		p := (cum[k] + (at-float64(k))*(cum[k+1]-cum[k])) / total
		ks = max(ks, p-float64(i)/float64(n), float64(i+1)/float64(n)-p)
	}
	return math.Log(total), ks * math.Sqrt(float64(n))
}
