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
	name   string
	match  func(path string, head []byte) bool // head: up to 4 kB, without a byte order mark
	read   func(ld *loader, src source)
	binary bool // not text
	turn   int  // files of an earlier turn are read first: a bag wants sizes, a table takes what the others leave
}

// The order matters: a bag of words is known by its name, before a look at the content of a .txt or .dat file; and R, whose lines
// have commas, before a table.
var formats = []format{
	{name: "UCI bag-of-words (docword.*.txt, *.docword.txt)", match: isUCI, read: readUCI, turn: 1},
	{name: "LDA-C (*.ldac, *.dat)", match: isLDAC, read: readLDAC, turn: 1},
	{name: "MatrixMarket (*.mtx)", match: isMTX, read: readMTX, turn: 1},
	{name: "NPZ (*.npz)", match: isNPZ, read: readNPZ, binary: true},
	{name: "NPY (*.npy)", match: isNPY, read: readNPY, binary: true},
	{name: "JSON (*.json)", match: isJSON, read: readJSON},
	{name: "R dump or BUGS list (*.R, *.Rdump, *.dump)", match: isR, read: readR},
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

func isMTX(path string, head []byte) bool {
	return extension(path) == ".mtx" || len(head) >= len(mtxBanner) && strings.EqualFold(string(head[:len(mtxBanner)]), mtxBanner)
}

func isNPY(path string, head []byte) bool {
	return extension(path) == ".npy" || bytes.HasPrefix(head, []byte(npyMagic))
}

// A zip file of another name may be a spreadsheet.
func isNPZ(path string, _ []byte) bool { return extension(path) == ".npz" }

var rStart = regexp.MustCompile("^(\\s*#.*\n)*\\s*([A-Za-z.][A-Za-z0-9._]*\\s*<-|[\"'`][^\"'`\n]+[\"'`]\\s*<-|list\\s*\\()")

func isR(path string, head []byte) bool {
	switch extension(path) {
	case ".r", ".rdump", ".dump":
		return true
	case ".csv", ".tsv":
		return false
	}
	return rStart.Match(head)
}

func isCSV(path string, head []byte) bool {
	ext := extension(path)
	first, _, _ := bytes.Cut(head, []byte("\n"))
	return ext == ".csv" || ext == ".tsv" || bytes.ContainsAny(first, ",\t")
}
