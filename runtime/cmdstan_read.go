// This file reads CmdStan CSV, our own and that of other programs.

package runtime

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ReadCmdStan reads one chain's CmdStan CSV: names as in the file, all columns,
// those ending in __ too; draws[i] the draws of names[i]; meta the "key = value"
// comments, the first where a key is repeated, without "(Default)".
//
// Comments and blank lines may stand anywhere, as CmdStan puts its adaptation
// and timing among the draws. Where the comments say that warmup was saved, those
// rows are left out.
//
// An error says where: file:line, column and value, the file being what r.Name()
// returns if r has that method, as *os.File has. A last row without a line end is
// one: its last number may have been cut short.
func ReadCmdStan(r io.Reader) (names []string, draws [][]float64, meta map[string]string, err error) {
	names, meta, warmup, err := ScanCmdStan(r, func(values []float64) error {
		if draws == nil {
			draws = make([][]float64, len(values))
		}
		for i, v := range values {
			draws[i] = append(draws[i], v)
		}
		return nil
	})
	if err != nil {
		return nil, nil, nil, err
	}
	if draws == nil {
		draws = make([][]float64, len(names))
	}
	for i, d := range draws {
		draws[i] = d[min(warmup, len(d)):]
	}
	return names, draws, meta, nil
}

// ScanCmdStan reads as [ReadCmdStan] does but hands on each row, valid until the
// next, in place of holding all. The first warmup rows are warmup: the comments
// that say so may come last. An error of row ends the reading and is returned as
// it is.
func ScanCmdStan(r io.Reader, row func(values []float64) error) (names []string, meta map[string]string, warmup int, err error) {
	file := "CmdStan CSV"
	if f, ok := r.(interface{ Name() string }); ok {
		file = f.Name()
	}
	meta = make(map[string]string)
	var values []float64
	in := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		line, readErr := in.ReadString('\n')
		if readErr != nil && readErr != io.EOF {
			return nil, nil, 0, fmt.Errorf("%s:%d: %w", file, number, readErr)
		}
		text := strings.TrimSpace(line)
		isRow := false
		var lineErr error
		switch {
		case text == "":
		case text[0] == '#':
			readComment(text, meta)
		case names == nil:
			names, lineErr = readNames(text)
			values = make([]float64, len(names))
		case readErr == io.EOF:
			lineErr = errors.New("the last row has no line end: the file is cut short")
		default:
			isRow = true
			lineErr = readRow(text, names, values)
		}
		if lineErr != nil {
			return nil, nil, 0, fmt.Errorf("%s:%d: %w", file, number, lineErr)
		}
		if isRow {
			if err := row(values); err != nil {
				return nil, nil, 0, err
			}
		}
		if readErr == io.EOF {
			break
		}
	}
	if names == nil {
		return nil, nil, 0, fmt.Errorf("%s: no line of column names", file)
	}
	if warmup, err = savedWarmup(meta); err != nil {
		return nil, nil, 0, fmt.Errorf("%s: %w", file, err)
	}
	return names, meta, warmup, nil
}

// readComment notes a comment of the form "# key = value".
func readComment(text string, meta map[string]string) {
	key, value, ok := strings.Cut(strings.TrimLeft(text, "# \t"), "=")
	if key = strings.TrimSpace(key); !ok || key == "" {
		return
	}
	value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "(Default)"))
	if _, seen := meta[key]; !seen {
		meta[key] = value
	}
}

func readNames(text string) ([]string, error) {
	names := strings.Split(text, ",")
	seen := make(map[string]bool, len(names))
	for i, name := range names {
		name = strings.TrimSpace(name)
		if name == "" {
			return nil, fmt.Errorf("column %d has no name", i+1)
		}
		if seen[name] {
			return nil, fmt.Errorf("column %d: the name %q is there twice", i+1, name)
		}
		seen[name] = true
		names[i] = name
	}
	return names, nil
}

// readRow sets the values of one row.
func readRow(text string, names []string, values []float64) error {
	if n := strings.Count(text, ",") + 1; n != len(names) {
		return fmt.Errorf("%d values for %d columns", n, len(names))
	}
	for i := range names {
		var field string
		field, text, _ = strings.Cut(text, ",")
		field = strings.TrimSpace(field)
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			why := "not a number"
			if errors.Is(err, strconv.ErrRange) {
				why = "out of range"
			}
			return fmt.Errorf("column %s (%d of %d): %q is %s", names[i], i+1, len(names), field, why)
		}
		values[i] = v
	}
	return nil
}

// savedWarmup returns how many rows at the top are warmup: ⌈num_warmup/thin⌉ if
// they were saved. Under fixed_param CmdStan saves none, whatever it says.
func savedWarmup(meta map[string]string) (int, error) {
	if s := meta["save_warmup"]; s != "1" && s != "true" || meta["algorithm"] == "fixed_param" {
		return 0, nil
	}
	thin := 1
	if s, ok := meta["thin"]; ok {
		var err error
		if thin, err = strconv.Atoi(s); err != nil || thin < 1 {
			return 0, fmt.Errorf("comment thin = %q: want a positive whole number", s)
		}
	}
	warmup, err := strconv.Atoi(meta["num_warmup"])
	if err != nil || warmup < 0 {
		return 0, fmt.Errorf("comment num_warmup = %q: warmup was saved, so want its number of sweeps", meta["num_warmup"])
	}
	if warmup == 0 {
		return 0, nil
	}
	return 1 + (warmup-1)/thin, nil
}
