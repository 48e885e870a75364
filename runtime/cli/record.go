// This file holds what becomes of a chain's draws: which unknowns are columns of its CmdStan file, which have files of their
// own, and of which only mean and standard deviation are kept.

package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// columnsMost is the number of elements above which an array does not become columns.
const columnsMost = 1000

// momentsName begins the names of the files of means and standard deviations.
const momentsName = "moments"

// A choice says where each unknown goes.
type choice struct {
	names   []string // of the columns
	base    []int    // the columns that the sampler itself names, as positions there
	own     []place  // the columns after those
	long    []int    // unknowns with files of their own, as positions in Unknowns
	moments []int    // unknowns of which mean and standard deviation are kept
	all     []string // names of the unknowns
	labels  runtime.Labels
}

// A place is an element of an unknown.
type place struct{ unknown, element int }

// choose decides for all chains. asked are the names on the command line, and spec those unknowns of which the spec monitors
// all elements. In the first place the sampler's own list counts; names on the command line go before it.
func choose(s runtime.Sampler, asked, spec []string) (*choice, error) {
	c := &choice{labels: runtime.LabelsOf(s)}
	base := s.Names()
	var unknowns []runtime.Unknown
	if shower, ok := s.(runtime.Shower); ok {
		unknowns = shower.Unknowns()
	}
	for _, u := range unknowns {
		c.all = append(c.all, u.Name)
	}
	if err := known(asked, c.all, base); err != nil {
		return nil, err
	}
	whole := map[string]bool{} // unknowns that are columns by what follows, or have a file
	for i := range unknowns {
		u := &unknowns[i]
		array := len(u.Dims) > 0
		sparse := array && (u.Of.Plate != "" || !u.Grid())
		switch {
		case slices.Contains(asked, u.Name) && (sparse || array && u.Len() > columnsMost),
			len(asked) == 0 && slices.Contains(spec, u.Name) && sparse:
			whole[u.Name] = true
			c.long = append(c.long, i)
		case slices.Contains(asked, u.Name):
			whole[u.Name] = true
			for _, e := range columnMajor(u) {
				c.own = append(c.own, place{i, e})
			}
		}
	}
	columns := map[string]int{}
	for i, name := range base {
		v := variable(name)
		if whole[v] || len(asked) > 0 && !slices.Contains(asked, v) {
			continue
		}
		columns[v]++
		c.base = append(c.base, i)
		c.names = append(c.names, name)
	}
	for _, p := range c.own {
		u := &unknowns[p.unknown]
		columns[u.Name]++
		c.names = append(c.names, runtime.ElementLabel(u.Name, indices(u, p.element)...))
	}
	for i := range unknowns {
		u := &unknowns[i]
		if u.Of.Plate == "" && !u.Unbounded() && columns[u.Name] < u.Len() {
			c.moments = append(c.moments, i)
		}
	}
	return c, c.distinct(unknowns)
}

// noteLarge says which arrays would have been columns if they were shorter, and how to have their draws.
func noteLarge(w io.Writer, s runtime.Sampler, m *Model) {
	shower, ok := s.(runtime.Shower)
	if !ok {
		return
	}
	for _, u := range shower.Unknowns() {
		if !slices.Contains(m.Default, u.Name) || u.Len() <= columnsMost {
			continue
		}
		instead := fmt.Sprintf("only means and standard deviations are kept of it (%s)", filepath.Base(besidePath("", momentsName, 0)))
		if u.Of.Plate != "" {
			instead = "nothing of it is written"
		}
		fmt.Fprintf(w, "%s: note: %s has %d elements, more than %d: %s; for its draws, --monitor=%[2]s\n", m.Name, u.Name, u.Len(), columnsMost, instead)
	}
}

// known refuses names that nothing has.
func known(asked, unknowns, base []string) error {
	names := slices.Clone(unknowns)
	for _, b := range base {
		if v := variable(b); !slices.Contains(names, v) {
			names = append(names, v)
		}
	}
	var errs []error
	for _, a := range asked {
		if !slices.Contains(names, a) {
			errs = append(errs, fmt.Errorf("--monitor: the sampler has no %q; it has %s", a, strings.Join(names, ", ")))
		}
	}
	return errors.Join(errs...)
}

// variable is the variable that a column is of.
func variable(column string) string {
	v, _, _ := strings.Cut(column, ".")
	return v
}

// columnMajor returns the elements of a grid in the order of CmdStan's columns, the first index quickest.
func columnMajor(u *runtime.Unknown) []int {
	out := []int{0}
	stride := u.Len()
	for _, d := range u.Dims {
		stride /= max(d.Size, 1)
		var next []int
		for j := range d.Size {
			for _, e := range out {
				next = append(next, e+j*stride)
			}
		}
		out = next
	}
	return out
}

