// This file holds levels.json: the shapes of the unknowns, and the names of the elements of plates as far as the data gave any.

package cli

import (
	"bufio"
	"encoding/json"
	"path/filepath"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Levels are what levels.json holds.
type Levels struct {
	Model     string              `json:"model"`
	Variables map[string]Shape    `json:"variables"` // the unknowns
	Levels    map[string][]string `json:"levels"`    // plate -> names of its elements
}

// A Shape says what an unknown runs over and what its values are.
type Shape struct {
	Dims []string `json:"dims,omitempty"` // plates, outermost first
	Of   string   `json:"of,omitempty"`   // the plate that its values are elements of
}

// levelsPath is where the names are.
func levelsPath(dir string) string { return filepath.Join(dir, "levels.json") }

// writeLevels writes what the unknowns and the data say.
func writeLevels(dir, model string, unknowns []runtime.Unknown, set *dataio.Set) error {
	l := Levels{Model: model, Variables: map[string]Shape{}, Levels: set.Levels}
	if l.Levels == nil {
		l.Levels = map[string][]string{}
	}
	for _, u := range unknowns {
		s := Shape{Of: u.Of.Plate}
		for _, d := range u.Dims {
			s.Dims = append(s.Dims, d.Plate)
		}
		l.Variables[u.Name] = s
	}
	return writeWhole(levelsPath(dir), func(out *bufio.Writer) error {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		return e.Encode(l)
	})
}
