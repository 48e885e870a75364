// This file holds gibbsgen data: data files to a store that samplers map into memory, and what is in one.

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

type dataCmd struct {
	Import dataImportCmd `cmd:"" help:"Write data files as a store, which samplers map into memory instead of reading it there."`
	Show   dataShowCmd   `cmd:"" help:"List what a store holds."`
}

func (dataCmd) Help() string {
	return `For data that are larger than memory, or that many runs read: a store (.gmd) is a file of binary columns, which every sampler takes as data.

Examples:

    gibbsgen data import trial.csv --spec=model.gm -o trial.gmd
    gibbsgen run model.gm --data=trial.gmd
    gibbsgen data show trial.gmd`
}

type dataImportCmd struct {
	Files []string `arg:"" name:"file" help:"Data files: ${formats}."`

	Spec   string `placeholder:"SPEC" help:"A model that reads the data: everything is checked and stored as its sampler holds it, so that a run copies nothing. Without it the files are stored as they are, an array for each column or key."`
	Output string `short:"o" placeholder:"FILE" help:"The store (default: NAME.gmd here, NAME being that of the first file)."`
	Quiet  bool   `short:"q" help:"No notes."`

	Set         []string `placeholder:"NAME=VALUE" sep:"none" help:"The size of a plate, or the value of a constant."`
	Columns     []string `placeholder:"FIELD=COLUMN,..." sep:"none" help:"Where a field is found in a CSV file. Without a spec: columns that become one array."`
	Standardise []string `placeholder:"X" help:"With a spec, as the five below: centre the columns, and divide by their standard deviations."`
	Unit        []string `placeholder:"X" help:"Centre the columns, and divide by their Euclidean norms."`
	Center      []string `placeholder:"X" help:"Subtract the columns' means."`
	Scale       []string `placeholder:"X" help:"Divide the columns by their standard deviations, without centring."`
	Binarise    []string `placeholder:"Y" help:"Make a number a boolean: true above the median."`
	Intercept   []string `placeholder:"X" help:"Prepend a column of ones."`
	Vocab       string   `placeholder:"FILE" help:"The words of a corpus, one a line."`
	MaxTokens   int      `placeholder:"N" help:"The most tokens that a corpus may have."`
}

func (dataImportCmd) Help() string {
	return `Reads data files as a run does, with the same checks and notes, and writes a store. Elements are not held in memory: while it works there are temporary files beside the store, as large as the data. The store takes its name when it is complete; an earlier store is replaced, any other file is not.

Examples:

    gibbsgen data import trial.csv --spec=model.gm -o trial.gmd && gibbsgen run model.gm --data=trial.gmd
    gibbsgen data import trial.csv --spec=model.gm --columns=y=outcome --standardise=X --intercept=X
    gibbsgen data import trial.csv --columns=X=age,bmi,bp
    gibbsgen data import docword.pubmed.txt -o pubmed.gmd`
}

// Run writes the store.
func (cmd *dataImportCmd) Run(c console) error {
	var schema *dataio.Schema
	if cmd.Spec != "" {
		analysis, err := analyse(cmd.Spec, c)
		if err != nil {
			return err
		}
		schema = schemaOf(analysis.Model)
	}
	out := cmd.Output
	if out == "" {
		name := filepath.Base(cmd.Files[0])
		out = strings.TrimSuffix(name, filepath.Ext(name)) + ".gmd"
	}
	opts := dataio.Options{Set: cmd.Set, Columns: cmd.Columns, Vocab: cmd.Vocab, MaxTokens: cmd.MaxTokens}
	for _, t := range transformationFlags(cmd.Standardise, cmd.Unit, cmd.Center, cmd.Scale, cmd.Binarise, cmd.Intercept) {
		for _, name := range t.names {
			opts.Transform = append(opts.Transform, t.fn+":"+name)
		}
	}
	// What is unfinished must go when the user stops it.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	notes, err := dataio.Import(ctx, schema, cmd.Files, opts, out)
	if !cmd.Quiet {
		for _, n := range notes {
			fmt.Fprintf(c.stderr, "gibbsgen: note: %s\n", n)
		}
	}
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	if err != nil {
		return err
	}
	return showStore(c, out)
}

// A transformationFlag is one of those of run, in the order in which they are done.
type transformationFlag struct {
	fn    string
	names []string
}

func transformationFlags(standardise, unit, center, scale, binarise, intercept []string) []transformationFlag {
	return []transformationFlag{
		{"standardise", standardise}, {"unit", unit}, {"center", center}, {"scale", scale}, {"binarise", binarise}, {"intercept", intercept},
	}
}

// schemaOf says what a model reads, as its generated package does in Schema.
func schemaOf(m *ir.Model) *dataio.Schema {
	s := &dataio.Schema{Model: m.Name, Plates: []dataio.Plate{}, Fields: []dataio.Field{}}
	for _, p := range m.Plates {
		if p.Unbounded {
			continue
		}
		plate := dataio.Plate{Name: p.Name, Size: p.Size}
		if p.Over != nil {
			plate.Parent = p.Over.Name
		}
		if p.Like != nil {
			plate.Like, plate.More = p.Like.Name, p.More
		}
		plate.Axis = slices.ContainsFunc(m.Vars, func(v *ir.Var) bool { return v.Role == dsl.Data && slices.Contains(v.Axes, p) })
		s.Plates = append(s.Plates, plate)
	}
	for _, v := range m.Vars {
		if v.Role != dsl.Data && v.Role != dsl.Const {
			continue
		}
		kinds := map[ir.Elem]dataio.Kind{ir.Real: dataio.Real, ir.Int: dataio.Int, ir.Bool: dataio.Bool, ir.Cat: dataio.Category}
		f := dataio.Field{Name: v.Name, Kind: kinds[v.Type.Elem], Const: v.Role == dsl.Const, Default: v.Role == dsl.Const && v.Default != nil}
		if v.Type.Of != nil {
			f.Of = v.Type.Of.Name
		}
		for _, p := range v.Axes {
			f.Dims = append(f.Dims, p.Name)
		}
		s.Fields = append(s.Fields, f)
	}
	return s
}

type dataShowCmd struct {
	Store string `arg:"" help:"The store."`
}

func (dataShowCmd) Help() string {
	return `Prints the name, type and shape of each array, and the names of categories. It reads the beginning of the store only: whether the rest is whole a run finds out.

Examples:

    gibbsgen data show trial.gmd`
}

// Run prints the list.
func (cmd *dataShowCmd) Run(c console) error { return showStore(c, cmd.Store) }

func showStore(c console, path string) error {
	head, err := dataio.ReadStoreHeader(path)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\ttype\tshape\tnames")
	for _, a := range head.Arrays {
		shape := []string{}
		for _, n := range a.Shape {
			if n < 0 {
				shape = append(shape, "uneven")
			} else {
				shape = append(shape, strconv.Itoa(n))
			}
		}
		if len(shape) == 0 {
			shape = []string{"scalar"}
		}
		names := slices.Concat(a.Levels, a.Columns)
		for i, s := range names {
			if s == "" || strings.ContainsAny(s, ", \t\n") {
				names[i] = strconv.Quote(s)
			}
		}
		if n := len(names); n > 6 {
			names = append(names[:6:6], fmt.Sprintf("... (%d)", n))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", a.Name, a.Type, strings.Join(shape, " x "), strings.Join(names, ", "))
	}
	return w.Flush()
}
