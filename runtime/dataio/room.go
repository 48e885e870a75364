// This file says where long arrays lie while files are read: in memory or, for an import, in files that are mapped into it.

package dataio

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"unsafe"
)

// A room holds arrays that may be larger than memory: each in a temporary file, which has no name and so is gone when the process is. The
// nil room is the memory of Go. Without mmap, every room is.
type room struct {
	dir   string // of the files
	least int    // bytes from which an array has one
	files []*roomFile
}

type roomFile struct {
	file *os.File
	mem  []byte
}

// roomLeast is the size in bytes from which an array has a file of its own in an import.
const roomLeast = 1 << 20

// alloc returns n zeros.
func alloc[T any](m *room, n int) []T {
	var x T
	size := int64(n) * int64(unsafe.Sizeof(x))
	if m == nil || size < int64(m.least) {
		return make([]T, n)
	}
	f, err := os.CreateTemp(m.dir, ".gibbsgen-import-*")
	if err != nil {
		panic(roomError{err})
	}
	os.Remove(f.Name()) // where files are mapped an open one needs no name
	rf := &roomFile{file: f}
	if err := rf.resize(size); errors.Is(err, errors.ErrUnsupported) {
		f.Close()
		os.Remove(f.Name())
		return make([]T, n)
	} else if err != nil {
		f.Close()
		panic(roomError{err})
	}
	m.files = append(m.files, rf)
	return unsafe.Slice((*T)(unsafe.Pointer(&rf.mem[0])), n)
}

// push appends an element to an array of the room that nothing else refers to.
func push[T any](m *room, s []T, x T) []T {
	if m == nil || len(s) < cap(s) || 2*cap(s)*int(unsafe.Sizeof(x)) < m.least {
		return append(s, x)
	}
	n := len(s)
	for _, rf := range m.files {
		if unsafe.Pointer(&rf.mem[0]) == unsafe.Pointer(&s[0]) {
			if err := rf.resize(2 * int64(len(rf.mem))); err != nil {
				panic(roomError{err})
			}
			s = unsafe.Slice((*T)(unsafe.Pointer(&rf.mem[0])), 2*n)[:n]
			return append(s, x)
		}
	}
	grown := alloc[T](m, 2*cap(s))
	copy(grown, s)
	return append(grown[:n], x)
}

// resize changes the size of the file and of the mapping, which may move.
func (f *roomFile) resize(size int64) error {
	if f.mem != nil {
		if err := unmap(f.mem); err != nil {
			return err
		}
		f.mem = nil
	}
	if err := f.file.Truncate(size); err != nil {
		return err
	}
	mem, err := mapFile(f.file, size, true)
	f.mem = mem
	return err
}

// close gives the files up. Arrays that lie in them must not be used any more.
func (m *room) close() {
	for _, f := range m.files {
		if f.mem != nil {
			_ = unmap(f.mem)
		}
		f.file.Close()
	}
	m.files = nil
}

// A roomError is the failure of a room, which arrives as a panic: there is one in a million of appends.
type roomError struct{ err error }

// guarded runs what touches mapped files. A fault there, for which the machine has a signal, is the error: the disk is full, or somebody has
// cut the file short.
func guarded(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch e := recover().(type) {
		case nil:
		case roomError:
			err = fmt.Errorf("a temporary file: %w", e.err)
		case interface{ Addr() uintptr }: // runtime.Error of a fault
			err = errors.New("a file that is mapped into memory cannot be reached: the disk is full, or the file was cut short meanwhile")
		default:
			panic(e)
		}
	}()
	return do()
}
