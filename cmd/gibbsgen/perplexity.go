// This file holds gibbsgen perplexity: document completion.

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gibbsgen/gibbsgen/codegen"
	"github.com/gibbsgen/gibbsgen/plan"
)

type perplexityCmd struct {
	Spec string `arg:"" help:"The spec: data over a ragged plate (words of documents), each element with a category of its own (its topic)."`

	Data []string `required:"" placeholder:"FILE" sep:"none" help:"Training data."`
	Test []string `required:"" placeholder:"FILE" sep:"none" help:"Test data: half of each document is observed, the rest foretold."`
	Set  []string `placeholder:"NAME=VALUE" sep:"none" help:"The size of a plate, or the value of a constant."`

	Split     string `enum:"shuffle,alternate" default:"shuffle" help:"How documents are halved: shuffle, or alternate (the first, third, fifth ... word in the file's order is observed)."`
	SplitSeed uint64 `default:"1" help:"Of the shuffle."`

	Chains int    `default:"4" help:"Number of chains."`
	Warmup int    `default:"500" aliases:"burn" help:"Sweeps of each chain before its first kept one."`
	Draws  int    `default:"500" help:"Kept draws of each chain."`
	Thin   int    `default:"1" help:"Sweeps for each kept draw."`
	Seed   uint64 `default:"1" help:"Of the random numbers."`
	Quiet  bool   `short:"q" help:"No notes, no progress."`

	Vocab     string `group:"Data preparation" placeholder:"FILE" help:"The words of a corpus, one a line."`
	MaxTokens int    `group:"Data preparation" placeholder:"N" help:"The most tokens that a corpus may have."`
}

func (perplexityCmd) Help() string {
	return `Appends each test document to the training data with half of its words, runs the sampler on all that, and finds the probability of each word of the other half: averaged over the draws of all chains before the logarithm is taken. The perplexity is the exponential of minus the mean logarithm. It is printed for all chains together and for each; the spread between chains says how far to trust it.

Of two models, compare figures of the same test data, split and seed only. A file that counts words (UCI, LDA-C) puts equal words side by side, so that --split=alternate shows one of every two.

Examples:

    gibbsgen perplexity specs/lda.gm --data=train.docword.txt --test=test.docword.txt
    gibbsgen perplexity lda.gm --data=train.ldac --test=test.ldac --set=topics=50 --chains=2 --warmup=1000`
}

// Validate reports numbers that make no sense.
func (cmd *perplexityCmd) Validate() error {
	for _, f := range []struct {
		name  string
		value int
		least int
	}{
		{"chains", cmd.Chains, 1}, {"draws", cmd.Draws, 1}, {"thin", cmd.Thin, 1}, {"warmup", cmd.Warmup, 0}, {"max-tokens", cmd.MaxTokens, 0},
	} {
		if f.value < f.least {
			return fmt.Errorf("--%s is %d: it must be at least %d", f.name, f.value, f.least)
		}
	}
	return nil
}

// Run finds or builds the sampler, and hands over to it.
func (cmd *perplexityCmd) Run(c console) error {
	if cmd.Spec == "-" {
		return errors.New("perplexity needs a file for the spec")
	}
	p, err := makePlan(cmd.Spec, c)
	if err != nil {
		return err
	}
	data, err := foretold(p)
	if err != nil {
		return err
	}
	for _, path := range slices.Concat(cmd.Data, cmd.Test) { // before a minute of compiling
		if _, err := os.Stat(path); err != nil {
			return pathError("cannot read", path, err)
		}
	}
	files, err := codegen.Generate(p, codegen.Options{Package: samplerPackage, Spec: filepath.Base(cmd.Spec)})
	if err != nil {
		return err
	}
	spec := filepath.Base(cmd.Spec)
	binary, err := cachedBinary(p.Model, spec, samplerAssembly(p.Model, spec), files, c)
	if err != nil {
		return err
	}
	args := []string{
		"--predict=" + data, "--split=" + cmd.Split, "--split-seed=" + strconv.FormatUint(cmd.SplitSeed, 10),
		"--chains=" + strconv.Itoa(cmd.Chains), "--warmup=" + strconv.Itoa(cmd.Warmup), "--draws=" + strconv.Itoa(cmd.Draws),
		"--thin=" + strconv.Itoa(cmd.Thin), "--seed=" + strconv.FormatUint(cmd.Seed, 10),
	}
	for _, f := range []struct {
		flag   string
		values []string
	}{{"--data=", cmd.Data}, {"--test=", cmd.Test}, {"--set=", cmd.Set}} {
		for _, v := range f.values {
			args = append(args, f.flag+v)
		}
	}
	if cmd.Vocab != "" {
		args = append(args, "--vocab="+cmd.Vocab)
	}
	if cmd.MaxTokens > 0 {
		args = append(args, "--max-tokens="+strconv.Itoa(cmd.MaxTokens))
	}
	if cmd.Quiet {
		args = append(args, "--quiet")
	}
	return handOver(binary, args, c)
}

// foretold returns the data over a ragged plate that the sampler foretells, or why there is none.
func foretold(p *plan.Plan) (string, error) {
	predictions, why := p.Predictions()
	var names []string
	for _, q := range predictions {
		switch a := q.X.Axes; {
		case len(a) == 2 && a[1].Over == a[0] && a[0].Over == nil:
			names = append(names, q.X.Name)
		default:
			why = append(why, fmt.Sprintf("%s: %s does not run over a plate and one that is ragged over it", q.Target.Var.Name, q.X.Name))
		}
	}
	switch len(names) {
	case 1:
		return names[0], nil
	case 0:
		if len(why) == 0 {
			why = []string{"it has no categories"}
		}
		return "", fmt.Errorf("%s has no data whose elements have a category each that is drawn, as words have topics (%s)", p.Model.Name, strings.Join(why, "; "))
	}
	return "", fmt.Errorf("%s foretells %s: document completion wants one", p.Model.Name, strings.Join(names, " and "))
}
