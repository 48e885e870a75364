// This file tests what is shown of a run's progress, on a terminal that is simulated, and the R-hat in it.

package cli

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/google/go-cmp/cmp"
)

// A screen is what a terminal of a width makes of what is written: text, line ends, and the three sequences that progress uses.
type screen struct {
	width, row, col int
	rows            []string
}

func (s *screen) Write(p []byte) (int, error) {
	for rest := string(p); rest != ""; {
		if s.rows == nil {
			s.rows = []string{""}
		}
		var n int
		switch {
		case rest[0] == '\n': // and the line discipline adds the return
			s.row, s.col, rest = s.row+1, 0, rest[1:]
			if s.row == len(s.rows) {
				s.rows = append(s.rows, "")
			}
		case rest[0] == '\r':
			s.col, rest = 0, rest[1:]
		case strings.HasPrefix(rest, "\x1b[J"):
			s.rows = s.rows[:s.row+1]
			s.rows[s.row] = s.rows[s.row][:s.col]
			rest = rest[3:]
		case rest[0] == '\x1b':
			if k, err := fmt.Sscanf(rest, "\x1b[%dA", &n); k != 1 || err != nil || n < 1 || n > s.row {
				return 0, fmt.Errorf("at row %d: %q", s.row, rest[:min(8, len(rest))])
			}
			s.row -= n
			_, rest, _ = strings.Cut(rest, "A")
		default:
			line := s.rows[s.row]
			if len(line) > s.col {
				return 0, fmt.Errorf("%q is written over", line)
			}
			if s.rows[s.row] = line + rest[:1]; len(s.rows[s.row]) >= s.width {
				return 0, fmt.Errorf("%q reaches the right edge", s.rows[s.row])
			}
			s.col, rest = s.col+1, rest[1:]
		}
	}
	return len(p), nil
}

// halfway returns the progress of chains of which the first is complete, the next two go on, and the others wait.
func halfway(w io.Writer, chains int) *progress {
	p := newProgress(w, runtime.Options{Chains: chains, Warmup: 1000, Draws: 500, Thin: 2}, "lasso", true)
	at := time.Unix(1e9, 0)
	set := func(i int, phase runtime.Phase, done, total int, seconds float64) {
		if i < chains {
			p.chains[i] = chainProgress{begun: true, phase: phase, done: done, total: total, since: at, last: at.Add(time.Duration(seconds * 1e9))}
		}
	}
	set(2, runtime.Warmup, 100, 1000, 10)
	set(1, runtime.Sampling, 500, 1000, 2)
	set(0, runtime.Sampling, 1000, 1000, 2)
	if chains == 1 {
		set(0, runtime.Tuning, 3, 8, 1)
	}
	p.rhat, p.scalar = 1.2345, "w.3"
	return p
}

