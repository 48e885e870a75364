// This file lists the formats: one entry each, the first that matches reads the file.

package dataio

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A format is one kind of data file.
type format struct {
	name   string
	files  []string                            // what its files are called
	beside []string                            // what the data file beside a spec may end in: lm.csv for lm.gm
	match  func(path string, head []byte) bool // head: up to 4 kB, without a byte order mark
	read   func(ld *loader, src source)
	binary bool // not text
	turn   int  // files of an earlier turn are read first: a bag wants sizes, a table takes what the others leave
}

// The order matters: a bag of words is known by its name, before a look at the content of a .txt or .dat file; and R, whose lines
// have commas and braces, before a table and JSON. Beside a spec .R may be a script, and an array of numpy would be the variable that the spec is
// called after.
var formats = []format{
	{name: "store", files: []string{"*.gmd"}, beside: []string{".gmd"}, match: isStore, read: readStore, binary: true},
	{name: "UCI bag-of-words", files: []string{"docword.*.txt", "*.docword.txt"}, beside: []string{".docword.txt"}, match: isUCI, read: readUCI, turn: 1},
	{name: "LDA-C", files: []string{"*.ldac", "*.dat"}, beside: []string{".ldac", ".dat"}, match: isLDAC, read: readLDAC, turn: 1},
	{name: "MatrixMarket", files: []string{"*.mtx"}, beside: []string{".mtx"}, match: isMTX, read: readMTX, turn: 1},
	{name: "NPZ", files: []string{"*.npz"}, beside: []string{".npz"}, match: isNPZ, read: readNPZ, binary: true},
	{name: "NPY", files: []string{"*.npy"}, match: isNPY, read: readNPY, binary: true},
	{name: "R dump or BUGS list", files: []string{"*.R", "*.Rdump", "*.dump"}, beside: []string{".Rdump", ".dump"}, match: isR, read: readR},
	{name: "JSON", files: []string{"*.json"}, beside: []string{".json"}, match: isJSON, read: readJSON},
	{name: "CSV", files: []string{"*.csv", "*.tsv"}, beside: []string{".csv", ".tsv"}, match: isCSV, read: readCSV, turn: 2},
}

// Formats returns the names of the formats.
func Formats() []string { return formatNames(func(format) bool { return true }) }

func formatNames(which func(format) bool) []string {
	var out []string
	for _, f := range formats {
		if which(f) {
			out = append(out, f.name)
		}
	}
	return out
}

// knownFormats names the formats and their files.
func knownFormats() string {
	var out []string
	for _, f := range formats {
		out = append(out, f.name+" ("+strings.Join(f.files, ", ")+")")
	}
	return strings.Join(out, "; ")
}

// Endings returns what a data file that is called after its spec may end in, tables first. The vocabulary of a corpus, which lies
// beside that, is found by the reader.
func Endings() []string {
	var out []string
	for _, f := range slices.Backward(formats) {
		out = append(out, f.beside...)
	}
	return out
}

// extension is the end of a path, in lower case.
func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }

func isStore(path string, head []byte) bool {
	return extension(path) == ".gmd" || bytes.HasPrefix(head, []byte(storeMagic))
}

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
	case ".csv", ".tsv", ".json":
		return false
	}
	return rStart.Match(head)
}

func isCSV(path string, head []byte) bool {
	ext := extension(path)
	first, _, _ := bytes.Cut(head, []byte("\n"))
	return ext == ".csv" || ext == ".tsv" || bytes.ContainsAny(first, ",\t")
}
