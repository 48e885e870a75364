// This file checks that kernels draw from the density that they should. That the log density of each is the log joint's is checked
// exactly; that draws follow it can only be seen in draws.
//
// A draw that follows the density f lies, on a line through it whose direction was chosen without looking, at a place of density
// proportional to f there. So its distribution function along the line, by quadrature, is uniform on (0, 1), whatever the dimension, the
// state and the data: draws at many states make one sample, and a test that is exact at every size (Massart 1990). f is the log joint as
// printed in the package: the judge's evaluation takes 50 times as long, so it is asked at a few places of each line, and must agree.

package verify

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/ir/interp"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

const (
	stops      = 5    // of a walk: states at which draws are made
	perStop    = 20   // draws there, each from the same state
	perVector  = 4    // draws of vectors and matrices there: each has a line of its own to integrate along
	again      = 5    // times that a number is drawn before it is looked at: a kernel that is only almost right goes astray
	awkwardly  = 4    // one walk in so many begins however extraordinary the numbers are
	pickedMost = 0.05 // share of draws that may be left out once they were made
)

// walks is how many walks a first look takes, each of 100 draws of a number or 20 of a vector. Of numbers it sees a distribution function
// that is off by 0.025 at the quick level, and by 0.008 at the full one: a standard deviation that is 1.1 or 1.03 times as large as
// it should be, 10 times of 10.
func (l *lab) walks() int {
	if l.opt.Level == Full {
		return 600
	}
	return 60
}

// drawTrials are those of every kernel's draws.
func (l *lab) drawTrials() []trial {
	var sets []*dataio.Set
	var names []string
	var last error
	for i, sizes := range exactSizes {
		var stood *specimen
		set, _, err := l.pick(sizes, 300+uint64(i), func(set *dataio.Set, _ int, rng *runtime.Rand) (*specimen, error) {
			s, err := l.stand(set, rng)
			if err == nil {
				stood = s // the last that could be made, of whatever size: all have the same unknowns
			}
			return s, err
		})
		if err != nil {
			last = err
			continue
		}
		sets = append(sets, set)
		for _, c := range stood.Conditionals() {
			if v := nameOf(c.Name); !c.Collapsed && !slices.Contains(names, v) {
				names = append(names, v)
			}
		}
	}
	if sets == nil {
		return []trial{{"draws", "draws", "", func(view) (sight, error) { return sight{}, unmakeable("%v", l.impossible(last)) }}}
	}
	var out []trial
	for i, name := range names {
		d := &drawing{lab: l, sets: sets, name: name, v: l.typed.Var(name), key: uint64(i)}
		out = append(out, trial{"draws", "draws of " + name, "distance of distribution functions", d.look})
	}
	return out
}

// stand returns the sampler of data and unknowns drawn from the model, where it can be drawn from; else of the data given, where it starts.
func (l *lab) stand(set *dataio.Set, rng *runtime.Rand) (*specimen, error) {
	if improper(l.typed) != "" {
		return l.opened(set, rng)
	}
	return l.forward(set, rng)
}

// A drawing is the check of one variable's draws.
type drawing struct {
	lab  *lab
	sets []*dataio.Set
	name string
	v    *ir.Var
	key  uint64
}

// A stroll is what one walk saw: the places of draws in their conditionals, in three ways that show different faults. Each is
// uniform on (0, 1) if all is well.
type stroll struct {
	place  []float64 // of a number: its distribution function; of categories: with these in their order
	spread []float64 // of a number: how far from the median, either way; of categories: with the likeliest ones first
	drift  []float64 // of each stop: how far its draws together are from the median, either way. Faults of other directions at other states add up here
	left   int       // draws left out, for the state that they would be made at: that is no bias
	picked int       // draws left out once they were made
	stuck  int       // draws that are where they began
	why    error     // why the last one was left out
	at     scene     // where the walk began, if it is to be told
}

