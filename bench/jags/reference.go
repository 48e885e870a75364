// This file holds the reference: posterior medians with their Monte Carlo errors,
// how they were made, and the comparison with another sampler's.

package jags

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/gibbsgen/gibbsgen/runtime"
)

//go:embed diabetes_lasso.json
var stored []byte

// A Reference is a posterior, summarised.
type Reference struct {
	What       string      `json:"what"`
	Model      []string    `json:"model"`
	Made       string      `json:"made"` // the command that made it
	Engine     string      `json:"engine"`
	Settings   Settings    `json:"settings"`
	Parameters []Parameter `json:"parameters"`
}

// A Parameter is the posterior of one scalar, summarised.
type Parameter struct {
	Name      string  `json:"name"`                // w[1], 1-based
	Predictor string  `json:"predictor,omitempty"` // column of X
	Median    float64 `json:"median"`
	MCSE      float64 `json:"mcse"` // Monte Carlo standard error of Median
	SD        float64 `json:"sd"`   // posterior standard deviation
	ESS       float64 `json:"ess"`  // effective draws for the median, of all chains
	Rhat      float64 `json:"rhat"` // rank-normalised split R-hat
}

// Stored returns the reference in diabetes_lasso.json.
func Stored() (*Reference, error) {
	in := json.NewDecoder(bytes.NewReader(stored))
	in.DisallowUnknownFields()
	r := new(Reference)
	if err := in.Decode(r); err != nil {
		return nil, fmt.Errorf("diabetes_lasso.json: %w", err)
	}
	return r, nil
}

// Summarise returns name's summary of draws, chains × draws. Median and Monte
// Carlo error follow Vehtari et al. (2021), as R's posterior does.
func Summarise(name string, draws [][]float64) Parameter {
	var n, mean, ss float64
	for _, c := range draws {
		for _, v := range c {
			n++
			d := v - mean
			mean += d / n
			ss += d * (v - mean)
		}
	}
	return Parameter{
		Name:   name,
		Median: runtime.Quantile(draws, 0.5),
		MCSE:   runtime.MCSEQuantile(draws, 0.5),
		SD:     math.Sqrt(ss / (n - 1)),
		ESS:    runtime.ESSQuantile(draws, 0.5),
		Rhat:   runtime.Rhat(draws),
	}
}

// Compare judges another sampler's medians and their Monte Carlo errors, in got by
// the names of r. The error lists each that is missing, or further from the
// reference than z standard errors of the difference: with the 21 parameters
// of the lasso, z = 4 lets a right sampler fail once in 750 runs, z = 5 in 80,000.
func (r *Reference) Compare(got map[string]Parameter, z float64) error {
	var errs []error
	for _, want := range r.Parameters {
		g, ok := got[want.Name]
		if !ok {
			errs = append(errs, fmt.Errorf("%s: missing", want.Name))
			continue
		}
		se := math.Hypot(want.MCSE, g.MCSE)
		if d := g.Median - want.Median; !(math.Abs(d) <= z*se) {
			errs = append(errs, fmt.Errorf("%s: median %.6g, reference %.6g: %.1f standard errors of the difference, %.3g",
				want.Name, g.Median, want.Median, d/se, se))
		}
	}
	return errors.Join(errs...)
}
