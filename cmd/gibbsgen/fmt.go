// This file holds gibbsgen fmt.

package main

import (
	"errors"
	"fmt"

	"github.com/gibbsgen/gibbsgen/dsl"
)

type fmtCmd struct {
	Write bool     `short:"w" help:"Write the result to the file instead of printing it."`
	List  bool     `short:"l" help:"Print the names of the files that are not in canonical form."`
	Specs []string `arg:"" optional:"" name:"spec" help:"Specs to format; none, or -, is standard input."`
}

func (fmtCmd) Help() string {
	return `Prints specs in canonical form, comments kept. With -l or -w it prints no text; a file with errors is left alone.

Examples:

    gibbsgen fmt model.gm
    gibbsgen fmt -w specs/*.gm
    gibbsgen fmt < model.gm`
}

// Run formats each spec; an error in one does not keep the others from it.
func (cmd *fmtCmd) Run(c console) error {
	paths := cmd.Specs
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	var failed error
	for _, path := range paths {
		if err := cmd.format(path, c); err != nil {
			if err != errReported {
				complain(c.stderr, err)
			}
			failed = errReported
		}
	}
	return failed
}

func (cmd *fmtCmd) format(path string, c console) error {
	src, err := readSpec(path, c.stdin)
	if err != nil {
		return err
	}
	name := path
	if path == "-" {
		name = "standard input"
		if cmd.Write {
			return errors.New("-w needs a file: standard input can't be written to")
		}
	}
	file, diags := dsl.Parse(name, src)
	if err := reportDiags(c.stderr, file, diags); err != nil {
		return err
	}
	text := dsl.Format(file)
	if cmd.List && text != src {
		fmt.Fprintln(c.stdout, name)
	}
	if cmd.Write && text != src {
		return writeFiles([]outFile{{path, []byte(text)}})
	}
	if !cmd.List && !cmd.Write {
		_, err = fmt.Fprint(c.stdout, text)
	}
	return err
}
