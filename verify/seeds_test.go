// This file counts false alarms: samplers that are right, verified with many seeds.

package verify_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gibbsgen/gibbsgen/generated/ar1"
	"github.com/gibbsgen/gibbsgen/generated/betabin"
	"github.com/gibbsgen/gibbsgen/generated/crossed"
	"github.com/gibbsgen/gibbsgen/generated/dpmm"
	"github.com/gibbsgen/gibbsgen/generated/dpmmfull"
	"github.com/gibbsgen/gibbsgen/generated/hmm"
	"github.com/gibbsgen/gibbsgen/generated/lasso"
	"github.com/gibbsgen/gibbsgen/generated/lassogauss"
	"github.com/gibbsgen/gibbsgen/generated/lda"
	"github.com/gibbsgen/gibbsgen/generated/ldaboth"
	"github.com/gibbsgen/gibbsgen/generated/mixture"
	"github.com/gibbsgen/gibbsgen/generated/ordinal"
	"github.com/gibbsgen/gibbsgen/generated/probit"
	"github.com/gibbsgen/gibbsgen/generated/pump"
	"github.com/gibbsgen/gibbsgen/generated/rats"
	"github.com/gibbsgen/gibbsgen/generated/spikeslab"
	"github.com/gibbsgen/gibbsgen/verify"
)

var (
	seeds = flag.Uint64("seeds", 0, "verify every bundled spec with so many seeds, and print how many failed")
	level = flag.String("level", "quick", "of -seeds: exact, quick or full")
)

// bundled are the models of specs/.
var bundled = []verify.Model{
	{Source: ar1.Source, Schema: ar1.Schema, Open: ar1.Open, Forward: ar1.Forward},
	{Source: betabin.Source, Schema: betabin.Schema, Open: betabin.Open, Forward: betabin.Forward},
	{Source: crossed.Source, Schema: crossed.Schema, Open: crossed.Open, Forward: crossed.Forward},
	{Source: dpmm.Source, Schema: dpmm.Schema, Open: dpmm.Open, Forward: dpmm.Forward},
	{Source: dpmmfull.Source, Schema: dpmmfull.Schema, Open: dpmmfull.Open, Forward: dpmmfull.Forward},
	{Source: hmm.Source, Schema: hmm.Schema, Open: hmm.Open, Forward: hmm.Forward},
	{Source: lasso.Source, Schema: lasso.Schema, Open: lasso.Open, Forward: lasso.Forward},
	{Source: lassogauss.Source, Schema: lassogauss.Schema, Open: lassogauss.Open, Forward: lassogauss.Forward},
	{Source: lda.Source, Schema: lda.Schema, Open: lda.Open, Forward: lda.Forward},
	{Source: ldaboth.Source, Schema: ldaboth.Schema, Open: ldaboth.Open, Forward: ldaboth.Forward},
	{Source: mixture.Source, Schema: mixture.Schema, Open: mixture.Open, Forward: mixture.Forward},
	{Source: ordinal.Source, Schema: ordinal.Schema, Open: ordinal.Open, Forward: ordinal.Forward},
	{Source: probit.Source, Schema: probit.Schema, Open: probit.Open, Forward: probit.Forward},
	{Source: pump.Source, Schema: pump.Schema, Open: pump.Open, Forward: pump.Forward},
	{Source: rats.Source, Schema: rats.Schema, Open: rats.Open, Forward: rats.Forward},
	{Source: spikeslab.Source, Schema: spikeslab.Schema, Open: spikeslab.Open, Forward: spikeslab.Forward},
}

// TestSeeds prints, for each bundled spec, how many of its verifications looked twice at something, and how many failed. By chance that
// is at most one in thirty (√0.001) and one in a thousand.
func TestSeeds(t *testing.T) {
	if *seeds == 0 {
		t.Skip("-seeds=50 runs it")
	}
	opt := verify.Options{Level: map[string]verify.Level{"exact": verify.Exact, "full": verify.Full}[*level]}
	var b strings.Builder
	fmt.Fprintf(&b, "| spec | checks | looked twice | failed | not made | seconds each |\n|---|---|---|---|---|---|\n")
	var twice, failed int
	for _, m := range bundled {
		var spec, ofTwice, ofFailed, notMade, checks int
		began := time.Now()
		for seed := range *seeds {
			opt.Seed = seed + 1
			r, err := verify.Run(m, opt)
			if err != nil {
				t.Fatal(err)
			}
			again, checksOf, notMadeOf := false, len(r.Checks), 0
			for _, c := range r.Checks {
				again = again || c.Looks > 1
				switch c.Outcome {
				case verify.Failed:
					t.Errorf("%s, seed %d: %s: %s", m.Schema.Model, opt.Seed, c.Name, c.Detail)
				case verify.NotMade:
					notMadeOf++
				}
				if c.Looks > 1 {
					t.Logf("%s, seed %d: a second look at %s: %.3g, threshold %.3g", m.Schema.Model, opt.Seed, c.Name, c.Statistic, c.Threshold)
				}
			}
			spec++
			checks, notMade = max(checks, checksOf), max(notMade, notMadeOf)
			if again {
				ofTwice++
			}
			if r.Failed() {
				ofFailed++
			}
		}
		twice, failed = twice+ofTwice, failed+ofFailed
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %.1f |\n", m.Schema.Model, checks, ofTwice, ofFailed, notMade, time.Since(began).Seconds()/float64(spec))
	}
	fmt.Printf("%slevel %s, %d seeds: of %d verifications %d looked twice and %d failed\n", b.String(), *level, *seeds, uint64(len(bundled))**seeds, twice, failed)
}
