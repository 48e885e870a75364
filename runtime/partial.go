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

// name is what the file is called until it is complete.
func (p *Partial) name() string { return p.path + ".partial" }

// Create begins the file, replacing one that a killed run has left. A file at the path itself is replaced only by Commit.
func (p *Partial) Create() error {
	file, err := os.Create(p.name())
	if err == nil {
		p.open(file, 0)
	}
	return err
}

// Reopen goes on with the file after size bytes, where Sync found it, and forgets what is written beyond. It takes one that was
// committed as well.
func (p *Partial) Reopen(size int) error {
	if _, err := os.Stat(p.name()); errors.Is(err, fs.ErrNotExist) {
		if err := os.Rename(p.path, p.name()); err != nil {
			return errors.New("the draws so far are gone: put the file back, or begin anew without --resume")
		}
	}
	file, err := os.OpenFile(p.name(), os.O_RDWR, 0)
	if err != nil {
		return pathless(err)
	}
	info, err := file.Stat()
	if err == nil && info.Size() < int64(size) {
		err = fmt.Errorf("it has %d bytes, and had %d at the last checkpoint: put it back whole, or begin anew without --resume", info.Size(), size)
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
	if err := os.Rename(p.name(), p.path); err != nil {
		return err
	}
	p.file = nil
	return nil
}

// headEnd returns where the line ends that is the first without a # in front; none if there is no file.
func (p *Partial) headEnd(none int) (int, error) {
	file, err := os.Open(p.name())
	if errors.Is(err, fs.ErrNotExist) {
		file, err = os.Open(p.path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return none, nil
	}
	if err != nil {
		return 0, pathless(err)
	}
	defer file.Close()
	in := bufio.NewReader(file)
	for at := 0; ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return none, nil
		}
		if at += len(line); line[0] != '#' {
			return at, nil
		}
	}
}

// rehead replaces the first n bytes of the file.
func (p *Partial) rehead(n int, head []byte) error {
	if n == len(head) {
		_, err := p.file.WriteAt(head, 0)
		return err
	}
	file, err := os.Create(p.name() + ".new")
	if err != nil {
		return err
	}
	_, err = file.Write(head)
	if err == nil {
		_, err = p.file.Seek(int64(n), io.SeekStart)
	}
	if err == nil {
		_, err = io.Copy(file, p.file)
	}
	if err == nil {
		err = os.Rename(file.Name(), p.name())
	}
	if err != nil {
		file.Close()
		os.Remove(file.Name())
		return err
	}
	size := p.size - n + len(head)
	p.Suspend()
	p.open(file, size)
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
	p.Suspend()
	if err := os.Remove(p.name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the unfinished file: %w", err)
	}
	return nil
}
