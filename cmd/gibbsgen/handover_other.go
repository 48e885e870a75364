//go:build !unix

// This file runs a compiled sampler where a process can't be replaced.
package main

// handOver runs the sampler.
func handOver(binary string, args []string, c console) error { return runSampler(binary, args, c) }
