// Package runtime is what generated samplers link to: random draws from distributions and from full conditionals in
// natural parameters, log densities, chains with their diagnostics, and draws files.
//
// A variance is a variance, never a standard deviation, unless a name says sd; Gamma takes a rate, Inverse-Gamma a scale.
package runtime
