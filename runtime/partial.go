// This file holds files that have their names once they are complete, and can be gone on with by another process until then.

package runtime

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A Partial is a file of draws that is being written: until Commit its name ends in .partial.
type Partial struct {
	path string
	file *os.File // nil for a stream, and once it is closed
	out  *bufio.Writer
	size int // bytes that were written
}

// NewPartial returns the file of that name. Create or Reopen opens it.
func NewPartial(path string) *Partial { return &Partial{path: path} }

// Create begins the file, replacing one that a killed run has left. A file at the path itself is replaced only by Commit.
func (p *Partial) Create() error {
	file, err := os.Create(p.path + ".partial")
	if err == nil {
		p.open(file, 0)
	}
	return err
}

// Reopen goes on with the file after size bytes, where Sync found it, and forgets what is written beyond. It takes one that was
// committed as well.
func (p *Partial) Reopen(size int) error {
	name := p.path + ".partial"
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		if err := os.Rename(p.path, name); err != nil {
			return fmt.Errorf("the draws so far are gone: %w", err)
		}
	}
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && info.Size() < int64(size) {
		err = fmt.Errorf("it has %d bytes, and had %d at the last checkpoint", info.Size(), size)
	}
	if err == nil {
		err = file.Truncate(int64(size))
	}
	if err == nil {
		_, err = file.Seek(int64(size), io.SeekStart)
	}
	if err != nil {
		file.Close()
		return err
	}
	p.open(file, size)
	return nil
}

func (p *Partial) open(file *os.File, size int) {
	p.file, p.size = file, size
	p.out = bufio.NewWriterSize(file, 1<<16)
}

// Write implements io.Writer.
func (p *Partial) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	p.size += n
	return n, err
}

// Flush hands to the operating system what was written.
func (p *Partial) Flush() error { return p.out.Flush() }

// Sync puts what was written safely on disk, and returns how many bytes that are.
func (p *Partial) Sync() (size int, err error) {
	if p.file == nil {
		return 0, errors.New("a stream cannot be gone back to")
	}
	if err := p.out.Flush(); err != nil {
		return 0, err
	}
	return p.size, p.file.Sync()
}

// Commit puts the file safely on disk and gives it its name. If it fails, Abort is still to be called.
func (p *Partial) Commit() error {
	if _, err := p.Sync(); err != nil {
		return err
	}
	if err := p.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(p.file.Name(), p.path); err != nil {
		return err
	}
	p.file = nil
	return nil
}

// Suspend closes the file and leaves it to be reopened. What was written since the last Sync may be lost.
func (p *Partial) Suspend() {
	if p.file != nil {
		p.file.Close()
		p.file = nil
	}
}

// Abort removes the file, if it is not committed.
func (p *Partial) Abort() error {
	if p.file == nil {
		return nil
	}
	name := p.file.Name()
	p.Suspend()
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the unfinished file: %w", err)
	}
	return nil
}
