package dpmm

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gibbsgen/gibbsgen/bench/internal/exact"
	"github.com/gibbsgen/gibbsgen/runtime"
)

var update = flag.Bool("update", false, "sample for long and rewrite faithful_clusters.json")

// odd is a prior with nothing at its default.
func odd() Prior {
	return Prior{Alpha: 0.7, M0: []float64{0.4, -0.2}, Kappa0: 0.3, Nu0: 3.5, Psi0: [][]float64{{1.3, 0.2}, {0.2, 0.6}}}
}

var points = [][]float64{{0.1, 0.3}, {0.5, -0.2}, {2.5, 2.9}, {2.2, 3.4}, {-1.7, 0.9}, {0.2, 0.2}}

// TestMarginal compares the marginal density of a cluster with the product of its
// one-step predictive densities, multivariate Student t, from updates by one point:
// Gelman et al. (2013), Bayesian Data Analysis, section 3.6.
func TestMarginal(t *testing.T) {
	prior := odd()
	c := newCluster(2)
	m := mat.NewVecDense(2, []float64{0.4, -0.2})
	psi := mat.NewSymDense(2, []float64{1.3, 0.2, 0.2, 0.6})
	kappa, nu := prior.Kappa0, prior.Nu0
	want := 0.0
	for _, x := range points {
		// x ~ t with df = nu-P+1, location m, scale matrix Psi·(kappa+1)/(kappa·df).
		df := nu - 2 + 1
		var scale mat.SymDense
		scale.ScaleSym((kappa+1)/(kappa*df), psi)
		var chol mat.Cholesky
		if !chol.Factorize(&scale) {
			t.Fatal("scale is not positive definite")
		}
		var d, solved mat.VecDense
		d.SubVec(mat.NewVecDense(2, x), m)
		if err := chol.SolveVecTo(&solved, &d); err != nil {
			t.Fatal(err)
		}
		up, _ := math.Lgamma((df + 2) / 2)
		down, _ := math.Lgamma(df / 2)
		want += up - down - math.Log(df*math.Pi) - chol.LogDet()/2 - (df+2)/2*math.Log1p(mat.Dot(&d, &solved)/df)

		psi.SymRankOne(psi, kappa/(kappa+1), &d)
		m.AddScaledVec(m, 1/(kappa+1), &d)
		kappa, nu = kappa+1, nu+1

		c.add(x, 1)
		if got := prior.logMarginal(c); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d points: %v, want %v", c.N, got, want)
		}
	}
}

// partitions lists all partitions of n points, as labels in order of appearance.
func partitions(n int) (list [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, z := range partitions(n - 1) {
		next := 0
		for _, k := range z {
			next = max(next, k+1)
		}
		for k := range next + 1 {
			list = append(list, append(append([]int(nil), z...), k))
		}
	}
	return list
}

// canonical relabels z in order of appearance.
func canonical(z []int) string {
	label := make(map[int]int)
	out := make([]int, len(z))
	for i, k := range z {
		if _, ok := label[k]; !ok {
			label[k] = len(label)
		}
		out[i] = label[k]
	}
	return fmt.Sprint(out)
}

// TestPosterior starts from exact draws of the partition of six points, found by
// listing all 203, and looks at where a sweep leads: see package exact. It also starts
// from one cluster and sweeps until that is forgotten, as a sweep that left points out
// would pass the first.
func TestPosterior(t *testing.T) {
	prior := odd()
	list := partitions(len(points))
	if len(list) != 203 { // Bell's number
		t.Fatalf("%d partitions", len(list))
	}
	p := make([]float64, len(list))
	index := make(map[string]int)
	var total float64
	for i, z := range list {
		// Ewens: alpha^clusters·∏ (size-1)!
		l := 0.0
		s, err := New(points, prior, z, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Clusters {
			size, _ := math.Lgamma(float64(c.N))
			l += math.Log(prior.Alpha) + size + prior.logMarginal(c)
		}
		p[i] = math.Exp(l)
		total += p[i]
		index[canonical(z)] = i
	}
	for i := range p {
		p[i] /= total
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, run := range []struct {
		name               string
		start              func() int
		sweeps, replicates int
	}{
		{"from exact draws", func() int { return exact.Pick(p, r.Float64()) }, 1, 15_000},
		{"from one cluster", func() int { return 0 }, 30, 2_000},
	} {
		counts := make([]int, len(list))
		for rep := range run.replicates {
			s, err := New(points, prior, list[run.start()], uint64(rep))
			if err != nil {
				t.Fatal(err)
			}
			for range run.sweeps {
				s.Sweep()
			}
			counts[index[canonical(s.Z)]]++
		}
		exact.Frequencies(t, run.name, counts, p)
	}
}

// TestFaithful samples the number of clusters on Old Faithful, from one cluster and
// from as many as there are points, and compares with what is stored, at 4 standard
// errors: by the Normal limit a right sampler fails once in 15,000 runs, but seeds are
// fixed.
func TestFaithful(t *testing.T) {
	chains, warmup, draws := 2, 100, 400
	if *update {
		chains, warmup, draws = 4, 2000, 50_000
	} else if testing.Short() {
		t.Skip("-short")
	}
	x, err := Faithful()
	if err != nil {
		t.Fatal(err)
	}
	number := make([][]float64, chains)
	var wait sync.WaitGroup
	for c := range chains {
		z := make([]int, len(x))
		if c%2 == 1 {
			for i := range z {
				z[i] = i
			}
		}
		s, err := New(x, DefaultPrior(2), z, uint64(c)+1)
		if err != nil {
			t.Fatal(err)
		}
		wait.Go(func() {
			for i := range warmup + draws {
				s.Sweep()
				if i >= warmup {
					number[c] = append(number[c], float64(len(s.Clusters)))
				}
			}
		})
	}
	wait.Wait()
	now := summarise(number)
	now.Warmup = warmup
	if *update {
		text, err := json.MarshalIndent(now, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("faithful_clusters.json", append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	then, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	if d, se := now.Mean-then.Mean, math.Hypot(now.MeanMCSE, then.MeanMCSE); !(math.Abs(d) <= 4*se) {
		t.Errorf("mean %.3f, stored %.3f: %.1f standard errors of the difference", now.Mean, then.Mean, d/se)
	}
}

func summarise(number [][]float64) *Posterior {
	p := &Posterior{
		What:   "posterior of the number of occupied clusters, Old Faithful, both coordinates standardised (divisor N-1)",
		Model:  "specs/dpmm.gm at its defaults: alpha = 1, m0 = 0, kappa0 = 0.01, nu0 = 4, Psi0 = I",
		Made:   "go test ./bench/dpmm -run TestFaithful -update -timeout 1h",
		Chains: len(number), Draws: len(number[0]),
		Rhat: runtime.SplitRhat(number), ESS: runtime.ESSMean(number), MeanMCSE: runtime.MCSEMean(number),
	}
	seen := make(map[int]int)
	for _, chain := range number {
		for _, v := range chain {
			seen[int(v)]++
		}
	}
	all := float64(p.Chains * p.Draws)
	for _, k := range slices.Sorted(maps.Keys(seen)) {
		share := float64(seen[k]) / all
		p.Mean += share * float64(k)
		indicator := make([][]float64, len(number))
		for c, chain := range number {
			for _, v := range chain {
				b := 0.0
				if int(v) == k {
					b = 1
				}
				indicator[c] = append(indicator[c], b)
			}
		}
		p.Clusters = append(p.Clusters, Probability{k, share, runtime.MCSEMean(indicator)})
	}
	return p
}
