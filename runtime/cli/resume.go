// This file holds what a run leaves to be gone on with, and --resume. Beside the checkpoints of its chains (MODEL-1.ckpt ...) a run leaves
// MODEL-run.ckpt: its settings, and what tells whether spec and data are still the same. It is written first and removed first, so
// that checkpoints without it are of nothing.

package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// A note is what MODEL-run.ckpt holds.
type note struct {
	Model, Version string
	Spec, Data     string // SHA-256 of the spec's text; of the values of data and initial values
	Args           []string
	Files          []string
	Prepare        dataio.Options
	Init, Monitor  []string
	Options        runtime.Options
}

// MarshalBinary and UnmarshalBinary make a note a part of a checkpoint.
func (n *note) MarshalBinary() ([]byte, error) { return json.Marshal(n.plain()) }

func (n *note) UnmarshalBinary(b []byte) error { return json.Unmarshal(b, n.plain()) }

func (n *note) plain() any {
	type plain note // without methods, which would call themselves
	return (*plain)(n)
}

// free are the options that may change from a run to its going on: no draw depends on them.
var free = []string{"draws", "time", "workers"}

// run is the fingerprint of the run: of all that its draws depend on.
func (n *note) run() [32]byte {
	options := optionsByName(n.Options)
	for _, name := range free {
		delete(options, name)
	}
	text, _ := json.Marshal([]any{n.Model, n.Version, n.Spec, n.Data, n.Monitor, options}) // strings and numbers, which always go
	return sha256.Sum256(text)
}

// optionsOf are those of a flag that do not have its name.
var optionsOf = map[string][]string{"batch": {"adapt", "globals"}, "costs": {"counted", "costs"}}

// optionsByName returns the options under their names in JSON, which are mostly those of their flags.
func optionsByName(o runtime.Options) map[string]json.RawMessage {
	o, _ = o.WithDefaults() // parse has looked at them
	text, _ := json.Marshal(o)
	byName := map[string]json.RawMessage{}
	json.Unmarshal(text, &byName)
	return byName
}

// notePath is where the note of a model's run is.
func notePath(dir, model string) string { return filepath.Join(dir, model+"-run.ckpt") }

// checkpoint is the file of a chain's checkpoint.
func (s *settings) checkpoint(chain int) string {
	return filepath.Join(s.out, fmt.Sprintf("%s-%d.ckpt", s.model.Name, chain+1))
}

// goOn takes the settings of the run in the directory of --resume. What was given with it must agree; draws may be more.
func (s *settings) goOn(given map[string]bool) error {
	dir := s.resume
	fail := func(format string, args ...any) error {
		return fmt.Errorf("--resume=%s: %w", dir, fmt.Errorf(format, args...))
	}
	if given["out"] && filepath.Clean(s.out) != filepath.Clean(dir) {
		return fail("--out=%s is another directory: leave it out, draws go on where they are", s.out)
	}
	if len(s.test.files) > 0 {
		return fail("--test makes no draws that could be gone on with: leave it out")
	}
	n := new(note)
	path := notePath(dir, s.model.Name)
	switch err := runtime.ReadCheckpoint(path, [32]byte{}, n); {
	case errors.Is(err, fs.ErrNotExist):
		return fail("no run of %s was stopped here: there is no %s, and a run that is complete leaves none", s.model.Name, filepath.Base(path))
	case err != nil:
		return fail("%w", err)
	case n.Version != s.model.Version:
		return fail("the run was begun with gibbsgen %s, and this is %s, which may draw otherwise: go on with that one, or begin anew", n.Version, s.model.Version)
	case n.Spec != hexSum([]byte(s.model.Source)):
		return fail("the spec has changed since the run began: put it back as it was (its text is in %s), or begin anew", filepath.Base(RunRecordPath(dir, s.model.Name)))
	}

	was, now := optionsByName(n.Options), optionsByName(s.opts)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		for _, option := range append([]string{name}, optionsOf[name]...) {
			if !slices.Contains(free, option) && !bytes.Equal(was[option], now[option]) {
				return fail("--%s is %s, and the run was begun with %s: leave it out, or begin anew in another directory",
					name, or(now[option], "not that"), or(was[option], "the default"))
			}
		}
	}
	if given["monitor"] && !slices.Equal(s.monitor, n.Monitor) {
		return fail("--monitor is %s, and the run was begun with %s: leave it out, or begin anew in another directory",
			strings.Join(s.monitor, ","), or([]byte(strings.Join(n.Monitor, ",")), "none"))
	}
	asked := s.opts
	s.opts, s.monitor, s.args, s.out = n.Options, n.Monitor, n.Args, dir
	if given["time"] {
		s.opts.Time = asked.Time
	}
	if given["workers"] {
		s.opts.Workers = asked.Workers
	}
	if given["draws"] && asked.Draws != s.opts.Draws {
		switch {
		case asked.Draws < s.opts.Draws:
			return fail("--draws is %d, and the run was begun with %d: it can be raised alone", asked.Draws, s.opts.Draws)
		case s.opts.Adapt != runtime.NoAdapt || s.opts.Rounds:
			return fail("--draws is %d, and the run was begun with %d, on which the choice of its batch size rests: leave it out", asked.Draws, s.opts.Draws)
		}
		s.opts.Draws = asked.Draws
	}
	if !slices.ContainsFunc(dataFlags, func(name string) bool { return given[name] }) && len(s.files) == 0 {
		s.files, s.data = n.Files, n.Prepare
	}
	if !given["init"] {
		s.init = n.Init
	}
	for _, file := range slices.Concat(s.files, s.init) {
		if _, err := os.Stat(file); err != nil {
			return fail("%s, which the run began with, is not there: name the data again after the flag, or go to the directory where the run began", file)
		}
	}
	s.resumed = n
	return nil
}

