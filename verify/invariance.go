// This file checks that updates leave the posterior alone, draws and bookkeeping and order of updates together: unknowns and data that
// are drawn from the model have the same distribution after any number of updates, also if the data are drawn anew between them. The
// test is exact: there is no chain to converge. Gandy & Scott (2021), "Unit testing for MCMC and other Monte Carlo methods"; the joint
// chain is Geweke's (2004), started in its own distribution, and compared by ranks.

package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/ir/interp"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// An update moves a specimen on, and leaves the joint distribution of unknowns and data alone if all is well.
type update struct {
	kind, name string
	times      int // that it is made: a wrong update leads further and further away
	move       func(s *specimen, rng *runtime.Rand) (*specimen, error)
	data       bool // it changes the data too
}

// replicates is the number of draws from the model on either side of a comparison, at a first look.
func (l *lab) replicates() int {
	if l.opt.Level == Full {
		return 4000
	}
	return 1000
}

// invarianceSizes are the sizes of the data sets of statistical checks.
var invarianceSizes = [][]int{{5, 2, 3}, {2, 4, 3, 2}}

// grounds are data sets whose plates, covariates and constants statistical checks keep.
func (l *lab) grounds() ([]*dataio.Set, error) {
	if name := improper(l.typed); name != "" {
		return nil, unmakeable("the prior of %s is improper, so nothing can be drawn from the model; give it a proper one, such as a Normal with a large "+
			"standard deviation, to have this checked", name)
	}
	var out []*dataio.Set
	var last error
	for i, sizes := range invarianceSizes {
		set, _, err := l.pick(sizes, 100+uint64(i), func(set *dataio.Set, _ int, rng *runtime.Rand) (*specimen, error) { return l.forward(set, rng) })
		if err != nil {
			last = err
			continue
		}
		out = append(out, set)
	}
	if out == nil {
		return nil, unmakeable("%v", l.impossible(last))
	}
	return out, nil
}

// invarianceTrials are those of every update.
func (l *lab) invarianceTrials() []trial {
	sets, err := l.grounds()
	if err != nil {
		return []trial{{"invariance", "invariance and calibration", "", func(view) (sight, error) { return sight{}, err }}}
	}
	first, err := l.forwardOnce(sets[0], 20211)
	if err != nil {
		return []trial{{"invariance", "invariance", "", func(view) (sight, error) { return sight{}, err }}}
	}
	befores := &befores{lab: l, sets: sets, have: map[string][][]float64{}}
	var out []trial
	for i, u := range l.updates(first) {
		out = append(out, trial{u.kind, u.name, "distance of distribution functions", func(v view) (sight, error) {
			return l.invariant(befores, u, uint64(i), v)
		}})
	}
	return out
}

// forwardOnce returns forward's first draw that does not lie beyond floating point; most don't.
func (l *lab) forwardOnce(set *dataio.Set, keys ...uint64) (s *specimen, err error) {
	for try := range uint64(200) {
		if s, err = l.forward(set, l.rand(append(keys, try)...)); err == nil {
			return s, nil
		}
	}
	return nil, unmakeable("%v", l.impossible(err))
}

// befores keeps the draws from the model that updated ones are compared with: they are the same for every update.
type befores struct {
	lab  *lab
	sets []*dataio.Set
	mu   sync.Mutex
	have map[string][][]float64
}

func (b *befores) rows(set int, v view, data bool) ([][]float64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := fmt.Sprint(set, v.times, data)
	if rows, ok := b.have[key]; ok {
		return rows, nil
	}
	rows, err := b.lab.replicate(b.lab.replicates()*v.times, []uint64{20212, uint64(set), uint64(v.times)}, func(rng *runtime.Rand) ([]float64, error) {
		s, err := b.lab.drawn(b.sets[set], rng)
		if err != nil {
			return nil, err
		}
		_, row := s.watch(data)
		return row, nil
	})
	if err == nil {
		b.have[key] = rows
	}
	return rows, err
}

