// This file checks that posteriors are calibrated, by simulation: among draws from the posterior of data that were drawn from the model,
// the unknowns that the data were drawn with have every rank equally often. Talts et al. (2018), "Validating Bayesian inference algorithms
// with simulation-based calibration". The log joint and the log likelihood are ranked too: without quantities that depend on the data, a
// sampler that never looks at them passes. Modrák et al. (2023), "Simulation-based calibration checking for Bayesian computation: the
// choice of test quantities shapes sensitivity".
//
// A chain starts at these unknowns, which are a draw from its posterior: it has nothing to forget, and there is no bias of a start. What
// ranks need is independence: draws that cling to where the chain started are too often all above it or all below. So chains are thinned
// by as many sweeps as pilot chains, of other data sets, say that an independent draw takes. It must not be the chain itself that says so: one
// that stops when it looks well mixed stops before it has seen the tails. What mixes too slowly is not judged. A chain that is
// stuck is what ranks don't show, as ties are broken at random; so it is looked for.

package verify

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
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

// A calibration is a simulation-based calibration with the plates, covariates and constants of one data set.
type calibration struct {
	lab   *lab
	set   *dataio.Set
	where string
	names []string
	pilot []mixing // of each name
	thin  int      // sweeps from one ranked draw to the next
}

// A mixing is how well the chains of data sets from the model mix, by effective draws of a quantity in a sweep.
type mixing struct {
	median, low float64 // low: what 95 % of the chains exceed
	slow        bool    // so low, or that of something it depends on, that the quantity is not judged
}

// A calibrationSize says how much is done.
type calibrationSize struct {
	replicates, draws int // at a first look, and among how many draws a rank is
	sweeps            int // of all replicates together; if chains mix slowly, there are fewer replicates
	pilots            int
	stride            int // at the most, of the states that pilots record
}

func (l *lab) calibrationSize() calibrationSize {
	if l.opt.Level == Full {
		return calibrationSize{replicates: 2000, draws: 31, sweeps: 10_000_000, pilots: 60, stride: 128}
	}
	return calibrationSize{replicates: 250, draws: 15, sweeps: 500_000, pilots: 30, stride: 32}
}

const (
	pilotStates = 256 // that a pilot records
	pilotWorth  = 4   // recorded states that are worth an independent one, at the most

	// slowest is the quantile of effective draws by which chains are thinned, twice what it takes: ranked draws of an autoregressive chain that mixes
	// like this have correlation e^-4. Had those of every chain e^-2, the distribution function of 8,000 ranks would move by half a standard
	// error; had those of one chain in twenty 0.95, by little more than one (simulated, with 31 draws).
	slowest = 0.05
)

