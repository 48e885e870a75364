// This file writes data stores; store.go says what they look like.

package dataio

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"
	"unsafe"
)

// A stored is an array on its way into a store.
type stored struct {
	StoreArray
	value Value   // the elements
	lens  [][]int // for each -1 of Shape
}

// replaceable refuses to write where something else than a store is.
func replaceable(path string) error {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file: a store goes to a file", path)
	}
	head := make([]byte, len(storeMagic))
	if n, _ := io.ReadFull(f, head); n > 0 && string(head) != storeMagic {
		return fmt.Errorf("%s is there and is no data store: nothing else is replaced", path)
	}
	return nil
}

// writeStore writes a store, which takes its name when it is complete.
func writeStore(ctx context.Context, path string, arrays []stored) (err error) {
	partial := path + ".partial"
	f, err := os.Create(partial)
	if err != nil {
		return err
	}
	defer func() {
		f.Close()
		if err != nil {
			os.Remove(partial)
		}
	}()
	if err := fillStore(interruptible{ctx, f}, arrays); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(partial, path)
}

// An interruptible fails once its context has ended.
type interruptible struct {
	ctx context.Context
	io.WriterAt
}

func (w interruptible) WriteAt(p []byte, at int64) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.WriterAt.WriteAt(p, at)
}

// fillStore writes the blocks, and then the header before them: its length does not depend on the checksums, which are known last.
func fillStore(f io.WriterAt, arrays []stored) error {
	head, err := headerOf(arrays)
	if err != nil {
		return err
	}
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	// Offsets have as many digits as they have: lay out again until the header is no longer than the room left for it.
	at := int64(0)
	for room := len(text); ; room = len(text) {
		at = align(int64(storeHead + room))
		for i := range arrays {
			at = arrays[i].layOut(&head.Arrays[i], at)
		}
		if text, err = json.Marshal(head); err != nil {
			return err
		}
		if len(text) <= room {
			break
		}
	}
	for i := range arrays {
		if err := arrays[i].write(f, &head.Arrays[i]); err != nil {
			return err
		}
	}
	length := len(text)
	if text, err = json.Marshal(head); err != nil || len(text) != length {
		return errors.Join(err, errors.New("the header of the store has changed its length"))
	}
	prefix := make([]byte, storeHead)
	copy(prefix, storeMagic)
	binary.LittleEndian.PutUint32(prefix[8:], storeVersion)
	binary.LittleEndian.PutUint32(prefix[12:], crc32.Checksum(text, crcTable))
	binary.LittleEndian.PutUint64(prefix[16:], uint64(len(text)))
	_, err = f.WriteAt(append(prefix, text...), 0)
	return err
}

// headerOf returns the header with blocks that are nowhere yet.
func headerOf(arrays []stored) (*StoreHeader, error) {
	head := &StoreHeader{}
	for _, a := range arrays {
		for _, list := range [][]string{{a.Name}, a.Levels, a.Columns} {
			for _, s := range list {
				if !utf8.ValidString(s) { // JSON would change it
					return nil, fmt.Errorf("%s: the name %s is not UTF-8", a.Name, quote(s))
				}
			}
		}
		s := a.StoreArray
		s.Data.CRC = "00000000"
		s.Lengths = make([]StoreBlock, len(a.lens))
		for i := range s.Lengths {
			s.Lengths[i].CRC = "00000000"
		}
		head.Arrays = append(head.Arrays, s)
	}
	return head, nil
}

func align(n int64) int64 { return (n + storeAlign - 1) / storeAlign * storeAlign }

// layOut says where the blocks go, from a place on, and returns the next one.
func (a *stored) layOut(s *StoreArray, at int64) int64 {
	for i, lens := range a.lens {
		s.Lengths[i].Offset = at
		at = align(at + 8*int64(len(lens)))
	}
	n := len(a.value.Real) + len(a.value.Int) + len(a.value.Bool) + len(a.value.Cat)
	s.Data.Offset = at
	return align(at + int64(n)*int64(storeTypes[s.Type]))
}

// write writes the blocks, and notes their checksums.
func (a *stored) write(f io.WriterAt, s *StoreArray) (err error) {
	for i, lens := range a.lens {
		if err := writeBlock(f, lens, &s.Lengths[i]); err != nil {
			return err
		}
	}
	switch s.Type {
	case "float64":
		return writeBlock(f, a.value.Real, &s.Data)
	case "int64":
		return writeBlock(f, a.value.Int, &s.Data)
	case "bool":
		return writeBlock(f, a.value.Bool, &s.Data)
	case "category":
		return writeBlock(f, a.value.Cat, &s.Data)
	}
	return writeBlock(f, []bool{}, &s.Data)
}

func writeBlock[T float64 | int | bool | int32](f io.WriterAt, x []T, s *StoreBlock) error {
	var one T
	size := int(unsafe.Sizeof(one))
	if _, ok := any(one).(int); ok {
		size = 8
	}
	buf := make([]byte, 0, storeChunk)
	crc, at, step := uint32(0), s.Offset, storeChunk/size
	for from := 0; from < len(x); from += step {
		buf = buf[:0]
		switch part := any(x[from:min(from+step, len(x))]).(type) {
		case []float64:
			buf, _ = binary.Append(buf, binary.LittleEndian, part)
		case []int:
			for _, v := range part {
				buf = binary.LittleEndian.AppendUint64(buf, uint64(int64(v)))
			}
		case []bool:
			buf, _ = binary.Append(buf, binary.LittleEndian, part)
		case []int32:
			buf, _ = binary.Append(buf, binary.LittleEndian, part)
		}
		crc = crc32.Update(crc, crcTable, buf)
		if _, err := f.WriteAt(buf, at); err != nil {
			return err
		}
		at += int64(len(buf))
	}
	s.CRC = fmt.Sprintf("%08x", crc)
	return nil
}
