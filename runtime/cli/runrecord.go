// This file holds MODEL-run.json: what was run, with what, when and for how long. It is written before the first sweep and
// again after the last, so that a run which was killed has one too, without a length.

package cli

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// A RunRecord says how draws came about.
type RunRecord struct {
	Model       string          `json:"model"`
	Version     string          `json:"version"` // of the gibbsgen that compiled the sampler
	Spec        SpecText        `json:"spec"`
	Data        []string        `json:"data"` // files, as they were given
	Args        []string        `json:"args"` // of the sampler
	Options     runtime.Options `json:"options"`
	Started     time.Time       `json:"started"`
	Seconds     float64         `json:"seconds"` // warmup included; 0 if the run has not ended
	Interrupted bool            `json:"interrupted"`

	resumed time.Time // when this process began
}

// A SpecText is a spec as it was when the sampler was compiled.
type SpecText struct {
	Name   string `json:"name"` // of its file, without directory
	Source string `json:"source"`
}

// RunRecordPath is where the record of a model's run is.
func RunRecordPath(dir, model string) string { return filepath.Join(dir, model+"-run.json") }

// newRunRecord returns the record of a run that begins now.
func (s *settings) newRunRecord() *RunRecord {
	opts, _ := s.opts.WithDefaults() // parse has looked at them
	r := &RunRecord{
		Model: s.model.Name, Version: s.model.Version, Spec: SpecText{s.model.Spec, s.model.Source},
		Data: append([]string{}, s.files...), Args: append([]string{}, s.args...), Options: opts,
		Started: time.Now(),
	}
	r.resumed = r.Started
	if s.resumed != nil {
		var before RunRecord
		if text, err := os.ReadFile(RunRecordPath(s.out, s.model.Name)); err == nil && json.Unmarshal(text, &before) == nil {
			r.Started, r.Seconds = before.Started, before.Seconds
		}
	}
	return r
}

// end notes that the run is over.
func (r *RunRecord) end(dir string, interrupted bool) error {
	r.Seconds += time.Since(r.resumed).Seconds()
	r.Interrupted = interrupted
	return r.write(dir)
}

// remove takes the record of a run that has left no draws away.
func (r *RunRecord) remove(dir string) { os.Remove(RunRecordPath(dir, r.Model)) }

// write puts the record in its place, whole.
func (r *RunRecord) write(dir string) error {
	return writeWhole(RunRecordPath(dir, r.Model), func(out *bufio.Writer) error {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		return e.Encode(r)
	})
}