// invariant compares draws from the model with as many that were updated.
func (l *lab) invariant(b *befores, u update, arm uint64, v view) (sight, error) {
	var saw sight
	for i, set := range b.sets {
		s, err := l.forwardOnce(set, 20214, uint64(i))
		if err != nil {
			return saw, err
		}
		names, _ := s.watch(u.data)
		alpha := v.alpha / float64(len(names)*len(b.sets)) // Bonferroni
		before, err := b.rows(i, v, u.data)
		if err != nil {
			return saw, err
		}
		after, err := l.replicate(l.replicates()*v.times, []uint64{20213, v.key, uint64(i), arm}, func(rng *runtime.Rand) ([]float64, error) {
			s, err := l.drawn(set, rng)
			if err != nil {
				return nil, err
			}
			wild := s.wild()
			for range u.times {
				wild = wild || u.data && s.wild() // with data anew the chain goes wherever the priors do
				next, err := u.move(s, rng)
				if err != nil {
					return nil, astray(wild, err)
				}
				s = next
			}
			got, row := s.watch(u.data)
			if !slices.Equal(got, names) {
				return nil, fmt.Errorf("%v is watched, and was %v", got, names)
			}
			return row, nil
		})
		if err != nil {
			return saw, err
		}
		saw.n += len(after)
		lost := float64(l.replicates()*v.times-len(after)) / float64(len(after)) // by so much draws that are left out move what is left
		for j, name := range names {
			x, y := column(before, j), column(after, j)
			slices.Sort(x)
			slices.Sort(y)
			d, most := distance(x, y), critical(len(x), len(y), alpha)+lost
			saw.take(d, most, func() string {
				return fmt.Sprintf("%s changes the distribution of %s: in %d draws from the model, before and after %d of them, its distribution functions "+
					"are %.3g apart, and %.3g at the most by chance (%s; probability of a false alarm here: %.2g)",
					u.name, name, len(y), u.times, d, most, l.sizes(s), alpha)
			})
		}
	}
	return saw, nil
}

// updates lists the updates that are checked at this level.
func (l *lab) updates(s *specimen) []update {
	const times = 20
	sweep := func(s *specimen, _ *runtime.Rand) (*specimen, error) { return s, s.step() }
	add := func(out []update, kind, name string, move func(s *specimen, rng *runtime.Rand) (*specimen, error)) []update {
		return append(out, update{kind: kind, name: name, times: times, move: move})
	}
	var out []update
	if l.Forward != nil {
		out = append(out, update{kind: "simulation", name: "Simulate of the package", times: 1, move: func(s *specimen, rng *runtime.Rand) (*specimen, error) {
			set, err := l.set(s.env)
			if err != nil {
				return nil, err
			}
			return l.simulated(set, rng)
		}})
	}
	out = add(out, "invariance", "a sweep", sweep)
	scans := []struct {
		m    int
		scan runtime.Scan
	}{{1, runtime.CyclicScan}, {2, runtime.ShuffledScan}}
	if l.opt.Level == Full {
		scans = append(scans, []struct {
			m    int
			scan runtime.Scan
		}{{1, runtime.RandomScan}, {2, runtime.CyclicScan}, {2, runtime.RandomScan}, {2, runtime.SequentialScan}, {3, runtime.ShuffledScan}, {3, runtime.CyclicScan}}...)
	}
	for _, c := range scans {
		if s.Units() > 1 {
			out = add(out, "invariance", fmt.Sprintf("batches of %d, %s scan", c.m, c.scan), func(s *specimen, rng *runtime.Rand) (*specimen, error) { return s, pass(s, c.m, c.scan, rng) })
		}
	}
	if _, ok := as[runtime.Crewed](s); ok && s.Units() > 1 {
		workers := []int{2}
		if l.opt.Level == Full {
			workers = []int{1, 2, 4}
		}
		for _, n := range workers {
			out = add(out, "invariance", fmt.Sprintf("a sweep in blocks, workers: %d", n), func(s *specimen, rng *runtime.Rand) (*specimen, error) {
				crewed, _ := as[runtime.Crewed](s)
				crewed.Crew().SetWorkers(n)
				crewed.Crew().SetBlock(1)
				return sweep(s, rng)
			})
		}
	}
	if l.opt.Level == Full {
		seen := map[string]bool{}
		for _, c := range s.Conditionals() {
			v := nameOf(c.Name)
			if c.Collapsed || seen[v] {
				continue
			}
			seen[v] = true
			out = add(out, "invariance", "the draw of "+v, func(s *specimen, rng *runtime.Rand) (*specimen, error) { return s, drawOne(s, v, rng) })
		}
	}
	if !slices.ContainsFunc(l.typed.Vars, func(v *ir.Var) bool { return v.Role == dsl.Data && l.drawnData(v) }) {
		return out
	}
	again := 10
	if l.opt.Level == Full {
		again = 30 // what floating point loses of draws, such as those of Gamma variables of tiny shape, grows with it
	}
	return append(out, update{kind: "joint", name: "the joint chain: sweeps, and data anew", times: again, data: true,
		move: func(s *specimen, rng *runtime.Rand) (*specimen, error) {
			if err := s.step(); err != nil {
				return nil, err
			}
			s.look()
			env := s.env
			if err := interp.Redraw(l.typed, env, rng); err != nil {
				if errors.Is(err, interp.ErrIntegrated) {
					return nil, unmakeable("%v", err)
				}
				return nil, lostError{err}
			}
			return l.moved(env, rng)
		}})
}

