// Package data holds the small data sets of the benchmarks. The corpora are too
// large to be held twice; package corpus finds them.
package data

import _ "embed"

// Diabetes is diabetes.csv: Efron, Hastie, Johnstone & Tibshirani (2004), "Least
// angle regression", Annals of Statistics 32(2). 442 patients; predictors age,
// sex, bmi, map, tc, ldl, hdl, tch, ltg, glu and response y, on their raw scales.
//
//go:embed diabetes.csv
var Diabetes []byte

// Faithful is faithful.csv: 272 eruptions of Old Faithful, their duration and the
// waiting time to the next, in minutes. Azzalini & Bowman (1990), "A look at some
// data on the Old Faithful geyser", Applied Statistics 39(3).
//
//go:embed faithful.csv
var Faithful []byte
