package runtime

// This file holds predictions of generated samplers as those see them who don't know the model.

// A Prediction gives the probability of a further element of data whose elements have a category each: of a further word of a
// document under the state of a topic model.
type Prediction struct {
	Unknown string // the category, integrated out for the further element
	Data    string // the data, over the same plates; categories

	// Prepare must be called after an update, before Prob.
	Prepare func()

	// Prob returns p(x | state) for a further element at the outer indices; the innermost is free. All count from 0.
	Prob func(outer []int, x int32) float64
}

// A Predictor is a sampler that foretells data.
type Predictor interface {
	Predictions() []Prediction
}
