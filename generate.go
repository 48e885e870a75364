package gibbsgen

// This file regenerates what is generated, with go generate ./...: one line a spec, then the data that are simulated by
// generated code.

//go:generate go run ./cmd/gibbsgen generate specs/ar1.gm -o generated/ar1
//go:generate go run ./cmd/gibbsgen generate specs/betabin.gm -o generated/betabin
//go:generate go run ./cmd/gibbsgen generate specs/crossed.gm -o generated/crossed
//go:generate go run ./cmd/gibbsgen generate specs/dpmm.gm -o generated/dpmm
//go:generate go run ./cmd/gibbsgen generate specs/dpmmfull.gm -o generated/dpmmfull
//go:generate go run ./cmd/gibbsgen generate specs/hmm.gm -o generated/hmm
//go:generate go run ./cmd/gibbsgen generate specs/lasso.gm -o generated/lasso
//go:generate go run ./cmd/gibbsgen generate specs/lassogauss.gm -o generated/lassogauss
//go:generate go run ./cmd/gibbsgen generate specs/lda.gm -o generated/lda
//go:generate go run ./cmd/gibbsgen generate specs/ldaboth.gm -o generated/ldaboth
//go:generate go run ./cmd/gibbsgen generate specs/mixture.gm -o generated/mixture
//go:generate go run ./cmd/gibbsgen generate specs/ordinal.gm -o generated/ordinal
//go:generate go run ./cmd/gibbsgen generate specs/probit.gm -o generated/probit
//go:generate go run ./cmd/gibbsgen generate specs/pump.gm -o generated/pump
//go:generate go run ./cmd/gibbsgen generate specs/rats.gm -o generated/rats
//go:generate go run ./cmd/gibbsgen generate specs/spikeslab.gm -o generated/spikeslab
//go:generate go run ./internal/specdata specs