// A scene is a state at which draws were looked at.
type scene struct {
	name, state string
	quantile    func(u float64) float64 // of a number
}

func (w *stroll) add(place, spread float64) {
	w.place, w.spread = append(w.place, place), append(w.spread, spread)
}

// addNumber takes in the distribution function of a number at a draw.
func (w *stroll) addNumber(u float64) { w.add(u, math.Abs(2*u-1)) }

// addStop takes in what the places at one stop have in common: their Normal quantiles, summed, have the distribution of a Normal number.
func (w *stroll) addStop(places []float64) {
	if len(places) < 2 {
		return
	}
	sum := 0.0
	for _, u := range places {
		sum += math.Erfinv(2*u - 1)
	}
	far := math.Erf(math.Abs(sum) / math.Sqrt(float64(len(places))))
	if far != far { // at both ends
		far = 1
	}
	w.drift = append(w.drift, far)
}

// leave leaves out n draws that would be made at this state.
func (w *stroll) leave(n int, why error) { w.left, w.why = w.left+n, why }

// look makes walks, and holds the places of all draws together to the uniform distribution.
func (d *drawing) look(v view) (sight, error) {
	keys := []uint64{20261, v.key, d.key}
	rows, err := d.lab.replicate(d.lab.walks()*v.times, keys, func(rng *runtime.Rand) ([]float64, error) {
		w, err := d.walk(rng, false)
		if err != nil {
			return nil, err
		}
		return slices.Concat([]float64{float64(w.left), float64(w.picked), float64(w.stuck), float64(len(w.place))}, w.place, w.spread, w.drift), nil
	})
	if err != nil {
		return sight{}, err
	}
	all := &stroll{}
	doubtful := 0
	for i, row := range rows {
		all.left, all.picked, all.stuck = all.left+int(row[0]), all.picked+int(row[1]), all.stuck+int(row[2])
		each, places := int(row[3]), row[4:]
		all.place, all.spread = append(all.place, places[:each]...), append(all.spread, places[each:2*each]...)
		all.drift = append(all.drift, places[2*each:]...)
		if row[0]+row[1] > 0 {
			doubtful = i
		}
	}
	n := len(all.place)
	left := float64(all.picked) / float64(max(1, n+all.picked))
	if n == 0 || left > pickedMost || all.left > n {
		w, err := d.walk(d.lab.rand(append(keys, uint64(doubtful))...), false)
		if err == nil {
			err = w.why
		}
		if err == nil {
			err = errors.New("it has no element that could take two values")
		}
		return sight{}, unmakeable("%d of %d draws of %s can't be compared with their density: %v", all.left+all.picked, all.left+all.picked+n, d.name, err)
	}
	saw := sight{n: n}
	if all.stuck > n/2 {
		saw.take(float64(all.stuck)/float64(n), 0.5, func() string {
			return fmt.Sprintf("%d of %d draws of %s leave it where it was", all.stuck, n, d.name)
		})
		return saw, nil
	}
	for way, us := range [][]float64{all.place, all.spread, all.drift} {
		if len(us) == 0 {
			continue
		}
		// Bonferroni: there are three tests. What was left out once drawn moves a distribution function by its share at the most.
		alpha := v.alpha / 3
		off, at := unevenness(us)
		most := uniformLimit(len(us), alpha) + left
		if way == 2 {
			most += left * float64(perVector-1) // of the stops, more have lost one
		}
		saw.take(off, most, func() string {
			share := 0.0
			for _, u := range us {
				if u <= at {
					share += 1 / float64(len(us))
				}
			}
			return fmt.Sprintf("of %d %s, and of the density %.3g%%: distribution functions are %.3g apart, and %.3g at the most by chance "+
				"(probability of a false alarm here: %.2g)%s", len(us), d.event(way, share, at), 100*at, off, most, alpha, d.instance(keys, at))
		})
	}
	return saw, nil
}

