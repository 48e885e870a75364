// This file reads NPY, numpy's format of one array (numpy.lib.format), and NPZ, a zip file of them.

package dataio

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
)

const npyMagic = "\x93NUMPY"

func readNPY(ld *loader, src source) {
	a := &array{key: stem(src.path), stem: true, raw: raw{file: src.path, room: ld.room}}
	if err := readNumpy(src.r, a); err != nil {
		ld.fatal(src.path, 0, err.Error(), "")
		return
	}
	ld.take(a)
}

func readNPZ(ld *loader, src source) {
	from, size, err := src.whole() // its directory is at its end
	if err != nil {
		ld.cannot(src.path, "be read", err)
		return
	}
	z, err := zip.NewReader(from, size)
	if err != nil {
		ld.fatal(src.path, 0, "is no NPZ file: "+err.Error(), "")
		return
	}
	// Deflate shrinks to no less than 1/1032, but many members may claim the same bytes.
	left := 1<<20 + 1032*size
	seen := map[string]bool{}
	for _, f := range z.File {
		key, ok := strings.CutSuffix(f.Name, ".npy")
		switch {
		case !ok:
			ld.add(Problem{File: src.path, Name: quote(f.Name), Text: "is no array: those are called NAME.npy"})
			continue
		case seen[key]:
			ld.add(Problem{File: src.path, Name: quote(key), Text: "is there twice"})
			continue
		}
		seen[key] = true
		if role, _, _ := ld.lookup(key); role == noRole {
			ld.superfluous(key, src.path, 0, false)
			continue
		}
		a := &array{key: key, raw: raw{file: src.path, room: ld.room}}
		r, err := f.Open()
		if err == nil {
			guard := &io.LimitedReader{R: r, N: left}
			err = readNumpy(guard, a)
			if guard.N == 0 {
				err = errors.New("the arrays are larger than their bytes could hold")
			}
			left = guard.N
			r.Close()
		}
		if err != nil {
			ld.fatal(src.path, 0, f.Name+": "+err.Error(), "")
			continue
		}
		ld.take(a)
	}
}

// onceOnly reports whether a file is a pipe or its like: what was read is gone.
func (src source) onceOnly() bool {
	f, ok := src.file.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err != nil || !info.Mode().IsRegular() || f == os.Stdin
}

// whole returns what a file holds for reading anywhere: the file itself if it is one, else its bytes.
func (src source) whole() (io.ReaderAt, int64, error) {
	if f, ok := src.file.(*os.File); ok && !src.onceOnly() {
		if info, err := f.Stat(); err == nil {
			return f, info.Size(), nil
		}
	}
	text, err := io.ReadAll(src.r)
	return bytes.NewReader(text), int64(len(text)), err
}

// numpyTypes are the types of elements that are read. An element is false if it is no value, or none that float64 holds.
var numpyTypes = map[string]struct {
	size int
	get  func(b []byte, o binary.ByteOrder) (float64, bool)
}{
	"f4": {4, func(b []byte, o binary.ByteOrder) (float64, bool) {
		return float64(math.Float32frombits(o.Uint32(b))), true
	}},
	"f8": {8, func(b []byte, o binary.ByteOrder) (float64, bool) { return math.Float64frombits(o.Uint64(b)), true }},
	"i1": {1, func(b []byte, o binary.ByteOrder) (float64, bool) { return float64(int8(b[0])), true }},
	"i2": {2, func(b []byte, o binary.ByteOrder) (float64, bool) { return float64(int16(o.Uint16(b))), true }},
	"i4": {4, func(b []byte, o binary.ByteOrder) (float64, bool) { return float64(int32(o.Uint32(b))), true }},
	"i8": {8, func(b []byte, o binary.ByteOrder) (float64, bool) {
		i := int64(o.Uint64(b))
		return float64(i), -1<<53 <= i && i <= 1<<53
	}},
	"u1": {1, func(b []byte, o binary.ByteOrder) (float64, bool) { return float64(b[0]), true }},
	"u2": {2, func(b []byte, o binary.ByteOrder) (float64, bool) { return float64(o.Uint16(b)), true }},
	"u4": {4, func(b []byte, o binary.ByteOrder) (float64, bool) { return float64(o.Uint32(b)), true }},
	"u8": {8, func(b []byte, o binary.ByteOrder) (float64, bool) { return float64(o.Uint64(b)), o.Uint64(b) <= 1<<53 }},
	"b1": {1, func(b []byte, o binary.ByteOrder) (float64, bool) { return float64(b[0]), b[0] <= 1 }},
}

