// This file holds Old Faithful's posterior: the data, and what was found.

package dpmm

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/gibbsgen/gibbsgen/bench/data"
)

// Faithful returns Old Faithful's 272 eruptions, duration and waiting time, each
// standardised to mean 0 and standard deviation 1, of divisor N-1 (as R's scale).
func Faithful() ([][]float64, error) {
	rows, err := csv.NewReader(bytes.NewReader(data.Faithful)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("faithful.csv: %w", err)
	}
	var x [][]float64
	for i, row := range rows[1:] {
		var point []float64
		for _, text := range row {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, fmt.Errorf("faithful.csv, row %d: %w", i+1, err)
			}
			point = append(point, v)
		}
		x = append(x, point)
	}
	n := float64(len(x))
	for j := range x[0] {
		var mean, ss float64
		for _, point := range x {
			mean += point[j] / n
		}
		for _, point := range x {
			point[j] -= mean
			ss += point[j] * point[j]
		}
		for _, point := range x {
			point[j] /= math.Sqrt(ss / (n - 1))
		}
	}
	return x, nil
}

// A Posterior is that of the number of clusters.
type Posterior struct {
	What     string        `json:"what"`
	Model    string        `json:"model"`
	Made     string        `json:"made"` // the command that made it
	Chains   int           `json:"chains"`
	Warmup   int           `json:"warmup"` // sweeps
	Draws    int           `json:"draws"`  // of each chain
	Rhat     float64       `json:"rhat"`   // of the number of clusters
	ESS      float64       `json:"ess"`    // for its mean, of all chains
	Mean     float64       `json:"mean"`
	MeanMCSE float64       `json:"mean_mcse"`
	Clusters []Probability `json:"clusters"`
}

// Probability is that of one number of clusters, with its Monte Carlo standard error.
type Probability struct {
	Number int     `json:"number"`
	P      float64 `json:"p"`
	MCSE   float64 `json:"mcse"`
}

//go:embed faithful_clusters.json
var stored []byte

// Stored returns the posterior in faithful_clusters.json.
func Stored() (*Posterior, error) {
	p := new(Posterior)
	if err := json.Unmarshal(stored, p); err != nil {
		return nil, fmt.Errorf("faithful_clusters.json: %w", err)
	}
	return p, nil
}
