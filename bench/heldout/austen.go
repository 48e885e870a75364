// This file holds the perplexities found on the Austen corpus.

package heldout

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// Perplexities are those of several chains.
type Perplexities struct {
	What       string    `json:"what"`
	Made       string    `json:"made"` // the command that made it
	K          int       `json:"k"`
	Alpha      float64   `json:"alpha"`
	Eta        float64   `json:"eta"`
	SplitSeed  uint64    `json:"split_seed"` // of corpus.Split
	Warmup     int       `json:"warmup"`     // sweeps of each chain
	Betas      int       `json:"betas"`      // averaged, of each chain
	Every      int       `json:"every"`      // sweeps between them
	FoldWarmup int       `json:"fold_warmup"`
	FoldDraws  int       `json:"fold_draws"`
	Perplexity []float64 `json:"perplexity"` // of each chain, seeds 1, 2, ...
	Mean       float64   `json:"mean"`
	SD         float64   `json:"sd"` // between chains
}

//go:embed austen_perplexity.json
var stored []byte

// Stored returns the perplexities in austen_perplexity.json.
func Stored() (*Perplexities, error) {
	p := new(Perplexities)
	if err := json.Unmarshal(stored, p); err != nil {
		return nil, fmt.Errorf("austen_perplexity.json: %w", err)
	}
	return p, nil
}
