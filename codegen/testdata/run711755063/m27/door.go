package m27

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

func (s *Sampler) alloc()                         {}
func (s *Sampler) sumData()                       {}
func (s *Sampler) Rebuild()                       {}
func (s *Sampler) UpdateGlobals() error           { return nil }
func (s *Sampler) UpdateLocals(units []int) error { return nil }
func (s *Sampler) Units() int                     { return 0 }

type With struct {
}

func fill(set *dataio.Set, data Data, hyper Hyper) {
	set.Sizes["N"] = data.N
	set.Sizes["K"] = data.K
	set.Values["p"] = &dataio.Value{Real: hyper.P}
	set.Values["S"] = &dataio.Value{Real: hyper.S}
	set.Values["c"] = &dataio.Value{Real: hyper.C}
	set.Values["g"] = &dataio.Value{Cat: []int32{hyper.G}}
	set.Values["on"] = &dataio.Value{Bool: []bool{hyper.On}}
	set.Values["n"] = &dataio.Value{Int: []int{hyper.N}}
	set.Values["lo"] = &dataio.Value{Real: []float64{hyper.Lo}}
	set.Values["hi"] = &dataio.Value{Real: []float64{hyper.Hi}}
	set.Values["floor"] = &dataio.Value{Real: data.Floor}
	set.Values["m"] = &dataio.Value{Int: data.M}
	set.Values["y"] = &dataio.Value{Real: data.Y}
	set.Values["x"] = &dataio.Value{Int: data.X}
	set.Values["k"] = &dataio.Value{Int: data.K2}
	set.Values["v"] = &dataio.Value{Real: data.V}
}

func (s *Sampler) with() (w With) {
	rng := runtime.NewRand(7)
	_ = rng
	
	return w
}

func (s *Sampler) LogJoint() float64 { return s.logJointWith() }


type joint struct {
	Data  Data
	Hyper Hyper
	State State
	With  With
	LP    float64
}

// Door simulates, starts, and tells.
func Door(in []byte, seed uint64) []byte {
	var out struct {
		Sim, Start joint
		Names      []string
		Values     []float64
		Many       map[string][][3]float64
		Accepted   []string
		Err, OpenErr string
	}
	out.Many = map[string][][3]float64{}
	err := func() error {
		var data Data
		if err := json.Unmarshal(in, &data); err != nil {
			return err
		}
		hyper := DefaultHyper(data.Sizes)
		if err := json.Unmarshal(in, &hyper); err != nil {
			return err
		}
		rng := runtime.NewRand(seed)
		given := data
		before, _ := json.Marshal(given)
		data, st, err := Simulate(given, hyper, rng)
		if err != nil {
			return err
		}
		for range 400 {
			d, st, err := Simulate(given, hyper, rng)
			if err != nil {
				continue // vague priors overflow now and then
			}
			means(reflect.ValueOf(d), out.Many)
			means(reflect.ValueOf(st), out.Many)
		}
		if after, _ := json.Marshal(given); !bytes.Equal(before, after) {
			return fmt.Errorf("Simulate wrote to the data it was given: %s, then %s", before, after)
		}
		s, err := NewAt(data, hyper, st, rng)
		if err != nil {
			return err
		}
		out.Sim = joint{s.Data(), s.hyper, s.State().Clone(), s.with(), s.LogJoint()}
		out.Names, out.Values = s.Names(), s.AppendValues(nil)
		hyper = s.hyper // with the defaults of ragged constants
		set := &dataio.Set{Sizes: map[string]int{}, Ragged: map[string][]int{}, Values: map[string]*dataio.Value{}}
		fill(set, data, hyper)
		if d, h, err := Load(set); err != nil || !reflect.DeepEqual(d, data) || !reflect.DeepEqual(h, hyper) {
			return fmt.Errorf("Load: %v, with %v and %v, want %v and %v", err, d, h, data, hyper)
		}
		if _, err := Open(set, rng); err != nil && !strings.Contains(err.Error(), "no start") {
			return err
		}
		if _, _, err := dataio.Load(Schema, nil, dataio.Options{}); err != nil && strings.Contains(err.Error(), "schema") {
			return err
		}
		spoil(&data, func() error { _, err := NewAt(data, hyper, st, rng); return err }, &out.Accepted)
		spoil(&hyper, func() error { _, err := NewAt(data, hyper, st, rng); return err }, &out.Accepted)
		lp := s.LogJoint()
		spoil(&st, func() error {
			err := s.SetState(st)
			if now := s.LogJoint(); err != nil && now != lp {
				out.Accepted = append(out.Accepted, fmt.Sprintf("SetState failed, and left the log joint at %v, not %v", now, lp))
			}
			return err
		}, &out.Accepted)
		if s, err = New(data, hyper, rng); err != nil {
			return err
		}
		out.Start = joint{s.Data(), s.hyper, s.State().Clone(), s.with(), s.LogJoint()}
		return nil
	}()
	if err != nil {
		out.Err = err.Error()
	}
	if _, err := Open(&dataio.Set{}, runtime.NewRand(1)); err != nil {
		out.OpenErr = err.Error()
	}
	text, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	return text
}

