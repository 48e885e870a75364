// This file holds the faults in generated code: what a slip of the printer would do, and what neither derivation nor plan speaks of.

package main

var codes = []mutation{
	// Sweeps that do otherwise than draws one by one.
	{name: "four at a time: one row for another", model: "lassoprobit", by: "sweep", code: []edit{{"", "h2 += x2[", "h2 += x1["}}},
	{name: "four at a time: a difference times the wrong row", model: "lassoprobit", by: "bookkeeping", code: []edit{{"", "diff1*x1[", "diff1*x2["}}},
	{name: "by rows: a variance for a precision", model: "lassogauss2", by: "conditional", code: []edit{{"", "weightRow[i] = 1 / sigma2", "weightRow[i] = sigma2"}}},
	{name: "by rows: a score that is not weighted", model: "lassogauss2", by: "conditional", code: []edit{{"", "scoreRow[i] = yRow[i] / sigma2", "scoreRow[i] = yRow[i]"}}},
	{name: "by rows: squares counted twice", model: "lassogauss2", by: "conditional", code: []edit{{"", "sum3 += sum4 * sum4", "sum3 += 2 * sum4 * sum4"}}},
	{name: "a list's units beyond those asked for", model: "batchdeep", by: "units", code: []edit{{"", "stop := min(past, wordsAt[list+1])", "stop := wordsAt[list+1]"}}},
	{name: "the last unit is left out of a sweep", model: "specs/pump", by: "bookkeeping", code: []edit{{"UpdateLocals", "s.updateUnits(units)", "s.updateUnits(units[:max(len(units)-1, 0)])"}, {"updateUnits", "s.updateRange(0, s.Units())", "s.updateRange(0, s.Units()-1)"}}},
	{name: "the last unit is left out of a batch", model: "specs/probit", by: "coverage", code: []edit{{"updateUnits", "units[0]+n)", "units[0]+max(n-1, 1))"}}},
	{name: "an update that forgets a global", model: "specs/mixture", by: "sweep", code: []edit{{"UpdateGlobals", "err := s.drawS2(k); err != nil", "err := error(nil); k < 0"}}},
	{name: "a chain that ends one too early", model: "hmm2", by: "conditional", code: []edit{{"drawZ", "t+1 < T", "t+1 < T-1"}, {"sumAcc1", "t < T;", "t < T-1;"}}},

	// Workers.
	{name: "a worker with the chain's random numbers", model: "lassoprobit", by: "determinism", code: []edit{{"", "w.rng = own.rng", "_ = own"}}},
	{name: "a stream used twice by two workers", model: "specs/mixture", by: "units", code: []edit{
		{"Refresh", "\n\tif units == nil {", "\n\tcopied := *w.chain.rng\n\tw.rng.Reseed(copied.Uint64(), 1)\n\tif units == nil {"}}},
	{name: "a stream used twice by two workers, of continuous locals", model: "specs/pump", by: "units", code: []edit{
		{"Refresh", "\n\tif units == nil {", "\n\tcopied := *w.chain.rng\n\tw.rng.Reseed(copied.Uint64(), 1)\n\tif units == nil {"}}},
	{name: "a worker's counts of the round before", model: "niw", by: "determinism", code: []edit{{"", "clear(w.acc1)", ""}}},
	{name: "a worker's counts forgotten", model: "ldatheta", by: "determinism", code: []edit{{"", "runtime.AddCells(w.chain.acc1, w.acc1)", ""}}},
	{name: "a block's sums added twice", model: "lassoprobit", by: "determinism", code: []edit{{"", "runtime.AddCells(w.chain.acc1, sums)", "runtime.AddCells(w.chain.acc1, sums)\nruntime.AddCells(w.chain.acc1, sums)"}}},
	{name: "a block's sums not begun at zero", model: "pumpfix", by: "determinism", code: []edit{{"", "w.acc1 = 0", ""}}},

	// Batches.
	{name: "a batch that depends on the state", model: "specs/mixture", by: "invariance", code: []edit{{"updateUnits", "\tfor len(units) > 0 {\n", `	var some []int
	for _, u := range units { // those of the first category keep theirs
		if s.state.Z[u] != 0 {
			some = append(some, u)
		}
	}
	units = some
	for len(units) > 0 {
`}}},
	{name: "tables of weights not refreshed", model: "specs/mixture", by: "sweep", code: []edit{{"UpdateLocals", "\ts.hoist()\n", ""}}},
	{name: "tables of weights not refreshed for batches", model: "specs/mixture", by: "invariance", code: []edit{{"UpdateLocals", "\ts.hoist()\n", "\tif units == nil {\n\t\ts.hoist()\n\t}\n"}}},
	{name: "tables of weights refreshed only by Rebuild, in a topic model", model: "specs/lda", by: "sweep", code: []edit{{"UpdateLocals", "\ts.hoist()\n", ""}}},
	{name: "a hoisted constant not refreshed", model: "specs/mixture", by: "conditional", code: []edit{
		{"hoist", "zTerms[t].t1 = -(0.5 / s2Row[t])", "if zTerms[t].t1 == 0 {\n\t\t\tzTerms[t].t1 = -(0.5 / s2Row[t])\n\t\t}"}}},
	{name: "a matrix's inverse not kept up to date", model: "specs/dpmm", by: "sweep", code: []edit{{"drawSigma", "s.invertSigma(k)", "error(nil)"}}},

	// Sums.
	{name: "Rebuild moves a reference, and not its sum", model: "specs/mixture", by: "conditional", code: []edit{{"Resum", "\ts.sumAcc2()\n", ""}}},
	{name: "Rebuild forgets a count", model: "specs/lda", by: "conditional", code: []edit{{"Rebuild", "\ts.sumAcc1()\n", ""}}},
	{name: "a sum that has lost its digits is not taken anew", model: "heavytail", by: "bookkeeping", code: []edit{{"settle", "runtime.Shrunk(s.peak1[:], s.acc1)", "false"}}},
	{name: "a unit's sum that has lost its digits is not taken anew", model: "heavyparts", by: "bookkeeping", code: []edit{{"settle", "runtime.Shrunk(s.peak1[i:i+1], s.acc1[i:i+1]...)", "false"}}},
	{name: "the peak of a sum left out of checkpoints", model: "heavytail", by: "determinism", code: []edit{{"Parts", "s.peak1[:],", ""}}},
	{name: "clusters change places, and not their references", model: "specs/dpmm", by: "bookkeeping", code: []edit{{"swapClusters", "runtime.SwapRows(s.refMu, i, j, P)", ""}}},
	{name: "clusters change places, and not their inverses", model: "specs/dpmm", by: "sweep", code: []edit{{"swapClusters", "runtime.SwapRows(s.invSigma, i, j, P*P)", ""}}},
	{name: "a cluster's sums about where the one before it was", model: "specs/dpmm", by: "determinism", code: []edit{{"freshClusters", "copy(s.refMu[k*P:][:P], s.state.Mu[k*P:])", "if s.refMu[k*P] == 0 {\n\t\tcopy(s.refMu[k*P:][:P], s.state.Mu[k*P:])\n\t\ts.acc2[k*P] = 1\n\t}"}}},

	// Draws from another density than the one that is stated.
	{name: "drawn with a rate for a scale", model: "specs/mixture", by: "draws", code: []edit{{"drawS2", "GammaPowNat(c, b,", "GammaPowNat(c, 1/b,"}}},
	{name: "drawn with a scale for a rate", model: "specs/pump", by: "draws", code: []edit{{"drawBeta", "GammaNat(c, b)", "GammaNat(c, 1/b)"}}},
	{name: "drawn with a shape 1/2 too large", model: "specs/mixture", by: "draws", code: []edit{{"drawS2", "GammaPowNat(c, b,", "GammaPowNat(c-0.5, b,"}}},
	{name: "drawn with a shape 1/2 too large, of a prior over few", model: "specs/crossed", by: "draws", code: []edit{{"drawVa", "GammaPowNat(c, b,", "GammaPowNat(c-0.5, b,"}}},
	{name: "drawn with a variance for a precision", model: "specs/mixture", by: "draws", code: []edit{{"drawMu", "NormalNat(h, prec)", "NormalNat(h/prec/prec, 1/prec)"}}},
	{name: "drawn with a standard deviation for a variance", model: "specs/rats", by: "draws", code: []edit{{"", "s.rng.NormalNat(h, prec)", "h/prec+s.rng.Norm()/prec"}}},
	{name: "drawn from a matrix twice as large", model: "specs/lassogauss", by: "draws", code: []edit{{"drawW", "MVNormalNat(next, h, prec,", "MVNormalNat(next, h, doubled(prec),"}, {"drawW", "return nil\n}\n", "return nil\n}\n\nfunc doubled(x []float64) []float64 {\n\tfor i := range x {\n\t\tx[i] *= 2\n\t}\n\treturn x\n}\n"}}},
	{name: "drawn with one degree of freedom too many", model: "specs/dpmm", by: "draws", code: []edit{{"drawSigma", "InvWishartNat(next, c,", "InvWishartNat(next, c-0.5,"}}},
	{name: "drawn with 1 too much for each weight of a simplex", model: "specs/mixture", by: "draws", code: []edit{{"drawPi", "s.rng.DirichletNat(next, c)", "for i := range c {\n\t\tc[i]++\n\t}\n\ts.rng.DirichletNat(next, c)"}}},
	{name: "a prior of exponentials drawn with the square of its parameter", model: "specs/lassogauss", by: "draws", code: []edit{{"", "GIGNat(c, a, b)", "GIGNat(c, a*a, b)"}}},
	{name: "a success for a failure", model: "specs/spikeslab", by: "draws", code: []edit{{"", "s.rng.BetaNat(c, d)", "s.rng.BetaNat(d, c)"}}},
	{name: "a truncation on the wrong side", model: "specs/probit", by: "conditional", code: []edit{{"drawZ", "y[n])", "!y[n])"}, {"drawZ", "PositiveSide(h1, y[n+1])", "PositiveSide(h1, !y[n+1])"}}},
	{name: "a truncation on the wrong side, for one row in four", model: "specs/probit", by: "sweep", code: []edit{{"drawZ", "PositiveSide(h1, y[n+1])", "PositiveSide(h1, !y[n+1])"}}},
	{name: "a truncation forgotten in the draw", model: "specs/ordinal", by: "conditional", code: []edit{{"drawC", "TruncNormalNat(h, prec, lo, hi)", "TruncNormalNat(h, prec, lo, max(hi, math.Inf(1)))"}}},
	{name: "a truncation at the neighbour's bound", model: "specs/ordinal", by: "conditional", code: []edit{{"drawZ", "hi = min(hi, c4[int(y[n])])", "hi = min(hi, c4[min(int(y[n])+1, C-1)])"}}},
	{name: "the lower end of a support cut off", model: "truncnormal", by: "draws", code: []edit{{"drawB", "TruncNormalNat(h, prec, lo, hi)", "TruncNormalNat(h, prec, lo+0.3, hi)"}}},
	{name: "a category that is drawn too seldom", model: "specs/mixture", by: "invariance", code: []edit{{"drawZ", "next := s.rng.PickLog(w, run)", "next := s.rng.PickLog(w, run)\n\t\tif next == 0 && s.rng.Float64() < 0.4 {\n\t\t\tnext = s.rng.PickLog(w, run)\n\t\t}"}}},
	{name: "the old category is kept too often", model: "specs/mixture", by: "conditional", code: []edit{{"drawZ", "next := s.rng.PickLog(w, run)", "w[old] += 0.3\n\t\tnext := s.rng.PickLog(w, run)"}}},

	// The slice sampler.
	{name: "a Jacobian dropped", model: "specs/pump", by: "draws", code: []edit{{"drawAlpha", "s.alphaLogDensity(t)", "s.alphaLogDensity(t) - math.Log(t)"}}},
	{name: "a Jacobian counted twice", model: "specs/pump", by: "draws", code: []edit{{"drawAlpha", "s.alphaLogDensity(t)", "s.alphaLogDensity(t) + math.Log(t)"}}},
	{name: "a slice whose interval lies about where the chain is", model: "specs/pump", by: "draws", code: slicing("for {\n\t\ty := x + 0.7*w*(2*s.rng.Float64()-1)\n\t\tif f(y) >= level {\n\t\t\treturn y\n\t\t}\n\t}")},
	{name: "a slice that takes the first point", model: "specs/pump", by: "draws", code: slicing("_ = level\n\treturn x + w*(s.rng.Float64()-0.5)")},
	{name: "a slice at the height of the density itself", model: "localslice", by: "draws", code: []edit{{"drawU", "s.rng.Slice(old,", "s.rng.Slice(old+0.3,"}}},
	{name: "no members times infinity", model: "emptygroup", by: "conditional", code: []edit{{"hLogDensity", "runtime.XTimes(", "func(x, y float64) float64 { return x * y }("}}},

	// Unbounded plates.
	{name: "a new table that weighs as one more", model: "specs/dpmm", by: "conditional", code: []edit{{"zWeights", "runtime.LogCRP(acc3Row[k], alpha)", "runtime.LogCRP(acc3Row[k], alpha+1)"}}},
	{name: "empty tables that each weigh as a new one", model: "specs/dpmm", by: "full", code: []edit{{"drawZ", "w[k] -= 1.0986122886681096", "w[k] -= 0"}}},
	{name: "a customer that sits alone gets other parameters", model: "specs/dpmm", by: "invariance", code: []edit{{"drawZ", "for k := empty; k < inUse+3; k++", "_ = empty\n\tfor k := inUse; k < inUse+3; k++"}}},
	{name: "auxiliary parameters that are not drawn anew", model: "specs/dpmm", by: "invariance", code: []edit{{"drawZ", "if err := s.freshClusters(k); err != nil", "s.state.Mu[k*P] += 1e-9\n\t\tcopy(s.state.Sigma[k*P*P:][:P*P], s.state.Sigma[:P*P])\n\t\tcopy(s.state.Mu[k*P:][:P], s.state.Mu[:P])\n\t\tcopy(s.refMu[k*P:][:P], s.state.Mu[:P])\n\t\tif err := s.invertSigma(k); err != nil"}}},
	{name: "the customer is still at the table", model: "dphyper", by: "conditional", code: []edit{{"zWeights", "w = w[:K]", "w = w[:K]\n\ts.acc1[0]++\n\tdefer func() { s.acc1[0]-- }()"}}},

	// What is integrated out, simulated, predicted, printed, stored.
	{name: "the normaliser of what is integrated out off", model: "specs/lda", by: "conditional", code: []edit{{"LogCollapsed", "lq += runtime.", "lq += 0.9 * runtime."}}},
	{name: "a factor of what is integrated out", model: "mixcollapsed", by: "integral", code: []edit{{"LogCollapsed", "return lq", "return lq + 0.5"}}},
	{name: "a prior dropped in Simulate", model: "specs/mixture", by: "simulation", code: []edit{{"draw", "mu[k] = s.rng.Normal(m0, v0)", "mu[k] = s.rng.Normal(m0, 1e-12*v0)"}}},
	{name: "a variance turned over in Simulate", model: "specs/rats", by: "simulation", code: []edit{{"draw", "s.rng.InvGamma(", "1 / s.rng.InvGamma("}}},
	{name: "predictions without the prior", model: "specs/lda", by: "prediction", code: []edit{{"PredictZ", "p := alpha + acc2Row[k]", "p := 0*alpha + acc2Row[k]"}}},
	{name: "numbers written in the wrong order", model: "specs/mixture", by: "names", code: []edit{{"AppendValues", "dst = append(dst, mu[k])", "dst = append(dst, mu[K-1-k])"}}},
	{name: "a term too many in the log joint", model: "specs/pump", by: "log joint", code: []edit{{"LogJoint", "return", "lp += s.state.Beta\n\treturn"}}},
	{name: "the widths of a slice left out of checkpoints", model: "specs/pump", by: "determinism", code: []edit{{"Parts", "&s.alphaWidths,", ""}}},
	{name: "a sum left out of checkpoints", model: "specs/mixture", by: "determinism", code: []edit{{"Parts", "s.acc2,", ""}}},
	{name: "random numbers left out of checkpoints", model: "hmm2", by: "determinism", code: []edit{{"Parts", "s.rng,", ""}}},
	{name: "units called exchangeable", model: "specs/mixture", by: "labels", code: []edit{{"Exchangeable", "return e\n", "return append(e[:1:1], runtime.Exchangeable{Plate: \"N\", Size: s.data.N})\n"}}},
}

// slicing has alpha drawn by a slice sampler of another kind, on the logarithm x of alpha with the log density f of that.
func slicing(body string) []edit {
	return []edit{{"drawAlpha", "s.rng.SlicePositive(", "func(t, _, _, w float64, logf func(float64) float64) float64 {\n\tx := math.Log(t)\n\t" +
		"f := func(u float64) float64 { return logf(math.Exp(u)) + u }\n\tlevel := f(x) + math.Log(s.rng.Open01())\n\t" +
		"return math.Exp(func() float64 {\n\t" + body + "\n\t}())\n\t}("}}
}
