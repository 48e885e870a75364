// This file reads data stores (.gmd), whose columns are mapped into memory instead of read into it.
//
// A store is
//
//	bytes  0 to  7   "gibbsgmd"
//	bytes  8 to 11   the version, 1
//	bytes 12 to 15   the CRC-32C of the header
//	bytes 16 to 23   the length of the header in bytes
//	from byte 24     the header: JSON, a [StoreHeader]
//	behind it        blocks, each from a multiple of 64 bytes
//
// All numbers are little-endian. An array has one block with its elements, row by row, as its type says: float64; int64; bool, a byte each of 0
// or 1; category, an int32 each that counts from 0; names have none. For each dimension of uneven lists it has one more, of int64, with the
// length of each list.

package dataio

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"slices"
	"unsafe"
)

const (
	storeMagic   = "gibbsgmd"
	storeVersion = 1
	storeHead    = 24 // bytes before the header
	storeAlign   = 64
	storeChunk   = 1 << 20 // bytes looked at in one go: checksum and elements, while they are near
)

var crcTable = crc32.MakeTable(crc32.Castagnoli)

// A StoreHeader says what a store holds.
type StoreHeader struct {
	Arrays []StoreArray `json:"arrays"`
}

// A StoreArray is one array of a store.
type StoreArray struct {
	Name    string       `json:"name"`              // what a model calls it: a field, a plate for its size, PLATE_levels
	Type    string       `json:"type"`              // float64, int64, bool, category or names
	Shape   []int        `json:"shape"`             // outermost first; -1 where lists are uneven; none for a scalar
	Data    StoreBlock   `json:"data"`              // the elements
	Lengths []StoreBlock `json:"lengths,omitempty"` // of the lists, for each -1 of Shape

	Levels   []string `json:"levels,omitempty"`   // of a category; or the names themselves
	Declared bool     `json:"declared,omitempty"` // whether these are all that there are, in an order that means something
	Size     int      `json:"size,omitempty"`     // the number of categories, if that is known otherwise
	Columns  []string `json:"columns,omitempty"`  // names of the elements of the last dimension
	Bag      bool     `json:"bag,omitempty"`      // words of documents: it feeds whatever the model calls them
}

// A StoreBlock says where a block is.
type StoreBlock struct {
	Offset int64  `json:"offset"`
	CRC    string `json:"crc32c"` // of its bytes, in hexadecimal
}

// storeTypes are the sizes of elements.
var storeTypes = map[string]int{"float64": 8, "int64": 8, "bool": 1, "category": 4, "names": 0}

func readStore(ld *loader, src source) {
	err := guarded(func() error {
		text, err := src.mapping()
		if err != nil {
			return err
		}
		head, err := parseStore(text)
		if err != nil {
			return err
		}
		var unused []string
		for i := range head.Arrays {
			a, err := storeArray(&head.Arrays[i], text, src.path)
			if err != nil {
				return fmt.Errorf("%s: %w", head.Arrays[i].Name, err)
			}
			if !ld.takeStored(&head.Arrays[i], a) {
				unused = append(unused, a.key)
			}
		}
		for i := range ld.schema.Fields {
			f := &ld.schema.Fields[i]
			if want := ld.columns[f.Name]; len(want) > 1 && ld.raws[f.Name] == nil && slices.Contains(unused, want[0]) {
				ld.add(Problem{File: src.path, Name: f.Name, Text: "was to take " + list(want) + ", which are arrays of their own in a store",
					Hint: "put them together when importing, by the same flag"})
				ld.spoil(f, src.path)
			}
		}
		ld.leave(src.path, unused)
		return nil
	})
	if err != nil {
		ld.fatal(src.path, 0, err.Error(), "")
	}
}

// mapping returns the whole file: mapped where that can be done. The mapping stays for the life of the process, since nobody knows who
// holds slices of it.
func (src source) mapping() ([]byte, error) {
	if f, ok := src.file.(*os.File); ok && !src.onceOnly() {
		info, err := f.Stat()
		if err == nil && info.Size() > 0 {
			b, err := mapFile(f, info.Size(), false)
			if !errors.Is(err, errors.ErrUnsupported) {
				return b, err
			}
		}
	}
	b, err := io.ReadAll(src.r)
	if err != nil {
		err = fmt.Errorf("cannot be read: %w", err)
	}
	return b, err
}