func TestLines(t *testing.T) {
	for _, tt := range []struct {
		chains, width, height int
		want                  string
	}{
		{4, 100, 24, `
chain 1 [========================================] complete
chain 2 [==============================          ] sampling  50%  125 draws/s
chain 3 [==                                      ] warmup    10%  10 sweeps/s
chain 4 [                                        ] waiting
lasso: 45%, 17s left, worst R-hat 1.234 (w.3), 125 draws/s, 1 of 4 chains complete`},
		{4, 40, 24, `
1 [============] complete
2 [=========   ] sampling  50%  125/s
3 [            ] warmup    10%  10/s
4 [            ] waiting
lasso: 45%, 17s left, worst R-hat 1.234`},
		{32, 70, 5, `
chain  2 [=====================       ] sampling  50%  125 draws/s
chain  3 [=                           ] warmup    10%  10 sweeps/s
chain  4 [                            ] waiting
lasso: 5%, 3m52s left, worst R-hat 1.234 (w.3), 125 draws/s`},
		{1, 12, 3, `
1 tuning   
lasso: 50%`},
		{1, 80, 3, `
chain 1 [===================                    ] tuning    37%
lasso: 50%, worst R-hat 1.234 (w.3)`},
	} {
		got := strings.Join(halfway(nil, tt.chains).lines(tt.width, tt.height), "\n")
		if diff := cmp.Diff(tt.want[1:], got); diff != "" {
			t.Errorf("%d chains, %d x %d (-want +got)\n%s", tt.chains, tt.width, tt.height, diff)
		}
	}
	p := halfway(nil, 4)
	if got, want := strings.Join(p.items(true), ", "), "sampling and warmup, 45% of 8000 sweeps, 17s left, worst R-hat 1.234 (w.3), 125 draws/s, 1 of 4 chains complete"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.chains[3] = chainProgress{begun: true, phase: runtime.Tuning, done: 8, total: 8} // it is done with it
	if got, want := p.bar(3, 50), "4 [===========            ] waiting"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.chains[3] = chainProgress{}
	p.rhat = math.NaN()
	p.chains[2].phase = 99 // one that is not known here
	if got, want := strings.Join(p.items(true), ", "), "sampling and Phase(99), 56% of 8000 sweeps, 14s left, 125 draws/s, 1 of 4 chains complete"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRedraw: whatever the size of the terminal, each picture replaces the one before, and the last one goes.
func TestRedraw(t *testing.T) {
	for _, chains := range []int{1, 2, 4, 32} {
		for _, width := range []int{9, 20, 40, 59, 61, 80, 200} {
			s := &screen{width: width}
			fmt.Fprint(s, "above\n")
			p := halfway(s, chains)
			p.size = func() (int, int) { return width, 24 }
			for _, height := range []int{24, 10, 3, 1, 24} {
				lines := p.lines(width, height)
				if len(lines) > max(height-1, 2) {
					t.Errorf("%d lines on a terminal of %d", len(lines), height)
				}
				var b bytes.Buffer
				p.w = &b
				p.draw(lines)
				if _, err := s.Write(b.Bytes()); err != nil {
					t.Fatalf("%d chains, width %d: %v", chains, width, err)
				}
				if want := append([]string{"above"}, lines...); !slices.Equal(s.rows, want) {
					t.Fatalf("%d chains, width %d: the screen shows %q, want %q", chains, width, s.rows, want)
				}
			}
			p.w, p.said = s, true
			fmt.Fprintln(p, "news") // in the middle
			p.draw(p.lines(width, 24))
			p.finish()
			if !slices.Equal(s.rows, []string{"above", "news", ""}) {
				t.Errorf("left on the screen: %q", s.rows)
			}
		}
	}
}

// TestWorstRhat: the R-hat of all draws as long as all are held, and near it when few are.
func TestWorstRhat(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{runningLeast, 100, 255, 256, 1000, 20000} {
		chains := make([]*running, 3)
		all := make([][]float64, len(chains))
		for i := range chains {
			f := &fake{}
			chains[i] = newRunning(f)
			for range n {
				f.mu = rng.NormFloat64() + float64(i) // chains that disagree: R-hat is about 1.4
				chains[i].draw(0)
				all[i] = append(all[i], f.mu)
			}
			if held := len(chains[i].held[0]); held > runningMost || held < min(n, runningMost/2) {
				t.Errorf("of %d draws %d are held", n, held)
			}
		}
		got, name := worstRhat(append(chains, nil, newRunning(&fake{})))
		want := runtime.Rhat(all)
		// With 128 draws or more of each chain the standard deviation of R-hat is about 0.03 here.
		if tolerance := map[bool]float64{true: 0, false: 0.15}[n < runningMost]; name != "mu" || math.Abs(got-want) > tolerance {
			t.Errorf("%d draws: R-hat %v of %s, want %v of mu", n, got, name, want)
		}
		r := chains[0]
		for k := 1; k < len(r.held[1]) && n >= runningMost; k++ { // those at equal distances, from the first
			if r.held[1][k] != all[0][k*r.every] {
				t.Fatalf("%d draws: the one held at %d is not draw %d", n, k, k*r.every)
			}
		}
	}
	if got, name := worstRhat([]*running{newRunning(&fake{}), nil}); !math.IsNaN(got) || name != "" {
		t.Errorf("without draws: %v of %q", got, name)
	}
}

func TestRunningAllocates(t *testing.T) {
	r := newRunning(&fake{width: 50})
	if n := testing.AllocsPerRun(2000, func() { r.draw(1) }); n != 0 {
		t.Errorf("%v allocations a draw", n)
	}
}

// TestQuietDraws: the draws do not depend on whether anybody looks.
func TestQuietDraws(t *testing.T) {
	inputs(t)
	for out, quiet := range map[string]string{"seen": "--quiet=false", "quiet": "--quiet"} {
		if code, _, stderr := run(fakeModel(nil), "--draws=700", "--out="+out, quiet, "y.json"); code != OK {
			t.Fatal(stderr)
		}
	}
	for chain := 1; chain <= 4; chain++ {
		name := fmt.Sprintf("/fake-%d.csv", chain)
		a, _ := os.ReadFile("seen" + name)
		b, _ := os.ReadFile("quiet" + name)
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("chain %d differs", chain)
		}
	}
}