// event words which places are at most at.
func (d *drawing) event(way int, share, at float64) string {
	draws := fmt.Sprintf("draws of %s %.3g%% ", d.name, 100*share)
	switch {
	case way == 2:
		return fmt.Sprintf("states at which %s was drawn %.3g%% have draws that are together within %.3g standard deviations of the middle",
			d.name, 100*share, math.Sqrt2*math.Erfinv(at))
	case !d.number() && way == 0:
		return draws + "are of those categories that come first"
	case !d.number():
		return draws + "are of those categories that are the likeliest"
	case way == 0:
		return draws + fmt.Sprintf("lie below the %.3g%% quantile", 100*at)
	}
	return draws + fmt.Sprintf("lie between the %.3g%% and the %.3g%% quantile", 50*(1-at), 50*(1+at))
}

// instance tells one of the states.
func (d *drawing) instance(keys []uint64, at float64) string {
	for i := range uint64(d.lab.walks()) {
		w, err := d.walk(d.lab.rand(append(keys, i)...), true)
		if err != nil || w.at.name == "" {
			continue
		}
		quantile := ""
		if q := w.at.quantile; q != nil {
			quantile = fmt.Sprintf(", whose %.3g%% quantile is %.6g and median %.6g", 100*at, q(at), q(0.5))
		}
		return fmt.Sprintf("\none of the draws was of %s%s, at %s", w.at.name, quantile, w.at.state)
	}
	return ""
}

// number reports whether the places of draws are in order of size.
func (d *drawing) number() bool { return d.v.Type.Elem == ir.Real }

// walk makes a sampler, moves it on, and draws at each stop. Each draw is undone: what was drawn does not tell where the next draws are
// made, so that all places are independent.
func (d *drawing) walk(rng *runtime.Rand, tell bool) (*stroll, error) {
	s, err := d.start(rng)
	if err != nil {
		return nil, lostError{err}
	}
	w := &stroll{}
	wild := s.wild()
	for stop := range stops {
		if stop > 0 && s.step() != nil {
			break
		}
		of := slices.DeleteFunc(s.Conditionals(), func(c runtime.Conditional) bool { return c.Collapsed || nameOf(c.Name) != d.name })
		s.Resum()
		if len(of) == 0 || !finite(s.Subject.LogJoint()) {
			continue
		}
		if s.coarse() {
			w.leave(perStop, errLarge)
			continue
		}
		i := rng.IntN(len(of))
		if tell && w.at.name == "" {
			w.at = scene{name: of[i].Name, state: d.lab.sizes(s) + "; " + s.state()}
		}
		before := len(w.place)
		err := d.drawAt(s, of, i, w, rng)
		w.addStop(w.place[before:])
		if err != nil {
			if wild || !ordinary(s.AppendValues(nil)) || errors.Is(err, runtime.ErrNotPosDef) {
				w.leave(perStop, err)
				break
			}
			return nil, fmt.Errorf("%s: %w; at %s; %s", of[i].Name, err, d.lab.sizes(s), s.state())
		}
	}
	return w, nil
}

// start returns a sampler somewhere. Any state will do, as long as the draws to be looked at have no say.
func (d *drawing) start(rng *runtime.Rand) (*specimen, error) {
	set := d.sets[rng.IntN(len(d.sets))]
	awkward := rng.IntN(awkwardly) == 0
	var any *specimen
	err := errors.New("the log joint is not finite")
	for range 20 {
		s, refused := d.lab.stand(set, rng)
		if refused != nil {
			err = refused
			continue
		}
		if lp := s.Subject.LogJoint(); finite(lp) {
			if any = s; awkward || math.Abs(lp) < 1e5 && ordinary(s.AppendValues(nil)) {
				break
			}
		}
	}
	if any == nil {
		return nil, err
	}
	return any, nil
}

