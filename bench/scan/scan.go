// Package scan holds a compiled model on which the order of updates is compared with theory.
package scan

//go:generate go run github.com/gibbsgen/gibbsgen/cmd/gibbsgen generate gaussian.gm -o gaussian
