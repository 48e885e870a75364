// This file says where the kept draws of a chain go.

package runtime

import "errors"

// A Sink takes the kept draws of one chain: Begin once, Draw for each, then
// Close, or Abort. Run calls it from one goroutine at a time.
type Sink interface {
	// Begin is told the names of the monitored scalars, before any sweep.
	Begin(names []string) error

	// Draw takes one kept draw: the log joint, and values in the order of
	// the names. It must not keep the slice.
	Draw(logJoint float64, values []float64) error

	// Close keeps what was drawn, for others to see. If it fails, Abort
	// follows.
	Close() error

	// Abort drops everything, as if the sink had never been.
	Abort() error
}

// A Resumable is a Sink that another process can go on with. Its Parts are those at the last Sync.
type Resumable interface {
	Sink
	Saver

	// Sync puts what was drawn safely on disk.
	Sync() error

	// Resume stands for Begin where the parts have been read back: it drops what was drawn after that Sync, and goes on.
	Resume(names []string) error

	// Suspend stands for Abort: it leaves what there is to be gone on with.
	Suspend() error
}

// Memory is a Sink that keeps the draws in memory. The zero value is ready;
// NewMemory saves growing.
type Memory struct {
	Names    []string
	LogJoint []float64
	Draws    [][]float64 // Draws[i] holds the draws of Names[i]

	room int
}

// NewMemory returns a Memory with room for this many draws.
func NewMemory(draws int) *Memory { return &Memory{room: max(draws, 0)} }

// Begin implements [Sink].
func (m *Memory) Begin(names []string) error {
	m.Names = append([]string(nil), names...)
	m.LogJoint = make([]float64, 0, m.room)
	m.Draws = make([][]float64, len(names))
	for i := range m.Draws {
		m.Draws[i] = make([]float64, 0, m.room)
	}
	return nil
}

// Draw implements [Sink].
func (m *Memory) Draw(logJoint float64, values []float64) error {
	if len(values) != len(m.Draws) {
		return errors.New("runtime: Memory got a draw of another length than its names")
	}
	m.LogJoint = append(m.LogJoint, logJoint)
	for i, v := range values {
		m.Draws[i] = append(m.Draws[i], v)
	}
	return nil
}

// Close implements [Sink].
func (m *Memory) Close() error { return nil }

// Abort implements [Sink]: it forgets the draws.
func (m *Memory) Abort() error {
	m.LogJoint, m.Draws = nil, nil
	return nil
}
