package runtime

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

func TestUniformDraws(t *testing.T) {
	r := NewRand(2)
	unit := func(x float64) float64 { return x }
	checkKS(t, "Float64", r.Float64, unit)
	checkKS(t, "Open01", r.Open01, unit)
	for _, n := range []int{1, 2, 3, 10, 1000} {
		checkPMF(t, "IntN", func() int { return r.IntN(n) }, func(int) float64 { return -math.Log(float64(n)) }, 0, n)
	}
	if r.IntN(0) != -1 || r.IntN(-5) != -1 {
		t.Error("IntN of nothing is not -1")
	}
	for range 1000 {
		if k := r.IntN(math.MaxInt); k < 0 {
			t.Fatal("IntN overflows")
		}
	}
}

func TestNormAndExp1(t *testing.T) {
	r := NewRand(3)
	checkKS(t, "Norm", r.Norm, NormalCDF)
	checkKS(t, "Exp1", r.Exp1, func(x float64) float64 { return -math.Expm1(-x) })

	// A million draws in 200 cells of equal probability, which looks into the strips, and the tails by themselves.
	const n, cells = 1000000, 200
	normal, expo := make([]int, cells), make([]int, cells)
	var normTailX, expTailX []float64
	for range n {
		x := r.Norm()
		normal[min(int(NormalCDF(x)*cells), cells-1)]++
		if math.Abs(x) > normEnd {
			normTailX = append(normTailX, math.Abs(x))
		}
		e := r.Exp1()
		expo[min(int(-math.Expm1(-e)*cells), cells-1)]++
		if e > expEnd {
			expTailX = append(expTailX, e-expEnd)
		}
		if e <= 0 {
			t.Fatal("Exp1 is not positive")
		}
	}
	p := make([]float64, cells)
	for i := range p {
		p[i] = 1.0 / cells
	}
	if bad, p := chiRejects(normal, p, n); bad {
		t.Errorf("Norm: chi-square p = %.3g", p)
	}
	if bad, p := chiRejects(expo, p, n); bad {
		t.Errorf("Exp1: chi-square p = %.3g", p)
	}
	// The number in the tail is Poisson; 6 standard deviations of about 258 and 454 are 2e-9.
	for name, c := range map[string][2]float64{
		"Norm": {float64(len(normTailX)), 2 * n * NormalCDF(-normEnd)},
		"Exp1": {float64(len(expTailX)), n * math.Exp(-expEnd)},
	} {
		if math.Abs(c[0]-c[1]) > 6*math.Sqrt(c[1]) {
			t.Errorf("%s: %v draws in the tail, expected %v", name, c[0], c[1])
		}
	}
	if bad, d := ksRejects(normTailX, func(x float64) float64 { return 1 - NormalCDF(-x)/NormalCDF(-normEnd) }); bad {
		t.Errorf("Norm: tail sqrt(n)·D = %v", d)
	}
	if bad, d := ksRejects(expTailX, func(x float64) float64 { return -math.Expm1(-x) }); bad {
		t.Errorf("Exp1: tail sqrt(n)·D = %v", d)
	}
}

func TestKeys(t *testing.T) {
	// Streams differ in every way keys can, and depend on nothing else.
	seen := map[uint64]string{}
	for _, k := range []struct {
		name string
		seed uint64
		keys []uint64
	}{
		{"0", 0, nil}, {"1", 1, nil}, {"0,0", 0, []uint64{0}}, {"0,1", 0, []uint64{1}}, {"1,0", 1, []uint64{0}},
		{"0,0,0", 0, []uint64{0, 0}}, {"0,0,1", 0, []uint64{0, 1}}, {"0,1,0", 0, []uint64{1, 0}},
	} {
		u := NewRand(k.seed, k.keys...).Uint64()
		if other, ok := seen[u]; ok {
			t.Errorf("streams %s and %s agree", k.name, other)
		}
		seen[u] = k.name
		r := NewRand(99)
		r.Reseed(k.seed, k.keys...)
		if r.Uint64() != u {
			t.Errorf("stream %s: Reseed differs from NewRand", k.name)
		}
	}
	// First outputs of neighbouring keys are as good as one stream: Norm by cells, and avalanche of each key bit.
	var r Rand
	key := uint64(0)
	checkKS(t, "first draws over keys", func() float64 { key++; r.Reseed(7, 1, key, 3); return r.Norm() }, NormalCDF)
	for bit := range 64 {
		flips := 0
		for i := range uint64(200) {
			flips += bits.OnesCount64(NewRand(5, i).Uint64() ^ NewRand(5, i^1<<bit).Uint64())
		}
		// 12800 fair bits: 6 standard deviations are 2e-9.
		if math.Abs(float64(flips)-6400) > 6*math.Sqrt(3200) {
			t.Errorf("key bit %d flips %d of 12800 output bits", bit, flips)
		}
	}
}