// dataFlags are those of data, which go together: with one of them, all are as given.
var dataFlags = []string{"data", "set", "standardise", "unit", "center", "scale", "binarise", "intercept", "columns", "vocab", "max-tokens"}

func or(text []byte, none string) string {
	if len(text) == 0 {
		return none
	}
	return string(text)
}

func hexSum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// leave has the run leave checkpoints, or go on from those that there are.
func (s *settings) leave(set *dataio.Set, inits []*dataio.Set, stderr io.Writer) error {
	path := notePath(s.out, s.model.Name)
	if s.resumed == nil {
		if err := os.Remove(path); err == nil && !s.quiet {
			fmt.Fprintf(stderr, "%s: note: %s held a run that was stopped; this one takes its place\n", s.model.Name, s.out)
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := s.removeCheckpoints(); err != nil {
			return err
		}
		if s.every == 0 {
			return nil
		}
	}
	data := fmt.Sprintf("%x", set.Fingerprint())
	for i, init := range inits {
		if init != nil {
			data += fmt.Sprintf(" %d:%x", i, init.Fingerprint())
		}
	}
	n := &note{Model: s.model.Name, Version: s.model.Version, Spec: hexSum([]byte(s.model.Source)), Data: hexSum([]byte(data)),
		Args: s.args, Files: s.files, Prepare: s.data, Init: s.init, Monitor: s.monitor, Options: s.opts}
	if s.resumed != nil && n.Data != s.resumed.Data {
		return fmt.Errorf("--resume=%s: data or initial values are not those that the run began with: put them back as they were, or begin anew in another directory", s.out)
	}
	if err := runtime.WriteCheckpoint(path, [32]byte{}, n); err != nil {
		return err
	}
	s.opts.Checkpoints = &runtime.Checkpoints{Path: s.checkpoint, Every: s.every, Run: n.run(), Resume: s.resumed != nil}
	return nil
}

// left reports whether there is a checkpoint to go on from.
func (s *settings) left() bool {
	files, _ := filepath.Glob(s.checkpoints())
	return s.opts.Checkpoints != nil && len(files) > 0
}

// forget removes what the run has left to be gone on with.
func (s *settings) forget() error {
	if s.opts.Checkpoints == nil {
		return nil
	}
	return errors.Join(os.Remove(notePath(s.out, s.model.Name)), s.removeCheckpoints())
}

// checkpoints matches the checkpoints of all chains.
func (s *settings) checkpoints() string {
	escape := strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`)
	return filepath.Join(escape.Replace(s.out), s.model.Name+"-[0-9]*.ckpt*")
}

func (s *settings) removeCheckpoints() error {
	files, _ := filepath.Glob(s.checkpoints())
	var errs []error
	for _, file := range files {
		errs = append(errs, os.Remove(file))
	}
	return errors.Join(errs...)
}