// parseStore reads the header.
func parseStore(text []byte) (*StoreHeader, error) {
	if len(text) < storeHead || string(text[:8]) != storeMagic {
		return nil, errors.New("is no data store: it does not begin with " + storeMagic)
	}
	if v := binary.LittleEndian.Uint32(text[8:]); v != storeVersion {
		return nil, fmt.Errorf("is a data store of version %d, and this program reads version %d: import the data again", v, storeVersion)
	}
	size := binary.LittleEndian.Uint64(text[16:])
	if size > uint64(len(text)-storeHead) {
		return nil, errors.New("is a data store that ends in its header: it was cut short")
	}
	header := text[storeHead:][:size]
	if crc32.Checksum(header, crcTable) != binary.LittleEndian.Uint32(text[12:]) {
		return nil, errors.New("is a data store whose header is damaged: its checksum is another")
	}
	var head StoreHeader
	if err := json.Unmarshal(header, &head); err != nil {
		return nil, fmt.Errorf("is a data store whose header is none: %w", err)
	}
	return &head, nil
}

// ReadStoreHeader returns what a store says of itself. It does not look at the elements.
func ReadStoreHeader(path string) (*StoreHeader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fail := func(err error) (*StoreHeader, error) { return nil, fmt.Errorf("%s: %w", path, err) }
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return fail(errors.Join(err, errors.New("is not a regular file")))
	}
	text := make([]byte, storeHead)
	n, _ := io.ReadFull(f, text)
	if text = text[:n]; n == storeHead {
		if size := binary.LittleEndian.Uint64(text[16:]); string(text[:8]) == storeMagic && size <= uint64(info.Size()) {
			text = append(text, make([]byte, size)...)
			n, _ := io.ReadFull(f, text[storeHead:])
			text = text[:storeHead+n]
		}
	}
	head, err := parseStore(text)
	if err != nil {
		return fail(err)
	}
	return head, nil
}

// storeArray makes an array of what the header says, without a copy, and checks that it is what it says.
func storeArray(s *StoreArray, text []byte, path string) (*array, error) {
	size, ok := storeTypes[s.Type]
	switch {
	case !ok:
		return nil, fmt.Errorf("has the type %s, which is none", quote(s.Type))
	case len(s.Shape) > maxDepth:
		return nil, fmt.Errorf("has %d dimensions", len(s.Shape))
	case len(s.Levels) > math.MaxInt32:
		return nil, errors.New("has too many names")
	}
	if last := len(s.Shape) - 1; s.Columns != nil && (last < 0 || s.Shape[last] != len(s.Columns)) {
		return nil, fmt.Errorf("has the names of %d columns and the shape %v", len(s.Columns), s.Shape)
	}
	a := &array{key: s.Name, raw: raw{file: path, lent: true, cols: s.Columns, base: 1}, loose: true}
	count, uneven := 1, 0
	for _, n := range s.Shape {
		d := dim{n: n}
		if n == -1 {
			if uneven == len(s.Lengths) {
				return nil, errors.New("has fewer blocks of lengths than dimensions of uneven lists")
			}
			lens, sum, err := storeLengths(s.Lengths[uneven], count, text)
			if err != nil {
				return nil, err
			}
			uneven++
			d.n, d.lens, count = 0, lens, sum
			if len(lens) == 0 {
				d.lens = nil
			}
		} else if count, ok = product([]int{count, n}); !ok || n < 0 {
			return nil, fmt.Errorf("has the shape %v, which cannot be", s.Shape)
		}
		a.dims = append(a.dims, d)
	}
	a.n, a.shape = count, s.Shape
	if uneven == 0 {
		a.dims = nil
	}
	if s.Type == "names" {
		if len(s.Shape) != 1 || s.Shape[0] != len(s.Levels) {
			return nil, fmt.Errorf("has %d names and the shape %v", len(s.Levels), s.Shape)
		}
		a.kind, a.names, a.code = jsonString, s.Levels, make([]int32, len(s.Levels))
		for i := range a.code {
			a.code[i] = int32(i)
		}
		return a, nil
	}
	b, err := storeBlock(s.Data, count, size, text)
	if err != nil {
		return nil, err
	}
	var bad func(i int) bool
	switch s.Type {
	case "float64":
		a.num = view[float64](b)
		bad = func(i int) bool { return math.IsNaN(a.num[i]) || math.IsInf(a.num[i], 0) }
	case "int64":
		long := view[int64](b)
		bad = func(i int) bool { return long[i] < -1<<53 || long[i] > 1<<53 }
		a.ints = asInts(long)
	case "bool":
		a.kind = jsonBool
		bad = func(i int) bool { return b[i] > 1 }
		a.bools = unsafe.Slice((*bool)(unsafe.Pointer(unsafe.SliceData(b))), len(b)) // looked at only when all are 0 or 1
	case "category":
		a.code = view[int32](b)
		limit := int32(math.MaxInt32)
		switch {
		case s.Levels != nil:
			limit = int32(len(s.Levels))
		case s.Size > 0 && s.Size < math.MaxInt32:
			limit = int32(s.Size)
		case s.Size != 0:
			return nil, fmt.Errorf("has %d categories, which cannot be", s.Size)
		}
		bad = func(i int) bool { return a.code[i] < 0 || a.code[i] >= limit }
		if s.Levels != nil && !s.Declared {
			a.kind, a.names = jsonString, s.Levels
		}
	}
	crc := uint32(0)
	step := storeChunk / size
	for from := 0; from < count; from += step {
		to := min(from+step, count)
		crc = crc32.Update(crc, crcTable, b[from*size:to*size])
		for i := from; i < to; i++ {
			if bad(i) {
				return nil, fmt.Errorf("element %s is none of the type %s", index(a.elem(i)), s.Type)
			}
		}
	}
	return a, s.Data.check(crc)
}

