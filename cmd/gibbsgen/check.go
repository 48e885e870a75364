// This file holds gibbsgen check.

package main

type checkCmd struct {
	Specs []string `arg:"" name:"spec" help:"Specs to check; - is standard input."`
}

func (checkCmd) Help() string {
	return `Parses the specs, checks names, shapes and supports, and derives every conditional. Prints every error and warning that it finds, with its place, and nothing if there are none. Exit code 1 says that there are errors.

Examples:

    gibbsgen check specs/lasso.gm
    gibbsgen check *.gm`
}

// Run reports every spec, not the first bad one only.
func (cmd *checkCmd) Run(c console) error {
	var failed error
	for _, path := range cmd.Specs {
		if _, err := analyse(path, c); err != nil {
			if err != errReported {
				complain(c.stderr, err)
			}
			failed = errReported
		}
	}
	return failed
}
