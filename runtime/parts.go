// This file holds how a checkpoint's parts are written and read back, bit for bit: the numbers of a sampler, a schedule or a sink.

package runtime

import (
	"bufio"
	"bytes"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// A Saver can be left and gone on with later, by another process: it lists all that its next steps depend on and that its making,
// from the same data and settings, does not give.
type Saver interface {
	// Parts lists them, always the same ones in the same order. A part is one of
	//   - a pointer to a float64, int, int32, int64, uint64 or bool;
	//   - a slice of float64, int, int32, uint64 or bool, whose length follows from data and settings;
	//   - Growing, a slice whose length is a part before it;
	//   - an encoding.BinaryMarshaler and BinaryUnmarshaler, such as *Rand;
	//   - another Saver.
	// They are valid until the next update.
	Parts() []any
}

// Growing is the part of a slice with n rows of width elements, where n is a part before it: what runs over an unbounded plate.
func Growing[T float64 | int | int32 | uint64 | bool](at *[]T, n *int, width int) any {
	return &growing[T]{at, n, width}
}

type growing[T any] struct {
	at    *[]T
	n     *int
	width int
}

// A form is how a number of one type looks in a file: a letter that tells it from the others, and its bytes.
type form[T any] struct {
	letter byte
	size   int
	put    func([]byte, T)
	get    func([]byte) T
}

var (
	order   = binary.LittleEndian
	reals   = form[float64]{'r', 8, func(b []byte, x float64) { order.PutUint64(b, math.Float64bits(x)) }, func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }}
	ints    = form[int]{'i', 8, func(b []byte, x int) { order.PutUint64(b, uint64(x)) }, func(b []byte) int { return int(order.Uint64(b)) }}
	spans   = form[int64]{'t', 8, func(b []byte, x int64) { order.PutUint64(b, uint64(x)) }, func(b []byte) int64 { return int64(order.Uint64(b)) }}
	labels  = form[int32]{'c', 4, func(b []byte, x int32) { order.PutUint32(b, uint32(x)) }, func(b []byte) int32 { return int32(order.Uint32(b)) }}
	words   = form[uint64]{'u', 8, order.PutUint64, order.Uint64}
	bools   = form[bool]{'b', 1, func(b []byte, x bool) { b[0] = byte(Index(x)) }, func(b []byte) bool { return b[0] != 0 }}
	letters = form[byte]{'x', 1, func(b []byte, x byte) { b[0] = x }, func(b []byte) byte { return b[0] }}
)

// A piece is a part that knows how to be written and read.
type piece interface {
	write(w *bufio.Writer) error
	read(r *partReader) error
}

// pieceOf is the table of what a part may be; nil for what is none.
func pieceOf(part any) piece {
	switch p := part.(type) {
	case *float64:
		return scalar[float64]{reals, p}
	case *int:
		return scalar[int]{ints, p}
	case *int64:
		return scalar[int64]{spans, p}
	case *int32:
		return scalar[int32]{labels, p}
	case *uint64:
		return scalar[uint64]{words, p}
	case *bool:
		return scalar[bool]{bools, p}
	case []float64:
		return numbers[float64]{reals, p}
	case []int:
		return numbers[int]{ints, p}
	case []int32:
		return numbers[int32]{labels, p}
	case []uint64:
		return numbers[uint64]{words, p}
	case []bool:
		return numbers[bool]{bools, p}
	case *growing[float64]:
		return rows[float64]{reals, p}
	case *growing[int]:
		return rows[int]{ints, p}
	case *growing[int32]:
		return rows[int32]{labels, p}
	case *growing[uint64]:
		return rows[uint64]{words, p}
	case *growing[bool]:
		return rows[bool]{bools, p}
	case Saver:
		return whole{p}
	case binaryPart:
		return opaque{p}
	}
	return nil
}

type binaryPart interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// EncodeParts returns the bytes by which a checkpoint holds the parts, such as a Saver, for those who keep them elsewhere than in a file.
func EncodeParts(parts ...any) ([]byte, error) {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	err := writeParts(w, parts)
	w.Flush()
	return b.Bytes(), err
}

// DecodeParts sets the parts to what EncodeParts had of parts like them. After an error some are set and some are not.
func DecodeParts(encoded []byte, parts ...any) error {
	r := &partReader{Reader: bufio.NewReader(bytes.NewReader(encoded)), left: int64(len(encoded))}
	if err := readParts(r, parts); err != nil {
		return err
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return errTooLong
	}
	return nil
}

var errTooLong = errors.New("there is more in it than the sampler knows of")

// writeParts writes parts in order.
func writeParts(w *bufio.Writer, parts []any) error {
	for i, part := range parts {
		p := pieceOf(part)
		if p == nil {
			return fmt.Errorf("runtime: part %d of a checkpoint is a %T, which none can be", i+1, part)
		}
		if err := p.write(w); err != nil {
			return err
		}
	}
	return nil
}