// storeLengths returns the lengths of count lists, and their sum.
func storeLengths(s StoreBlock, count int, text []byte) (lens []int, sum int, err error) {
	b, err := storeBlock(s, count, 8, text)
	if err != nil {
		return nil, 0, err
	}
	for _, n := range view[int64](b) {
		if n < 0 || n > int64(len(text)) || sum > len(text) { // an element has a byte at the least
			return nil, 0, fmt.Errorf("has a list of %d elements, which cannot be", n)
		}
		sum += int(n)
	}
	return asInts(view[int64](b)), sum, s.check(crc32.Checksum(b, crcTable))
}

// storeBlock returns the bytes of a block.
func storeBlock(s StoreBlock, count, size int, text []byte) ([]byte, error) {
	length := int64(count) * int64(size) // count is below 2^60: product saw to that
	if length == 0 {
		return nil, nil
	}
	if s.Offset < storeHead || s.Offset%storeAlign != 0 || s.Offset > int64(len(text)) || length > int64(len(text))-s.Offset {
		return nil, errors.New("lies beyond the end of the file: it was cut short")
	}
	return text[s.Offset:][:length:length], nil
}

// check compares a checksum with that of the header.
func (s StoreBlock) check(crc uint32) error {
	if s.CRC != fmt.Sprintf("%08x", crc) {
		return errors.New("is damaged: its checksum is another than when it was written")
	}
	return nil
}

// hostLittle says whether this machine has the low byte first.
var hostLittle = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// view returns little-endian bytes as numbers: the bytes themselves where the machine has them so.
func view[T float64 | int64 | int32](b []byte) []T {
	var x T
	size := int(unsafe.Sizeof(x))
	p := unsafe.Pointer(unsafe.SliceData(b))
	if hostLittle && uintptr(p)%unsafe.Alignof(x) == 0 {
		return unsafe.Slice((*T)(p), len(b)/size)
	}
	out := make([]T, len(b)/size)
	for i := range out {
		switch o := any(&out[i]).(type) {
		case *float64:
			*o = math.Float64frombits(binary.LittleEndian.Uint64(b[i*size:]))
		case *int64:
			*o = int64(binary.LittleEndian.Uint64(b[i*size:]))
		case *int32:
			*o = int32(binary.LittleEndian.Uint32(b[i*size:]))
		}
	}
	return out
}

// asInts returns the numbers as ints: themselves where an int is of 64 bits.
func asInts(x []int64) []int {
	if unsafe.Sizeof(int(0)) == 8 {
		return unsafe.Slice((*int)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
	}
	out := make([]int, len(x))
	for i, v := range x {
		out[i] = int(v)
	}
	return out
}

// takeStored hands an array over, and says whether the model has a use for it.
func (ld *loader) takeStored(s *StoreArray, a *array) bool {
	role, f, _ := ld.lookup(a.key)
	if role == noRole && s.Bag && slices.ContainsFunc(ld.schema.Fields, func(f Field) bool { return ld.isBag(&f) }) {
		if f = ld.bagField(a.file); f == nil {
			return true
		}
		a.key, role = f.Name, fieldRole
	}
	if role == noRole {
		return false
	}
	if role == lengthsRole && len(a.shape) > 0 { // however they are nested
		a.shape, a.dims = []int{a.n}, nil
	}
	ld.take(a)
	if f == nil || f.Kind != Category || a.code == nil || a.bad {
		return true
	}
	switch {
	case s.Levels != nil && s.Declared:
		who := "the levels of " + s.Name
		ld.declare(f.Of, &levels{names: s.Levels, who: who, file: a.file})
		ld.size(f.Of, claim{n: len(s.Levels), who: fmt.Sprintf("%s are %d", who, len(s.Levels)), file: a.file})
	case s.Levels == nil && s.Size > 0:
		ld.size(f.Of, claim{n: s.Size, who: fmt.Sprintf("%s has %d categories", s.Name, s.Size), file: a.file})
	}
	return true
}
