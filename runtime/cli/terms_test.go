package cli

import (
	"errors"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

func TestInTerms(t *testing.T) {
	s := &settings{
		model: Model{Package: "sampler",
			Schema: dataio.Schema{
				Plates: []dataio.Plate{{Name: "N"}, {Name: "D"}, {Name: "words", Parent: "N"}},
				Fields: []dataio.Field{
					{Name: "X", Dims: []string{"N", "D"}}, {Name: "log_sd", Const: true, Default: true}, {Name: "y"},
					{Name: "w", Dims: []string{"N", "words"}}, {Name: "a_b"}, {Name: "ab"},
					{Name: "nu", Const: true, Default: true}, {Name: "rho", Const: true, Default: true},
				}},
			Unknowns: []dataio.Field{{Name: "tau2", Dims: []string{"D"}}},
		},
		files: []string{"d.json"},
		data:  dataio.Options{Set: []string{"log_sd=-1", "N=3"}},
	}
	there := &dataio.Value{}
	set := &dataio.Set{Sizes: map[string]int{"N": 3, "D": 4}, Values: map[string]*dataio.Value{"X": there, "y": there, "w": there, "nu": there}}
	for _, tt := range []struct{ in, init, want string }{
		{"sampler: LogSd: -1 is not positive", "", "--set: log_sd: -1 is not positive"},
		{"sampler: X[6]: -1 is not positive\nY: 0 is not positive", "", "d.json: X[2, 2]: -1 is not positive\nd.json: y: 0 is not positive"},
		{"sampler: X[2,3]: -1 is not positive", "", "d.json: X[2, 3]: -1 is not positive"},
		{"sampler: W[5]: -1 is negative", "", "d.json: w[5]: -1 is negative"},
		{"sampler: N: size 3 is odd", "", "--set: N: size 3 is odd"},
		{"sampler: D: size 0 is not positive", "", "d.json: D: size 0 is not positive"},
		{"sampler: Tau2[2]: -1 is not positive", "i.json", "i.json: tau2[2]: -1 is not positive"},
		{"sampler: the state has log density -Inf", "i.json", "i.json: the state has log density -Inf"},
		{"sampler: no start", "", "no start"},
		{"sampler: Nu: 0 is not positive", "", "d.json: nu: 0 is not positive"}, // which has a default, but is in the file
		{"sampler: Rho: 0 is not positive", "", "rho: 0 is not positive"},
		{"sampler: Ab: 1 is odd", "", "Ab: 1 is odd"}, // a_b or ab
		{"other: Y: 0 is not positive", "", "other: Y: 0 is not positive"},
	} {
		if got := s.inTerms(errors.New(tt.in), set, tt.init); got.Error() != tt.want {
			t.Errorf("%q: got\n%v\nwant\n%s", tt.in, got, tt.want)
		}
	}
	if err := s.inTerms(nil, set, ""); err != nil {
		t.Error(err)
	}
}
