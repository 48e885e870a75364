// Package scan holds compiled models on which the order of updates is compared with theory, and batches with an exact posterior.
package scan

//go:generate go run github.com/gibbsgen/gibbsgen/cmd/gibbsgen generate gaussian.gm -o gaussian
//go:generate go run github.com/gibbsgen/gibbsgen/cmd/gibbsgen generate nested.gm -o nested