// drawAt draws element i several times at the current state, and leaves the state as it was.
func (d *drawing) drawAt(s *specimen, of []runtime.Conditional, i int, w *stroll, rng *runtime.Rand) error {
	c := of[i]
	switch {
	case c.Values != nil && d.v.Type.Of != nil && d.v.Type.Of.Unbounded:
		return d.groups(s, of, i, w, rng)
	case c.Values != nil:
		return d.categories(s, c, w, rng)
	case !d.number():
		return unmakeable("%s is a count: its draws are not compared with their probabilities", d.name)
	case len(c.Get()) == 1 && d.v.Support.Kind == ir.Line:
		return d.numbers(s, c, w, rng)
	}
	return d.vectors(s, c, w, rng)
}

// numbers draws a number. It begins at a draw from its density, by the quantile of a uniform number: so that of a kernel which starts
// from the old value too, such as a slice sampler, the draw has the density if the kernel leaves it invariant.
func (d *drawing) numbers(s *specimen, c runtime.Conditional, w *stroll, rng *runtime.Rand) error {
	x0 := c.Get()
	lo, hi := ends(d.v)
	l, co := axis(x0[0], lo, hi)
	f, err := s.along(c, l, rng)
	c.Set(x0)
	if err == nil && !f.whole() {
		err = errTail
	}
	if err != nil {
		if wrong := (wrongError{}); errors.As(err, &wrong) {
			return err
		}
		w.leave(perStop, err)
		return nil
	}
	if w.at.name != "" && w.at.quantile == nil {
		w.at.quantile = func(u float64) float64 { return co.x(f.quantile(u)) }
	}
	g := l.density(func(x []float64) float64 {
		c.Set(x)
		return s.printed()
	})
	// Draws that nothing is made of tell whether the kernel finds modes that the line has beyond a sea of nothing.
	before := len(w.place)
	for probe := range 2 * perStop {
		start := co.x(f.quantile(rng.Open01()))
		c.Set([]float64{start})
		for range again {
			if err := c.Draw(); err != nil {
				return err
			}
		}
		x := c.Get()[0]
		if f.misses(g, co.y(x)) {
			w.place, w.spread = w.place[:before], w.spread[:before]
			w.leave(perStop, errIsland)
			break
		}
		if probe < perStop {
			continue
		}
		if x == start {
			w.stuck++
		}
		w.addNumber(f.cdf(co.y(x)))
	}
	c.Set(x0)
	return nil
}

// vectors draws several numbers at once, which start anew whatever they were, and looks along a line through each draw.
func (d *drawing) vectors(s *specimen, c runtime.Conditional, w *stroll, rng *runtime.Rand) error {
	x0 := c.Get()
	defer c.Set(x0)
	way := d.direction(len(x0), rng) // the same for all draws at this state, so that they drift together
	if way == nil {
		return nil
	}
	for range perVector {
		c.Set(x0)
		if err := c.Draw(); err != nil {
			return err
		}
		x := c.Get()
		c.Set(x)
		if lp := s.Subject.LogJoint(); math.IsInf(lp, -1) { // outside of the support
			w.addNumber(0)
			continue
		}
		l, err := way(x)
		if err == nil && !l.starts() { // so is the end of the line, whichever draw it is made through: no bias
			w.leave(1, errTail)
			continue
		}
		var f *density
		if err == nil {
			f, err = s.along(c, l, rng)
		}
		if err == nil && !f.whole() && d.v.Support.Kind != ir.Simplex {
			err = errTail
		}
		if wrong := (wrongError{}); errors.As(err, &wrong) {
			return err
		}
		if err != nil {
			w.picked, w.why = w.picked+1, err
			continue
		}
		w.addNumber(f.cdf(l.y0))
	}
	return nil
}

