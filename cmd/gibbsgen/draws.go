// This file reads what a run leaves in its directory beside the CmdStan files: levels.json, draws in long format, moments.

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/runtime/cli"
)

// A drawDir is a run's directory.
type drawDir struct {
	path string
	cli.Levels
}

func openDraws(path string) (*drawDir, error) {
	d := &drawDir{path: path}
	text, err := os.ReadFile(filepath.Join(path, "levels.json"))
	if err != nil {
		return nil, fmt.Errorf("%w: is it a directory that gibbsgen run has written?", pathError("cannot read", filepath.Join(path, "levels.json"), err))
	}
	if err := json.Unmarshal(text, &d.Levels); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(path, "levels.json"), err)
	}
	return d, nil
}

// shape returns the shape of an unknown, or an error that names the nearest one.
func (d *drawDir) shape(variable string) (cli.Shape, error) {
	s, ok := d.Variables[variable]
	if ok {
		return s, nil
	}
	var names []string
	for n := range d.Variables {
		names = append(names, n)
	}
	hint := ""
	if near := dsl.Nearest(variable, names); near != "" {
		hint = ": did you mean " + near + "?"
	}
	return s, fmt.Errorf("%s has no unknown %s%s", d.Model, variable, hint)
}

// chains returns the files that name gives for chains 0, 1, ... as far as they exist.
func (d *drawDir) chains(name func(chain int) string) []string {
	var out []string
	for chain := 0; ; chain++ {
		path := filepath.Join(d.path, name(chain))
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return out
		}
		out = append(out, path)
	}
}

// label names an element of a plate: by its level if it has one, else by its number.
func (d *drawDir) label(plate string, i int) string {
	if names := d.Levels.Levels[plate]; i < len(names) {
		return names[i]
	}
	return strconv.Itoa(i + 1)
}

// lineMost is the longest line of the files read here.
const lineMost = 1 << 16

// readRows reads a table of first, i1, i2, ..., last, and hands on each row's cells. They are valid until the next.
func readRows(path string, r io.Reader, first string, last []string, row func(cells []string) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 4096), lineMost)
	line := 0
	fail := func(err error) error { return fmt.Errorf("%s:%d: %w", path, line, err) }
	var cells []string
	columns := 0
	for in.Scan() {
		line++
		cells = cells[:0]
		for rest, more := in.Text(), true; more; {
			var cell string
			cell, rest, more = strings.Cut(rest, ",")
			cells = append(cells, cell)
		}
		if line == 1 {
			columns = len(cells)
			want := []string{first}
			for k := range columns - 1 - len(last) {
				want = append(want, "i"+strconv.Itoa(k+1))
			}
			if want = append(want, last...); !slices.Equal(cells, want) {
				return fail(fmt.Errorf("the columns are %.100q, want %s", in.Text(), strings.Join(want, ",")))
			}
			continue
		}
		if len(cells) != columns {
			return fail(fmt.Errorf("%d cells, want %d", len(cells), columns))
		}
		if err := row(cells); err != nil {
			return fail(err)
		}
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		line++
		return fail(fmt.Errorf("a line of more than %d bytes", lineMost))
	case err != nil:
		return pathError("cannot read", path, err)
	case line == 0:
		return fmt.Errorf("%s is empty", path)
	}
	return nil
}

// count reads a number that counts from 1, and returns it from 0.
func count(cell string) (int, error) {
	n, err := strconv.Atoi(cell)
	if err != nil || n < 1 || n > 1<<31-1 {
		return 0, fmt.Errorf("%.20q is no number that counts from 1", cell)
	}
	return n - 1, nil
}

// besideCmdStan reports whether a file is one of those that lie beside the CmdStan files of a run.
func besideCmdStan(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 12)
	n, _ := io.ReadFull(f, head)
	return strings.HasPrefix(string(head[:n]), "draw,i1,") || strings.HasPrefix(string(head[:n]), "variable,")
}