// indices returns the place of an element of a grid, from 0.
func indices(u *runtime.Unknown, element int) []int {
	ix := make([]int, len(u.Dims))
	for k := len(ix) - 1; k >= 0; k-- {
		ix[k] = element % u.Dims[k].Size
		element /= u.Dims[k].Size
	}
	return ix
}

// distinct refuses files whose names some systems do not tell apart.
func (c *choice) distinct(unknowns []runtime.Unknown) error {
	taken := map[string]string{momentsName: "means and standard deviations"}
	for _, i := range c.long {
		name := unknowns[i].Name
		if other := taken[strings.ToLower(name)]; other != "" {
			return fmt.Errorf("--monitor: the draws of %s and the %s would go to files of one name: leave %s out", name, other, name)
		}
		taken[strings.ToLower(name)] = "draws of " + name
	}
	return nil
}

// A recorder is the Sink of one chain.
type recorder struct {
	*choice
	shower  runtime.Shower
	columns runtime.Resumable
	dir     string
	chain   int

	files []*longFile
	sums  []*moments
	row   []float64

	draws  int
	closed bool
	watch  func(logJoint float64) // if not nil, called at each draw
}

// newRecorder returns the sink of one chain; columns takes what is in the CmdStan file.
func (c *choice) newRecorder(s runtime.Sampler, columns runtime.Resumable, dir string, chain int) *recorder {
	r := &recorder{choice: c, columns: columns, dir: dir, chain: chain, row: make([]float64, 0, len(c.names))}
	r.shower, _ = s.(runtime.Shower)
	for _, i := range c.long {
		u := &r.shower.Unknowns()[i]
		r.files = append(r.files, newLong(besidePath(dir, u.Name, chain), u))
	}
	for _, i := range c.moments {
		r.sums = append(r.sums, newMoments(&r.shower.Unknowns()[i]))
	}
	return r
}

// besidePath is the file of a variable's draws, or of the moments.
func besidePath(dir, name string, chain int) string {
	return filepath.Join(dir, fmt.Sprintf("%s_%d.csv", name, chain+1))
}

// Begin implements [runtime.Sink].
func (r *recorder) Begin([]string) error {
	if err := r.columns.Begin(r.names); err != nil {
		return err
	}
	for _, f := range r.files {
		if err := f.begin(); err != nil {
			return err
		}
	}
	return nil
}

// Parts implements [runtime.Saver].
func (r *recorder) Parts() []any {
	parts := []any{&r.draws, r.columns}
	for _, f := range r.files {
		parts = append(parts, f.parts()...)
	}
	for _, m := range r.sums {
		parts = append(parts, &m.n, m.mean, m.m2)
	}
	return parts
}

// Sync implements [runtime.Resumable].
func (r *recorder) Sync() error {
	for _, f := range r.files {
		if err := f.sync(); err != nil {
			return err
		}
	}
	return r.columns.Sync()
}

// Resume implements [runtime.Resumable].
func (r *recorder) Resume([]string) error {
	for _, f := range r.files {
		if err := f.resume(); err != nil {
			return err
		}
	}
	return r.columns.Resume(r.names)
}

// Suspend implements [runtime.Resumable].
func (r *recorder) Suspend() error {
	for _, f := range r.files {
		f.out.Suspend()
	}
	return r.columns.Suspend()
}

// Draw implements [runtime.Sink]. In the steady state it allocates nothing.
func (r *recorder) Draw(logJoint float64, values []float64) error {
	row := r.row[:0]
	for _, i := range r.base {
		row = append(row, values[i])
	}
	if r.shower != nil {
		unknowns := r.shower.Unknowns()
		for _, p := range r.own {
			row = append(row, unknowns[p.unknown].Value(p.element))
		}
		for k, i := range r.long {
			if err := r.files[k].draw(&unknowns[i]); err != nil {
				return err
			}
		}
		for k, i := range r.moments {
			r.sums[k].add(&unknowns[i])
		}
	}
	r.row = row
	r.draws++
	if r.watch != nil {
		r.watch(logJoint)
	}
	return r.columns.Draw(logJoint, row)
}

// Close implements [runtime.Sink].
func (r *recorder) Close() error {
	for _, f := range r.files {
		if err := f.close(); err != nil {
			return err
		}
	}
	if len(r.sums) > 0 {
		if err := writeMoments(besidePath(r.dir, momentsName, r.chain), r.shower.Unknowns(), r.choice.moments, r.sums); err != nil {
			return err
		}
	}
	err := r.columns.Close()
	r.closed = err == nil
	return err
}

// Abort implements [runtime.Sink].
func (r *recorder) Abort() error {
	var errs []error
	for _, f := range r.files {
		errs = append(errs, f.out.Abort())
	}
	return errors.Join(append(errs, r.columns.Abort())...)
}

var _ runtime.Resumable = (*recorder)(nil)