func TestMarshal(t *testing.T) {
	r := NewRand(4, 2)
	r.Norm()
	state, err := r.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	want := r.Norm()
	var s Rand
	if err := s.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	if got := s.Norm(); got != want {
		t.Errorf("continued with %v, want %v", got, want)
	}
	if s.UnmarshalBinary(state[:5]) == nil {
		t.Error("a short state was accepted")
	}
}

// TestNoAllocs: nothing in a sweep allocates.
func TestNoAllocs(t *testing.T) {
	const d = 6
	r, ws := NewRand(5), NewMatWork(d)
	w, logw, c, dst, h := make([]float64, 50), make([]float64, 50), make([]float64, 50), make([]float64, d), make([]float64, d)
	spd, p, counts := testSPD(d, 1), make([]float64, d*d), make([]int, 50)
	for i := range w {
		w[i] = 1
	}
	target := 2.0
	if testing.AllocsPerRun(10, func() { escape = make([]float64, 8) }) != 1 {
		t.Error("an allocation is not seen")
	}
	for name, f := range map[string]func(){
		"Reseed":         func() { r.Reseed(1, 2, 3, 4) },
		"Norm":           func() { r.Norm() },
		"Gamma":          func() { r.Gamma(0.5, 2) },
		"TruncNormalNat": func() { r.TruncNormalNat(-3, 1, 0, math.Inf(1)) },
		"GIGNat":         func() { r.GIGNat(2, 1, 3) },
		"GammaPowNat":    func() { r.GammaPowNat(-1, 0, -2, 0.5, 2) },
		"InvGaussian":    func() { r.InvGaussian(2, 3) },
		"Poisson":        func() { r.Poisson(40) },
		"Binomial":       func() { r.Binomial(100, 0.3) },
		"Multinomial":    func() { r.Multinomial(counts, 100, w) },
		"Beta":           func() { r.Beta(0.5, 2) },
		"Dirichlet":      func() { r.DirichletNat(c, w) },
		"Categorical":    func() { r.Categorical(w) },
		"CategoricalLog": func() { r.CategoricalLog(logw) },
		"MVNormalNat":    func() { copy(p, spd); _ = r.MVNormalNat(dst, h, p, ws) },
		"MVNormal":       func() { _ = r.MVNormal(dst, h, spd, ws) },
		"MVNormalPrec":   func() { _ = r.MVNormalPrec(dst, h, spd, ws) },
		"MVNormalLogPDF": func() { MVNormalLogPDF(dst, h, spd, ws) },
		"Wishart":        func() { _ = r.Wishart(p, 10, spd, d, ws) },
		"InvWishart":     func() { _ = r.InvWishart(p, 10, spd, d, ws) },
		"WishartNat":     func() { _ = r.WishartNat(p, 10, spd, d, ws) },
		"WishartLogPDF":  func() { WishartLogPDF(spd, 10, spd, d, ws) },
		"InvSPD":         func() { _ = InvSPD(p, spd, d, ws) },
		"LogDetSPD":      func() { _, _ = LogDetSPD(spd, d, ws) },
		"Slice": func() {
			r.Slice(1, 0, math.Inf(1), 1, func(x float64) float64 { return -x * target })
		},
		"SliceInt": func() {
			r.SliceInt(1, 0, math.MaxInt, func(k int) float64 { return -float64(k) * target })
		},
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

var (
	sink   float64   // keeps benchmarked calls
	escape []float64 // keeps an allocation
)

func BenchmarkNorm(b *testing.B) {
	r := NewRand(1)
	for b.Loop() {
		sink = r.Norm()
	}
}

// BenchmarkNormStd is the yardstick of BenchmarkNorm.
func BenchmarkNormStd(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		sink = r.NormFloat64()
	}
}

func BenchmarkExp1(b *testing.B) {
	r := NewRand(1)
	for b.Loop() {
		sink = r.Exp1()
	}
}

func BenchmarkReseed(b *testing.B) {
	r := NewRand(1)
	for b.Loop() {
		r.Reseed(1, 2, 3, 4)
		sink = r.Float64()
	}
}