// A partReader reads what writeParts wrote.
type partReader struct {
	*bufio.Reader
	left int64 // bytes that there may be yet: no number in the file makes it ask for more memory than that
}

// readParts reads parts in order. After an error some are read and some are not.
func readParts(r *partReader, parts []any) error {
	for i, part := range parts {
		p := pieceOf(part)
		if p == nil {
			return fmt.Errorf("runtime: part %d of a checkpoint is a %T, which none can be", i+1, part)
		}
		if err := p.read(r); err != nil {
			return fmt.Errorf("part %d of %d: %w", i+1, len(parts), err)
		}
	}
	return nil
}

// writeHead writes what stands before the numbers of a part: their letter, and how many there are.
func writeHead(w *bufio.Writer, letter byte, n int) error {
	w.WriteByte(letter) // what fails here fails at the next write
	_, err := w.Write(order.AppendUint64(w.AvailableBuffer(), uint64(n)))
	return err
}

// readHead reads the number of elements of a part, which has the letter and elements of this size.
func (r *partReader) readHead(letter byte, size int) (int, error) {
	var head [9]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, cutShort(err)
	}
	r.left -= int64(len(head))
	n := order.Uint64(head[1:])
	switch {
	case head[0] != letter:
		return 0, fmt.Errorf("numbers of type %q where %q is wanted", head[0], letter)
	case n > uint64(max(r.left, 0))/uint64(size):
		return 0, fmt.Errorf("%d numbers where there is no room for so many", n)
	}
	return int(n), nil
}

func cutShort(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("it ends too soon")
	}
	return err
}

// numbers are a slice whose length is known.
type numbers[T any] struct {
	form[T]
	at []T
}

func (p numbers[T]) write(w *bufio.Writer) error {
	if err := writeHead(w, p.letter, len(p.at)); err != nil {
		return err
	}
	var cell [8]byte
	for _, x := range p.at {
		p.put(cell[:], x)
		if _, err := w.Write(cell[:p.size]); err != nil {
			return err
		}
	}
	return nil
}

func (p numbers[T]) read(r *partReader) error {
	n, err := r.readHead(p.letter, p.size)
	if err != nil {
		return err
	}
	if n != len(p.at) {
		return fmt.Errorf("%d numbers where %d are wanted", n, len(p.at))
	}
	return p.fill(r)
}

// fill reads the elements.
func (p numbers[T]) fill(r *partReader) error {
	var cell [8]byte
	for i := range p.at {
		if _, err := io.ReadFull(r, cell[:p.size]); err != nil {
			return cutShort(err)
		}
		p.at[i] = p.get(cell[:])
	}
	r.left -= int64(len(p.at)) * int64(p.size)
	return nil
}

// scalar is one number.
type scalar[T any] struct {
	form[T]
	at *T
}

func (p scalar[T]) write(w *bufio.Writer) error { return numbers[T]{p.form, []T{*p.at}}.write(w) }

func (p scalar[T]) read(r *partReader) error {
	var x [1]T
	err := numbers[T]{p.form, x[:]}.read(r)
	if err == nil {
		*p.at = x[0]
	}
	return err
}

// rows are a slice that grows.
type rows[T any] struct {
	form[T]
	*growing[T]
}

func (p rows[T]) write(w *bufio.Writer) error {
	if len(*p.at) != *p.n*p.width {
		return fmt.Errorf("runtime: a part of a checkpoint has %d numbers, not %d rows of %d", len(*p.at), *p.n, p.width)
	}
	return numbers[T]{p.form, *p.at}.write(w)
}

func (p rows[T]) read(r *partReader) error {
	n, err := r.readHead(p.letter, p.size)
	if err != nil {
		return err
	}
	if *p.n < 0 || p.width > 0 && n/p.width != *p.n || n != *p.n*p.width {
		return fmt.Errorf("%d numbers where %d rows of %d are wanted", n, *p.n, p.width)
	}
	*p.at = Resize(*p.at, n)
	return numbers[T]{p.form, *p.at}.fill(r)
}

// whole is a Saver within one.
type whole struct{ Saver }

func (p whole) write(w *bufio.Writer) error { return writeParts(w, p.Parts()) }

func (p whole) read(r *partReader) error { return readParts(r, p.Parts()) }

// opaque is what writes itself.
type opaque struct{ binaryPart }

func (p opaque) write(w *bufio.Writer) error {
	b, err := p.MarshalBinary()
	if err != nil {
		return err
	}
	return numbers[byte]{letters, b}.write(w)
}

func (p opaque) read(r *partReader) error {
	n, err := r.readHead(letters.letter, 1)
	if err != nil {
		return err
	}
	b := make([]byte, n)
	if err := (numbers[byte]{letters, b}).fill(r); err != nil {
		return err
	}
	return p.UnmarshalBinary(b)
}