// direction chooses lines through n numbers; nil if there is none.
func (d *drawing) direction(n int, rng *runtime.Rand) func(x []float64) (line, error) {
	i := rng.IntN(n)
	switch d.v.Support.Kind {
	case ir.Simplex:
		if n < 2 {
			return nil
		}
		return func(x []float64) (line, error) { return shared(x, i), nil }
	case ir.SPD:
		p := int(math.Round(math.Sqrt(float64(n))))
		return func(x []float64) (line, error) { return leaning(x, p, i/p, i%p) }
	}
	to := make([]float64, n)
	if to[i] = 1; rng.IntN(2) == 0 { // along an axis every other time, since scales may differ
		for i := range to {
			to[i] = rng.Norm()
		}
	}
	return func(x []float64) (line, error) { return through(x, to), nil }
}

// A wrongError is a log joint that the judge does not agree with.
type wrongError struct{ printed, judged float64 }

func (e wrongError) Error() string {
	return fmt.Sprintf("the log joint that is printed in the package is %.12g, the interpreter's %.12g", e.printed, e.judged)
}

// along tabulates the log joint along a line, and asks the judge at a place drawn from it, and just outside where it ends.
func (s *specimen) along(c runtime.Conditional, l line, rng *runtime.Rand) (*density, error) {
	f, err := tabulate(l.density(func(x []float64) float64 {
		c.Set(x)
		return s.printed()
	}), l.y0)
	if err != nil {
		return nil, err
	}
	if !f.resolved(l) {
		return nil, errNarrow
	}
	for _, y := range append(f.cut, f.quantile(rng.Open01())) {
		x, _ := l.at(y)
		c.Set(x)
		if err := s.agree(); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// agree asks the judge about the current state. Where it can't say anything there is no density.
func (s *specimen) agree() error {
	if printed, judged := s.Subject.LogJoint(), s.LogJoint(); finite(printed) != finite(judged) ||
		math.Abs(printed) < 1e5 && ordinary(s.AppendValues(nil)) && !near(printed, judged, math.Abs(judged)+1) {
		return wrongError{printed, judged}
	}
	return nil
}

// categories draws one of a few values.
func (d *drawing) categories(s *specimen, c runtime.Conditional, w *stroll, rng *runtime.Rand) error {
	x0 := c.Get()
	defer c.Set(x0)
	lps := make([]float64, c.Values())
	if len(lps) < 2 {
		return nil
	}
	asked := rng.IntN(len(lps))
	for k := range lps {
		c.Set([]float64{float64(k)})
		lps[k] = s.Subject.LogJoint()
		if k == asked {
			if err := s.agree(); err != nil {
				return err
			}
		}
	}
	for range times(lps) {
		c.Set(x0)
		if err := c.Draw(); err != nil {
			return err
		}
		w.addCategory(lps, int(c.Get()[0]), rng)
	}
	return nil
}

// times is how often a category is drawn: less often if there is next to no choice.
func times(lps []float64) int {
	p, sum := weights(lps)
	if slices.Max(p) > 0.99*sum {
		return perStop / 4
	}
	return perStop
}

// weights returns what probabilities are proportional to, and their sum.
func weights(lps []float64) (p []float64, sum float64) {
	top := slices.Max(lps)
	p = make([]float64, len(lps))
	for i, lp := range lps {
		if lp == lp {
			p[i] = math.Exp(lp - top)
		}
		sum += p[i]
	}
	return p, sum
}

// addCategory takes in category k of those with these log probabilities: a uniform place in the part of (0, 1) that its probability
// takes, with the parts in order, and with the largest first.
func (w *stroll) addCategory(lps []float64, k int, rng *runtime.Rand) {
	p, sum := weights(lps)
	place := rng.Open01()
	before, larger := 0.0, 0.0
	for i, q := range p {
		if i < k {
			before += q
		}
		if q > p[k] || q == p[k] && i < k {
			larger += q
		}
	}
	w.add((before+place*p[k])/sum, (larger+place*p[k])/sum)
}

// groups draws a category of an unbounded plate. What it is called after the draw says nothing, the partition does: with whom element i is.
// Each group that it may join has the probability of the partition that it makes, and a new group too if all that groups have is
// integrated out. If not, the kernel draws a new group's parameters beside the category (Neal 2000, Algorithm 8), and how often it opens one
// given what it had drawn is not in the log joint: then draws that open one are left out, and the odds of the others compared.
// Whether a new group is opened as often as it should be is what the checks of invariance show.
func (d *drawing) groups(s *specimen, of []runtime.Conditional, i int, w *stroll, rng *runtime.Rand) error {
	plate := d.v.Type.Of.Name
	u := -1
	whole := true // all that groups have is integrated out
	for j, x := range s.Unknowns() {
		if x.Name == d.name {
			u = j
		} else if x.Of.Plate == plate {
			return unmakeable("%s and %s are both of %s", d.name, x.Name, plate)
		}
		for _, dim := range x.Dims {
			whole = whole && dim.Plate != plate
		}
	}
	if u < 0 || s.Unknowns()[u].Len() != len(of) {
		return unmakeable("the elements of %s can't be told apart", d.name)
	}
	s.look()
	env := *s.env
	env.Sizes, env.Values = maps.Clone(env.Sizes), maps.Clone(env.Values)
	z := env.Values[d.name]
	alone := !slices.ContainsFunc(slices.Concat(z[:i], z[i+1:]), func(k float64) bool { return k == z[i] })
	if alone && !whole {
		return nil // its own group's parameters would have to go
	}
	stand := func(env *interp.Env) error {
		set, err := d.lab.set(env)
		if err != nil {
			return err
		}
		return s.SetInit(set)
	}
	groups := env.Sizes[plate]
	lps := make([]float64, groups+1) // the last is a new group
	asked := rng.IntN(len(lps))
	for k := range lps {
		if lps[k] = math.Inf(-1); k == groups && !whole || alone && k == int(z[i]) {
			continue
		}
		next := env
		next.Sizes, next.Values = maps.Clone(env.Sizes), maps.Clone(env.Values)
		joined := slices.Clone(z)
		joined[i] = float64(k)
		next.Sizes[plate] = compact(joined)
		next.Values[d.name] = joined
		for _, v := range d.lab.typed.Collapse {
			delete(next.Values, v.Name)
		}
		if err := stand(&next); err != nil {
			return err
		}
		lps[k] = s.Subject.LogJoint()
		if k == asked {
			if err := s.agree(); err != nil {
				return err
			}
		}
	}
	for range times(lps) {
		if err := stand(&env); err != nil {
			return err
		}
		c := slices.DeleteFunc(s.Conditionals(), func(c runtime.Conditional) bool { return c.Name != of[i].Name })
		if err := c[0].Draw(); err != nil {
			return err
		}
		now := s.Unknowns()[u].Cat
		k := groups
		for j, other := range now {
			if j != i && other == now[i] {
				k = int(z[j])
			}
		}
		if k < groups || whole {
			w.addCategory(lps, k, rng)
		}
	}
	return stand(&env)
}

// compact numbers the categories in z anew, without gaps, in the order of their old numbers, and returns how many there are.
func compact(z []float64) int {
	used := slices.Clone(z)
	slices.Sort(used)
	used = slices.Compact(used)
	for i, k := range z {
		at, _ := slices.BinarySearch(used, k)
		z[i] = float64(at)
	}
	return len(used)
}

// unevenness returns the largest distance of the distribution function of numbers from the uniform one, and where it is.
func unevenness(us []float64) (most, at float64) {
	us = slices.Sorted(slices.Values(us))
	n := float64(len(us))
	for i, u := range us {
		if d := max(float64(i+1)/n-u, u-float64(i)/n); d > most || d != d {
			most, at = d, u
		}
	}
	return most, at
}

// uniformLimit returns the distance from the uniform distribution function that n independent uniform numbers exceed with probability
// alpha at the most: Massart (1990), at every n.
func uniformLimit(n int, alpha float64) float64 { return math.Sqrt(math.Log(2/alpha) / 2 / float64(n)) }
