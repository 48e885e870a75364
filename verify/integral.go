// This file checks what is integrated out by integrating it: the judge's density of everything, summed over all values of what the sampler
// does not hold, must be the density that the package prints, with every constant.

package verify

import (
	"fmt"
	"math"
	"strings"

	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/ir/interp"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// quadratureTolerance bounds the log of the ratio of an integral to what it should be: the quadrature, whose tails are left off at 1e-13
// of all mass, agrees to about 1e-11.
const quadratureTolerance = 1e-7

// mostFree is how many numbers are integrated over at once: each takes some hundred values of the others.
const mostFree = 2

// integrals makes the check at sizes at which few enough numbers are integrated out.
func (l *lab) integrals(t *tally) {
	if len(l.typed.Collapse) == 0 {
		return
	}
	states := 2
	if l.opt.Level == Full {
		states = 8
	}
	var row *Check
	plates := len(l.Schema.Plates)
	made := 0
	for sizes := range 1 << min(plates, 6) {
		list := make([]int, max(plates, 1))
		for i := range list {
			list[i] = 1 + sizes>>i&1
		}
		s, _, err := l.ordinarySpecimen(list, 100+uint64(sizes))
		if err != nil {
			continue
		}
		if len(s.gone) == 0 { // sticks alone: the judge has their partition's probability
			return
		}
		if row == nil {
			row = t.row("integral", "what is integrated out, by quadrature", "log of a ratio", quadratureTolerance)
		}
		row.timed(func() {
			if err := s.step(); err != nil {
				row.noteError(err, l.sizes(s))
				return
			}
			free, ok := s.free() // now, since categories of an unbounded plate come and go
			if !ok || len(free) == 0 || len(free) > mostFree {
				return
			}
			printed := s.Subject.LogJoint()
			sum, err := s.integral(free)
			if err != nil { // a tail beyond floating point
				return
			}
			row.note(math.Abs(sum-printed), func() string {
				return fmt.Sprintf("%s: the log joint that is printed in the package is %.10g, and the interpreter's, integrated over %s, %.10g: what is integrated out has another density than LogCollapsed says, or other ends\n"+
					"at %s", l.sizes(s), printed, strings.Join(names(free), ", "), sum, s.state())
			})
			made++
		})
		if made == states {
			return
		}
	}
	if made == 0 && row != nil {
		row.Outcome, row.Detail = NotMade, fmt.Sprintf("more than %d numbers are integrated out at the smallest sizes, or their tails do not end within floating point", mostFree)
	}
}

// A freedom is one number that is integrated out: element i of what c holds, which starts at start.
type freedom struct {
	c      runtime.Conditional
	i      int
	lo, hi float64
	share  bool // of the two of a simplex
}

// free lists the numbers that are integrated out; false if quadrature does not do for some.
func (s *specimen) free() ([]freedom, bool) {
	s.look()
	var out []freedom
	for _, c := range s.gone {
		v := s.lab.typed.Var(strings.TrimPrefix(nameOf(c.Name), "collapsed "))
		n := len(c.Get())
		switch {
		case len(v.Axes) > 0 && v.Axes[0].Unbounded && s.env.Sizes[v.Axes[0].Name] > 1: // one value stands for those of all elements
			return nil, false
		case v.Support.Kind == ir.Line:
			lo, hi := ends(v)
			for i := range n {
				out = append(out, freedom{c: c, i: i, lo: lo, hi: hi})
			}
		case v.Support.Kind == ir.Simplex && n == 2:
			out = append(out, freedom{c: c, share: true})
		case v.Support.Kind == ir.SPD && n == 1:
			out = append(out, freedom{c: c, hi: math.Inf(1)})
		case v.Support.Kind == ir.Simplex && n == 1: // it is 1
		default:
			return nil, false
		}
	}
	return out, true
}

func names(free []freedom) []string {
	var out []string
	for _, f := range free {
		out = append(out, strings.TrimPrefix(f.c.Name, "collapsed "))
	}
	return out
}

// ends returns the ends of a support that are numbers: what is not known beforehand is found where the log joint ends.
func ends(v *ir.Var) (lo, hi float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	if b, ok := v.Support.Lo.(*ir.Num); ok {
		lo = b.Value
	}
	if b, ok := v.Support.Hi.(*ir.Num); ok {
		hi = b.Value
	}
	return lo, hi
}

// integral returns the log of the integral of the judge's density over the numbers, which stay where they are.
func (s *specimen) integral(free []freedom) (float64, error) {
	if len(free) == 0 {
		s.look()
		return interp.LogJoint(s.lab.typed, s.env)
	}
	f := free[0]
	x0 := f.c.Get()
	defer f.c.Set(x0)
	l, _ := axis(x0[f.i], f.lo, f.hi)
	if f.share {
		l = shared(x0, 0)
	}
	var failed error
	d, err := tabulate(l.density(func(x []float64) float64 {
		if !f.share {
			at := append([]float64(nil), x0...)
			at[f.i] = x[0]
			x = at
		}
		f.c.Set(x)
		lp, err := s.integral(free[1:])
		if err != nil {
			failed = err
		}
		return lp
	}), l.y0)
	if failed != nil {
		err = failed
	}
	if err != nil {
		return math.NaN(), err
	}
	if d.beyond > quadratureTolerance/10*d.total {
		return math.NaN(), errTail
	}
	return d.log, nil
}
