// This file writes draws as read.coda of R's coda package reads them: of each chain a file of lines "iteration value", one
// column after the other, and for all an index of lines "name first last", which says where the column's lines are.

package main

import (
	"bufio"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// The file that marks the directory is hidden, so that R users see only the two kinds that they know. Without it, files of
// JAGS, which have the same names, would be taken for ours.
var codaFormat = drawFormat{
	name:   "coda",
	mark:   ".gibbsgen-convert",
	marked: "coda\n",
	owns:   regexp.MustCompile(`^CODA(index|chain[0-9]+)\.txt$`).MatchString,
	write:  writeCoda,
}

func writeCoda(dir string, r *csvRun) error {
	if r.draws < 2 {
		return errors.New("one draw only: read.coda of R wants at least two")
	}
	err := writeTo(filepath.Join(dir, "CODAindex.txt"), func(w *bufio.Writer) error {
		for i, c := range r.columns {
			if _, err := fmt.Fprintf(w, "%s %d %d\n", rName(c.name), i*r.draws+1, (i+1)*r.draws); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	held := make([]float64, min(max(1, r.hold/r.draws), len(r.columns))*r.draws)
	for chain := range r.files {
		name := fmt.Sprintf("CODAchain%d.txt", chain+1)
		if err := writeTo(filepath.Join(dir, name), func(w *bufio.Writer) error { return writeCodaChain(w, r, chain, held) }); err != nil {
			return err
		}
	}
	return nil
}

// writeCodaChain writes as many columns from one reading of the chain as held has room for.
func writeCodaChain(w *bufio.Writer, r *csvRun, chain int, held []float64) error {
	most := len(held) / r.draws
	var line []byte
	for from := 0; from < len(r.columns); from += most {
		columns := r.columns[from:min(from+most, len(r.columns))]
		err := r.each(chain, func(draw int, values []float64) error {
			for i, c := range columns {
				held[i*r.draws+draw] = values[c.at]
			}
			return nil
		})
		if err != nil {
			return err
		}
		for i, x := range held[:len(columns)*r.draws] {
			line = strconv.AppendInt(line[:0], int64(i%r.draws+1), 10)
			line = strconv.AppendFloat(append(line, ' '), x, 'g', -1, 64)
			if _, err := w.Write(append(line, '\n')); err != nil {
				return err
			}
		}
	}
	return nil
}

// rName spells a name as R does: S.1.2 is S[1,2].
func rName(name string) string {
	variable, index := splitName(name)
	if len(index) == 0 {
		return name
	}
	return variable + "[" + strings.ReplaceAll(name[len(variable)+1:], ".", ",") + "]"
}