// means adds to each field's list the moments of its elements.
func means(v reflect.Value, to map[string][][3]float64) {
	for i := range v.NumField() {
		f, t := v.Field(i), v.Type().Field(i)
		if t.Anonymous {
			continue
		}
		if f.Kind() != reflect.Slice {
			one := reflect.MakeSlice(reflect.SliceOf(t.Type), 1, 1)
			one.Index(0).Set(f)
			f = one
		}
		var xs []float64
		for k := range f.Len() {
			switch x := f.Index(k); x.Kind() {
			case reflect.Bool:
				xs = append(xs, runtime.Indicator(x.Bool()))
			case reflect.Float64:
				xs = append(xs, x.Float())
			default:
				xs = append(xs, float64(x.Int()))
			}
		}
		name := v.Type().Name() + "." + t.Name
		to[name] = append(to[name], moments(xs))
	}
}


// moments returns sums of the elements, their squares and the products of neighbours, with weights that tell the elements apart.
func moments(xs []float64) (m [3]float64) {
	for k, x := range xs {
		m[0] += float64(k+1) * x
		m[1] += float64(k+1) * x * x
		if k > 0 {
			m[2] += float64(k) * x * xs[k-1]
		}
	}
	for i, x := range m {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			m[i] = 0
		}
	}
	return m
}

// spoil changes one thing of a struct at a time, and notes what try accepts all the same, or refuses without the field's name.
func spoil(at any, try func() error, accepted *[]string) {
	v := reflect.ValueOf(at).Elem()
	for i := range v.NumField() {
		f, t := v.Field(i), v.Type().Field(i)
		if t.Anonymous {
			spoil(f.Addr().Interface(), try, accepted)
			continue
		}
		old := reflect.New(t.Type).Elem()
		old.Set(f)
		attempt := func(what string, change func()) {
			change()
			err := try()
			f.Set(old)
			if err == nil {
				*accepted = append(*accepted, t.Name+" "+what)
			} else if v.Type() != reflect.TypeOf(Sizes{}) && !strings.Contains(err.Error(), t.Name) {
				*accepted = append(*accepted, t.Name+" "+what+", with the error "+err.Error())
			}
		}
		element := func(what string, x any) {
			attempt(what, func() {
				if t.Type.Kind() != reflect.Slice {
					f.Set(reflect.ValueOf(x))
					return
				}
				c := reflect.MakeSlice(t.Type, f.Len(), f.Len())
				reflect.Copy(c, f)
				c.Index(f.Len()-1).Set(reflect.ValueOf(x))
				f.Set(c)
			})
		}
		kind := t.Type.Kind()
		if kind == reflect.Slice {
			attempt("too long", func() { f.Set(reflect.Append(f, reflect.Zero(t.Type.Elem()))) })
			if f.Len() == 0 {
				continue
			}
			attempt("too short", func() { f.Set(f.Slice(0, f.Len()-1)) })
			kind = t.Type.Elem().Kind()
		}
		switch kind {
		case reflect.Float64:
			element("NaN", math.NaN())
			element("infinite", math.Inf(1))
		case reflect.Int32:
			element("negative", int32(-1))
			element("too large", int32(math.MaxInt32))
		case reflect.Int:
			element("negative", -1)
			if v.Type() == reflect.TypeOf(Sizes{}) {
				element("huge", math.MaxInt/3)
				element("zero", 0)
			}
		}
	}
}