// simulated returns the chain at what the package itself simulates.
func (l *lab) simulated(set *dataio.Set, rng *runtime.Rand) (*specimen, error) {
	s, err := l.Forward(set, rng)
	if err != nil {
		return nil, lostError{err}
	}
	return l.specimen(set, s)
}

// pass makes rounds of m units until as many were refreshed as there are.
func pass(s *specimen, m int, scan runtime.Scan, rng *runtime.Rand) error {
	b := runtime.NewBatches(s.Units(), m, scan, rng)
	for left := s.Units(); left > 0; left -= m {
		if err := s.UpdateGlobals(); err != nil {
			return err
		}
		if err := s.UpdateLocals(b.Next()); err != nil {
			return err
		}
	}
	return nil
}

// drawOne draws an element of the variable, any one of those there are.
func drawOne(s *specimen, variable string, rng *runtime.Rand) error {
	of := slices.DeleteFunc(s.Conditionals(), func(c runtime.Conditional) bool { return nameOf(c.Name) != variable || c.Collapsed })
	if len(of) == 0 {
		return nil // its plate has no element just now
	}
	return of[rng.IntN(len(of))].Draw()
}

// nameOf returns the variable that an element's name is of.
func nameOf(element string) string {
	name, _, _ := strings.Cut(element, "[")
	return name
}

// watch returns what is compared, and its names; with data, of what the model draws, all of it.
func (s *specimen) watch(data bool) (names []string, values []float64) {
	names, values = []string{logJoint}, []float64{s.Subject.LogJoint()}
	ends := func(name string, n int, value func(i int) float64) {
		if n > 0 {
			names, values = append(names, "the first "+name), append(values, value(0))
		}
		if n > 1 {
			names, values = append(names, "the last "+name), append(values, value(n-1))
		}
	}
	for _, u := range s.Unknowns() {
		if !u.Unbounded() {
			ends(u.Name, u.Len(), u.Value)
		}
	}
	if data {
		for _, v := range s.lab.typed.Vars {
			if v.Role == dsl.Data && s.lab.drawnData(v) {
				xs := s.env.Values[v.Name]
				ends(v.Name, len(xs), func(i int) float64 { return xs[i] })
			}
		}
	}
	scalars := runtime.NewInvariants(s.Subject, 8)
	return append(names, scalars.Names()...), scalars.Append(values)
}

// drawnData reports whether v is drawn from the model, or observed.
func (l *lab) drawnData(v *ir.Var) bool {
	return slices.ContainsFunc(l.typed.Factors, func(f *ir.Factor) bool { return f.X.Var == v }) ||
		slices.ContainsFunc(l.typed.Constraints, func(k *ir.Constraint) bool { return k.Y.Var == v })
}

// distance returns the largest difference of the distribution functions of two sorted samples. Equal numbers are stepped over at
// once, so that of discrete numbers too it is right, and its test the more cautious.
func distance(a, b []float64) float64 {
	var most float64
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x := min(a[i], b[j])
		for i < len(a) && !(a[i] > x) {
			i++
		}
		for j < len(b) && !(b[j] > x) {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}

// critical returns the distance that samples of n and m from one distribution exceed with probability alpha: Smirnov's (1939) limit, and
// the bound of Dvoretzky, Kiefer & Wolfowitz in its form for two samples (Wei & Dudley 2012).
func critical(n, m int, alpha float64) float64 {
	size := float64(n) * float64(m) / float64(n+m)
	return math.Sqrt(math.Log(2/alpha) / 2 / size)
}
