// This file holds the data and prior of the benchmark.

package lda

import "github.com/gibbsgen/gibbsgen/bench/corpus"

// BenchTopics is K of the benchmark, BenchHyper its prior.
const BenchTopics = 50

var BenchHyper = Hyper{Alpha: 0.1, Eta: 0.01}

// Bench returns 1000 documents of 200 tokens each over 5000 words, made with 50
// topics: the same ones whenever it is called.
func Bench() *corpus.Corpus { return corpus.Synthetic(1000, 200, 5000, BenchTopics) }