// readNumpy reads one array to the end of r.
func readNumpy(r io.Reader, a *array) error {
	descr, err := numpyHeader(r, a)
	if err != nil {
		return err
	}
	typ, ok := numpyTypes[descr[1:]]
	if !ok || descr[0] == '|' && typ.size > 1 {
		return fmt.Errorf("has elements of type %s: read are f4, f8, i1 to i8, u1 to u8 and b1, from the low or the high byte", quote(descr))
	}
	var order binary.ByteOrder = binary.LittleEndian
	if descr[0] == '>' {
		order = binary.BigEndian
	}
	kind := jsonNumber
	if descr[1:] == "b1" {
		kind = jsonBool
	}
	want, ok := product(a.shape)
	if !ok {
		return fmt.Errorf("is of shape %s, beyond counting", by(a.shape))
	}
	buf := make([]byte, 32<<10) // what the header says is not trusted for memory
	for a.n < want {
		b := buf[:min(len(buf), typ.size*(want-a.n))]
		n, err := io.ReadFull(r, b)
		for ; n >= typ.size; n -= typ.size {
			x, ok := typ.get(b, order)
			switch {
			case math.IsNaN(x) || math.IsInf(x, 0):
				text, hint := refusal(strconv.FormatFloat(x, 'g', -1, 64), isNaN, Real)
				a.miss(0, text, hint)
			case !ok && kind == jsonBool:
				a.miss(0, fmt.Sprintf("is the byte %d, not a boolean", b[0]), "")
			case !ok:
				a.miss(0, fmt.Sprintf("is about %v, beyond 2^53", x), "a float64 does not tell integers apart from there on")
			default:
				a.add(kind, x, "", 0)
			}
			b = b[typ.size:]
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return fmt.Errorf("ends after %d of %s", a.n, elements(want))
		}
		if err != nil {
			return fmt.Errorf("cannot be read: %w", err)
		}
	}
	a.kind = kind // of no elements, too
	switch _, err := io.ReadFull(r, buf[:1]); err {
	case io.EOF:
		return nil
	case nil:
		return fmt.Errorf("goes on after its %s", elements(want))
	default:
		return fmt.Errorf("cannot be read: %w", err)
	}
}

// numpyEntry is an entry of the dictionary, as Python writes it, that is the header.
var numpyEntry = regexp.MustCompile(`^\s*'(descr|fortran_order|shape)'\s*:\s*(?:'([<>|][a-zA-Z][0-9]*)'|(True|False)|\(([0-9L, ]*)\))\s*(?:,|$)`)

// numpyHeader reads the header: the type of the elements, and their shape and order.
func numpyHeader(r io.Reader, a *array) (descr string, err error) {
	var head [12]byte
	n, err := io.ReadFull(r, head[:10])
	size := int(binary.LittleEndian.Uint16(head[8:]))
	if err == nil && head[6] > 1 {
		_, err = io.ReadFull(r, head[10:])
		size = int(binary.LittleEndian.Uint32(head[8:]))
	}
	switch cut := err == io.EOF || err == io.ErrUnexpectedEOF; {
	case err != nil && !cut:
		return "", fmt.Errorf("cannot be read: %w", err)
	case n < len(npyMagic) || string(head[:len(npyMagic)]) != npyMagic:
		return "", errors.New("is no NPY file: it does not begin with \\x93NUMPY")
	case cut:
		return "", errors.New("ends in its header")
	case head[6] < 1 || head[6] > 3 || head[7] != 0:
		return "", fmt.Errorf("is of version %d.%d of NPY: read are 1.0 to 3.0", head[6], head[7])
	case size > maxToken:
		return "", fmt.Errorf("has a header of %d bytes", size)
	}
	text := make([]byte, size)
	switch _, err := io.ReadFull(r, text); err {
	case nil:
	case io.EOF, io.ErrUnexpectedEOF:
		return "", errors.New("ends in its header")
	default:
		return "", fmt.Errorf("cannot be read: %w", err)
	}
	descr, ok := numpyDict(strings.TrimSpace(string(text)), a)
	switch {
	case !ok:
		return "", fmt.Errorf("has the header %s, not that of an array of numbers", quote(strings.TrimSpace(string(text))))
	case descr[1] == 'O':
		return "", errors.New("holds pickled Python objects: make it numbers, by astype(float)")
	case descr[1] == 'U' || descr[1] == 'S':
		return "", errors.New("holds strings: give names in JSON, or categories as numbers from 1")
	}
	return descr, nil
}

// numpyDict reads the dictionary of a header.
func numpyDict(dict string, a *array) (descr string, ok bool) {
	dict, ok1 := strings.CutPrefix(dict, "{")
	dict, ok2 := strings.CutSuffix(dict, "}")
	if !ok1 || !ok2 {
		return "", false
	}
	seen := map[string]bool{}
	for strings.TrimSpace(dict) != "" {
		m := numpyEntry.FindStringSubmatch(dict)
		if m == nil || seen[m[1]] {
			return "", false
		}
		seen[m[1]] = true
		dict = dict[len(m[0]):]
		switch {
		case m[1] == "descr":
			descr = m[2]
		case m[1] == "fortran_order":
			a.byCols = m[3] == "True"
			ok = m[3] != ""
		case m[2] != "" || m[3] != "":
			return "", false
		default:
			sizes := strings.Split(strings.TrimSuffix(strings.TrimSpace(m[4]), ","), ",")
			if sizes[0] == "" {
				sizes = nil // ()
			}
			for _, s := range sizes {
				n, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(s), "L"), 10, 31) // L: Python 2
				if err != nil || len(a.shape) == maxDepth {
					return "", false
				}
				a.shape = append(a.shape, int(n))
			}
		}
	}
	return descr, ok && descr != "" && seen["shape"]
}