// calibrationTrials are those of simulation-based calibration.
func (l *lab) calibrationTrials() []trial {
	sets, err := l.grounds()
	if err != nil {
		return nil // the row of invariance says so
	}
	all := sets
	if l.opt.Level != Full {
		sets = sets[:1]
	}
	made := sync.OnceValues(func() (out []*calibration, err error) {
		for i, set := range all { // chains are long: a model of which other checks lose draws is not calibrated either
			if _, err := l.replicate(census, []uint64{20234, uint64(i)}, func(rng *runtime.Rand) ([]float64, error) {
				_, err := l.drawn(set, rng)
				return nil, err
			}); err != nil {
				return nil, err
			}
		}
		for i, set := range sets {
			c, err := l.calibration(set, uint64(i))
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
		return out, nil
	})
	return []trial{{"calibration", "calibration by simulation", "-log10 tail of the ranks' ECDF", func(v view) (sight, error) {
		cs, err := made()
		if err != nil {
			return sight{}, err
		}
		return l.calibrated(cs, v)
	}}}
}

// census is how many draws from the model tell whether too many lie beyond floating point.
const census = 400

// calibration finds out how well chains mix.
func (l *lab) calibration(set *dataio.Set, ground uint64) (*calibration, error) {
	s, err := l.forwardOnce(set, 20231, ground)
	if err != nil {
		return nil, err
	}
	size := l.calibrationSize()
	c := &calibration{lab: l, set: set, where: l.sizes(s), names: s.ranked().names}
	rows, err := l.replicate(size.pilots, []uint64{20232, ground}, func(rng *runtime.Rand) ([]float64, error) {
		s, err := l.drawn(set, rng)
		var row []float64
		if err == nil {
			wild := s.wild()
			row, err = s.pilot(c.names, size.stride)
			err = astray(wild, err)
		}
		if lost := (lostError{}); errors.As(err, &lost) { // a few pilots say little of how many are
			return slices.Repeat([]float64{math.NaN()}, len(c.names)), nil
		}
		return row, err
	})
	if err != nil {
		return nil, err
	}
	most := pilotWorth * size.stride
	c.thin = 1
	for j := range c.names {
		moved := slices.DeleteFunc(column(rows, j), func(x float64) bool { return !finite(x) })
		if len(moved) == 0 {
			c.pilot = append(c.pilot, mixing{})
			continue
		}
		at := func(prob float64) float64 { return runtime.Quantile([][]float64{moved}, prob) }
		m := mixing{median: at(0.5), low: at(slowest)}
		m.slow = m.low < 1/float64(most)
		if !m.slow {
			c.thin = max(c.thin, min(most, int(math.Ceil(2/m.low))))
		}
		c.pilot = append(c.pilot, m)
	}
	if slices.ContainsFunc(c.pilot, func(m mixing) bool { return m.slow }) { // they depend on what is slow, which pilots may be too short to show
		for j, name := range c.names {
			c.pilot[j].slow = c.pilot[j].slow || name == logJoint || name == logLikelihood
		}
	}
	return c, nil
}

// pilot returns the effective draws in a sweep of each quantity; NaN if it does not move. The chain is recorded after every so many
// sweeps. If the states are too much alike, every other one is forgotten and as many more are recorded at twice the stride.
func (s *specimen) pilot(names []string, stride int) ([]float64, error) {
	chains := make([][]float64, len(names))
	for j := range chains {
		chains[j] = make([]float64, pilotStates)
	}
	q := s.ranked()
	var row []float64
	for have, every := 0, 1; ; every *= 2 {
		for ; have < pilotStates; have++ {
			if err := q.next(every, names, &row); err != nil {
				return nil, err
			}
			for j, x := range row {
				chains[j][have] = x
			}
		}
		still := !slices.ContainsFunc(chains[0], func(x float64) bool { return x != chains[0][0] }) // the log joint
		if 2*every > stride || !still && !slices.ContainsFunc(chains, clings) {
			for j, c := range chains {
				row[j] = runtime.ESSBulk([][]float64{c}) / float64(pilotStates*every)
			}
			return row, nil
		}
		have = pilotStates / 2
		for _, c := range chains {
			for i := range have {
				c[i] = c[2*i+1]
			}
		}
	}
}

// clings reports whether states are too much alike to say how many of them are worth an independent one.
func clings(c []float64) bool { return runtime.ESSBulk([][]float64{c})*pilotWorth < float64(len(c)) }

// rank runs a chain from where the specimen stands, and returns for each quantity the rank of that state among draws from the posterior,
// its value, and whether it ever changed.
func (s *specimen) rank(names []string, draws, thin int, rng *runtime.Rand) ([]float64, error) {
	q := s.ranked()
	var truth, row []float64
	if err := q.next(0, names, &truth); err != nil {
		return nil, err
	}
	below, ties := make([]int, len(names)), make([]int, len(names))
	for range draws {
		if err := q.next(thin, names, &row); err != nil {
			return nil, err
		}
		for j, x := range row {
			switch cmp.Compare(x, truth[j]) { // of NaN too
			case -1:
				below[j]++
			case 0:
				ties[j]++
			}
		}
	}
	var out []float64
	for j, x := range truth {
		out = append(out, float64(below[j]+rng.IntN(ties[j]+1)), x, runtime.Indicator(ties[j] < draws))
	}
	return out, nil
}

// calibrated looks at the ranks of every quantity.
func (l *lab) calibrated(cs []*calibration, v view) (sight, error) {
	var saw sight
	var slow []string
	size := l.calibrationSize()
	for i, c := range cs {
		n := min(size.replicates, max(size.replicates/8, size.sweeps/(c.thin*size.draws)))
		rows, err := l.replicate(n*v.times, []uint64{20233, v.key, uint64(i)}, func(rng *runtime.Rand) ([]float64, error) {
			s, err := l.drawn(c.set, rng)
			if err != nil {
				return nil, err
			}
			wild := s.wild()
			row, err := s.rank(c.names, size.draws, c.thin, rng)
			return row, astray(wild, err)
		})
		if err != nil {
			return saw, err
		}
		saw.n += len(rows)
		band := newBand(len(rows), size.draws+1, v.alpha/float64(len(c.names)*len(cs))) // Bonferroni
		for j, name := range c.names {
			name := fmt.Sprintf("%s (%s)", name, c.where)
			m := c.pilot[j]
			mixes := fmt.Sprintf("effective draws in a sweep: %.2g (median of data sets), %.2g (5%% of them have fewer)", m.median, m.low)
			counts := make([]int, size.draws+1)
			for _, r := range column(rows, 3*j) {
				counts[int(r)]++
			}
			moves := slices.Contains(column(rows, 3*j+2), 1)
			switch {
			case m.slow:
				slow = append(slow, name+": "+mixes)
				continue
			case !moves && (!stuck(column(rows, 3*j+1)) || l.certain(c.names[j]) || !l.bearing(c.names[j], c.set)):
				continue
			case !moves:
				saw.take(-math.Log10(negligible), band.threshold(), func() string {
					return fmt.Sprintf("%s never moves, in %d chains of %d sweeps that start at different values", name, len(rows), c.thin*size.draws)
				})
				continue
			}
			stat := band.statistic(counts)
			saw.plots = append(saw.plots, Plot{Of: name, Ranks: counts, Thin: c.thin, ESS: m.median, Low: m.low,
				Band: band.differences(), Statistic: stat, Threshold: band.threshold()})
			saw.take(stat, band.threshold(), func() string {
				return fmt.Sprintf("%s has not every rank equally often among %d draws from its posterior, one in %d sweeps, in %d data sets: the distribution function of "+
					"its ranks leaves the band in which it lies but with probability %.2g\n%s\n%s", name, size.draws, c.thin, len(rows), band.alpha, shape(counts), mixes)
			})
		}
	}
	if len(slow) > 0 {
		saw.note = fmt.Sprintf("not judged, since in 5%% of the data sets, or more, an independent draw of them, or of what they depend on, takes more than %d sweeps:\n%s",
			pilotWorth*size.stride, strings.Join(slow, "\n"))
	}
	if saw.threshold == 0 {
		return saw, unmakeable("%s", cmp.Or(saw.note, "nothing varies"))
	}
	return saw, nil
}

// stuck reports whether a chain that never moves from these values must be at fault. Whole numbers may be what the data say for certain.
func stuck(starts []float64) bool {
	return slices.ContainsFunc(starts, func(x float64) bool { return x != starts[0] }) &&
		slices.ContainsFunc(starts, func(x float64) bool { return x != math.Trunc(x) })
}

// quantities are what is ranked. Elements over exchangeable plates are left out: chains may take for ever to renumber them.
type quantities struct {
	names      []string
	s          *specimen
	invariants *runtime.Invariants
	locals     []local
	likelihood *ir.Model // the statements that draw data; nil if there are none, or if what they depend on is integrated out
}

// A local is an element of an unknown, or whether two elements are of one category.
type local struct {
	unknown, i int
	alike      int // the other element, -1 if there is none
}

// ranked returns what is ranked.
func (s *specimen) ranked() *quantities {
	q := &quantities{s: s, names: []string{logJoint}, invariants: runtime.NewInvariants(s.Subject, 8)}
	q.names = append(q.names, q.invariants.Names()...)
	exchangeable := func(d runtime.Dim) bool {
		e, ok := as[runtime.Exchanger](s)
		return ok && slices.ContainsFunc(e.Exchangeable(), func(e runtime.Exchangeable) bool { return e.Plate == d.Plate })
	}
	for k, u := range s.Unknowns() {
		if n := u.Len(); u.Local && n > 0 && !slices.ContainsFunc(u.Dims, func(d runtime.Dim) bool { return d.Unbounded || exchangeable(d) }) {
			switch {
			case u.Of.Unbounded || exchangeable(u.Of):
				if n > 1 {
					q.names = append(q.names, fmt.Sprintf("whether the first and the last %s are alike", u.Name))
					q.locals = append(q.locals, local{k, 0, n - 1})
				}
			case n > 1:
				q.names = append(q.names, "the last "+u.Name)
				q.locals = append(q.locals, local{k, n - 1, -1})
				fallthrough
			default:
				q.names = append(q.names, "the first "+u.Name)
				q.locals = append(q.locals, local{k, 0, -1})
			}
		}
	}
	if q.likelihood = s.lab.likelihood(); q.likelihood != nil {
		q.names = append(q.names, logLikelihood)
	}
	return q
}

// next makes so many sweeps, and sets row to the quantities, which must be those of the given names.
func (q *quantities) next(sweeps int, names []string, row *[]float64) error {
	if !slices.Equal(q.names, names) {
		return fmt.Errorf("%v is ranked, and was %v", q.names, names)
	}
	for range sweeps {
		if err := q.s.step(); err != nil {
			return err
		}
	}
	*row = q.invariants.Append(append((*row)[:0], q.s.Subject.LogJoint()))
	us := q.s.Unknowns()
	for _, e := range q.locals {
		x := us[e.unknown].Value(e.i)
		if e.alike >= 0 {
			x = runtime.Indicator(x == us[e.unknown].Value(e.alike))
		}
		*row = append(*row, x)
	}
	if q.likelihood == nil {
		return nil
	}
	q.s.look()
	lp, err := interp.LogJoint(q.likelihood, q.s.env)
	*row = append(*row, lp)
	return err
}

const logJoint, logLikelihood = "the log joint", "the log likelihood"

// of returns the statements whose log density the quantity is, nil if it is none.
func (l *lab) of(quantity string) *ir.Model {
	switch quantity {
	case logLikelihood:
		return l.likelihood()
	case logJoint:
		return l.typed
	}
	return nil
}

// certain reports whether a quantity may stay where it is since all unknowns in it are whole numbers, which the data may say for certain.
func (l *lab) certain(quantity string) bool {
	m := l.of(quantity)
	if m == nil {
		return false
	}
	return !slices.ContainsFunc(m.Factors, func(f *ir.Factor) bool {
		return slices.ContainsFunc(append([]ir.Expr{f.X, f.Lo, f.Hi}, f.Args...), func(e ir.Expr) bool {
			real := false
			if e != nil {
				ir.WalkExpr(e, func(e ir.Expr) {
					r, ok := e.(*ir.Ref)
					real = real || ok && r.Var.Unknown() && r.Var.Type.Elem == ir.Real
				})
			}
			return real
		})
	})
}

// bearing reports whether unknowns have one on the quantity, a log density: whether it is another one, of the same data, at other draws of
// theirs. A statement may name an unknown whose value makes no difference, as z in x[z] / x[z], or which has but one. Other quantities are unknowns.
func (l *lab) bearing(quantity string, set *dataio.Set) bool {
	m := l.of(quantity)
	if m == nil {
		return true
	}
	const tries = 10
	for try := range uint64(2 * tries) {
		env, other := l.environment(set), l.environment(set)
		rng := l.rand(20219, try)
		if interp.Simulate(l.typed, env, rng) != nil || interp.Simulate(l.typed, other, rng) != nil {
			continue
		}
		here, err := interp.LogJoint(m, env)
		for _, v := range l.typed.Vars {
			if v.Unknown() {
				env.Values[v.Name] = other.Values[v.Name]
			}
		}
		maps.Copy(env.Sizes, other.Sizes) // of unbounded plates
		there, failed := interp.LogJoint(m, env)
		if err != nil || failed != nil || !near(here, there, math.Abs(here)+1) {
			return true
		}
	}
	return false
}

// likelihood returns the model with the statements by which unknowns draw data, and no others.
func (l *lab) likelihood() *ir.Model {
	m := *l.typed
	m.Factors, m.Constraints = nil, nil
	for _, f := range l.typed.Factors {
		if f.X.Var.Role != dsl.Data {
			continue
		}
		gone, about := false, false
		for _, e := range append([]ir.Expr{f.Lo, f.Hi}, f.Args...) {
			if e != nil {
				ir.WalkExpr(e, func(e ir.Expr) {
					r, ok := e.(*ir.Ref)
					gone = gone || ok && slices.Contains(l.typed.Collapse, r.Var)
					about = about || ok && r.Var.Unknown()
				})
			}
		}
		if gone {
			return nil
		}
		if about { // what depends on no unknown never moves
			m.Factors = append(m.Factors, f)
		}
	}
	if m.Factors == nil {
		return nil
	}
	return &m
}

// shape tells what ranks look like, in four parts.
func shape(counts []int) string {
	var parts []string
	n := 0
	for _, c := range counts {
		n += c
	}
	for i := range 4 {
		sum := 0
		for _, c := range counts[i*len(counts)/4 : (i+1)*len(counts)/4] {
			sum += c
		}
		parts = append(parts, fmt.Sprintf("%.1f%%", 100*float64(sum)/float64(n)))
	}
	return fmt.Sprintf("ranks in the four quarters: %s (too low ones: draws lie too high; too many at both ends: draws too narrow; in the middle: too wide)",
		strings.Join(parts, ", "))
}
