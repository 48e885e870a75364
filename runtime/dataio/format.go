// This file lists the formats: one entry each, the first that matches reads the file.

package dataio

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
)

// A format is one kind of data file.
type format struct {
	name  string
	match func(path string, head []byte) bool // head: up to 4 kB, without a byte order mark
	read  func(ld *loader, src source)
	turn  int // files of an earlier turn are read first: a bag wants sizes, a table takes what the others leave
}

// The order matters: a bag of words is known by its name, before a look at the content of a .txt or .dat file.
var formats = []format{
	{name: "UCI bag-of-words (docword.*.txt, *.docword.txt)", match: isUCI, read: readUCI, turn: 1},
	{name: "LDA-C (*.ldac, *.dat)", match: isLDAC, read: readLDAC, turn: 1},
	{name: "JSON (*.json)", match: isJSON, read: readJSON},
	{name: "CSV (*.csv, *.tsv)", match: isCSV, read: readCSV, turn: 2},
}

// extension is the end of a path, in lower case.
func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }

func isUCI(path string, _ []byte) bool {
	name := strings.ToLower(filepath.Base(path))
	return strings.HasSuffix(name, ".txt") &&
		(strings.HasPrefix(name, "docword.") || strings.HasSuffix(name, ".docword.txt"))
}

var ldacLine = regexp.MustCompile(`^([0-9]+ +[0-9]+:[0-9]+|0)(\s|$)`)

func isLDAC(path string, head []byte) bool {
	ext := extension(path)
	return ext == ".ldac" || ext == ".dat" && ldacLine.Match(head) && bytes.Contains(head, []byte(":"))
}

func isJSON(path string, head []byte) bool {
	ext := extension(path)
	return ext == ".json" || ext != ".csv" && ext != ".tsv" && bytes.HasPrefix(bytes.TrimSpace(head), []byte("{"))
}

func isCSV(path string, head []byte) bool {
	ext := extension(path)
	first, _, _ := bytes.Cut(head, []byte("\n"))
	return ext == ".csv" || ext == ".tsv" || bytes.ContainsAny(first, ",\t")
}
