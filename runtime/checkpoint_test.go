// This file tests checkpoints: what is written comes back bit for bit, and of what is damaged or foreign nothing does.

package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// luggage has a part of every kind.
type luggage struct {
	rng    *Rand
	n      int
	x      float64
	k      int32
	w      uint64
	on     bool
	reals  []float64
	ints   []int
	labels []int32
	words  []uint64
	bools  []bool
	mat    []float64 // n rows of 2
	cats   []int32   // n
	widths SliceWidths
}

func newLuggage(n int) *luggage {
	return &luggage{rng: NewRand(9), n: n, reals: make([]float64, 3), ints: make([]int, 2), labels: make([]int32, 2), words: make([]uint64, 1), bools: make([]bool, 3),
		mat: make([]float64, 2*n), cats: make([]int32, n), widths: NewSliceWidths(2)}
}

func (l *luggage) Parts() []any {
	return []any{l.rng, &l.n, &l.x, &l.k, &l.w, &l.on, l.reals, l.ints, l.labels, l.words, l.bools,
		Growing(&l.mat, &l.n, 2), Growing(&l.cats, &l.n, 1), &l.widths}
}

func packed() *luggage {
	l := newLuggage(3)
	l.rng.Uint64()
	l.x, l.k, l.w, l.on = math.Copysign(0, -1), -7, math.MaxUint64, true
	copy(l.reals, []float64{math.Inf(1), math.Float64frombits(0x7ff8000000000123), 5e-324})
	copy(l.ints, []int{math.MinInt, math.MaxInt})
	copy(l.labels, []int32{math.MinInt32, 4})
	l.words[0], l.bools[1] = 1<<63, true
	copy(l.mat, []float64{1, 2, 3, 4, 5, 6})
	copy(l.cats, []int32{2, 1, 0})
	l.widths.Tune(true)
	for range 2 * leastMoves {
		l.widths.Learn(1, 0, 3)
	}
	return l
}

var thisRun = [32]byte{1, 2, 3}

func TestCheckpointRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m-1.ckpt")
	sent := packed()
	if err := WriteCheckpoint(path, thisRun, sent); err != nil {
		t.Fatal(err)
	}
	got := newLuggage(1) // as many rows as come
	if err := ReadCheckpoint(path, thisRun, got); err != nil {
		t.Fatal(err)
	}
	if a, b := fmt.Sprint(sent.Parts()...), fmt.Sprint(got.Parts()...); !reflect.DeepEqual(sent.rng, got.rng) || math.Float64bits(got.reals[1]) != 0x7ff8000000000123 || len(got.mat) != 6 {
		t.Errorf("%s came back as %s", a, b)
	}
	got.reals[1], sent.reals[1] = 0, 0 // NaN, which is not itself
	if !reflect.DeepEqual(sent, got) || !math.Signbit(got.x) {
		t.Errorf("%+v came back as %+v", sent, got)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
		t.Errorf("files %q, want the checkpoint alone", left)
	}
}

// TestCheckpointRefuses: whatever byte is lost or changed, the checkpoint is refused, and so is one of another run or of a sampler of other sizes.
func TestCheckpointRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m-1.ckpt")
	if err := WriteCheckpoint(path, thisRun, packed()); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read := func(text []byte) error {
		return readCheckpoint(bytes.NewReader(text), thisRun, []any{newLuggage(1)})
	}
	if err := read(whole); err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if read(whole[:n]) == nil {
			t.Errorf("cut after %d of %d bytes it is taken", n, len(whole))
		}
		changed := bytes.Clone(whole)
		changed[n] ^= 1 << (n % 8)
		if read(changed) == nil {
			t.Errorf("with byte %d changed it is taken", n)
		}
	}
	if err := read(append(bytes.Clone(whole), 0)); err == nil {
		t.Error("with a byte more it is taken")
	}
	for want, err := range map[string]error{
		"no checkpoint":   read([]byte("draw,i1,value\n1,1,2\n")),
		"another version": read(bytes.Replace(whole, []byte(checkpointMark), []byte(checkpointName+"2\n"), 1)),
		"checksum":        read(whole[:len(whole)-1]),
		"another run":     ReadCheckpoint(path, [32]byte{}, newLuggage(1)),
		"no such file":    ReadCheckpoint(filepath.Join(dir, "none"), thisRun),
		"more in it":      ReadCheckpoint(path, thisRun),
		"3 numbers where": ReadCheckpoint(path, thisRun, func() *luggage { l := newLuggage(1); l.reals = l.reals[:2]; return l }()),
		"numbers of type": ReadCheckpoint(path, thisRun, []float64{1}),
		"none can be":     WriteCheckpoint(filepath.Join(dir, "x.ckpt"), thisRun, "text"),
		"m-2.ckpt":        WriteCheckpoint(filepath.Join(dir, "no", "m-2.ckpt"), thisRun),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	if !errors.Is(ReadCheckpoint(path, [32]byte{}), ErrOtherRun) {
		t.Error("a checkpoint of another run is not told by ErrOtherRun")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("files %q, want the checkpoint alone", left)
	}
}

// FuzzReadCheckpoint: whatever is in a file whose checksum is right, reading it ends, without panic, and asks for no more memory than the file has bytes.
func FuzzReadCheckpoint(f *testing.F) {
	var b bytes.Buffer
	path := filepath.Join(f.TempDir(), "c")
	if err := WriteCheckpoint(path, thisRun, packed()); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	b.Write(text[len(checkpointMark) : len(text)-32])
	f.Add(b.Bytes())
	for i := range b.Len() - 32 {
		changed := bytes.Clone(b.Bytes())
		changed[32+i] ^= 0x81
		f.Add(changed)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		l := newLuggage(1)
		err := readBody(bytes.NewReader(body), int64(len(body)), thisRun, []any{l})
		if err == nil && (len(l.mat) != 2*l.n || len(l.cats) != l.n) {
			t.Errorf("%d rows, and arrays of %d and %d", l.n, len(l.mat), len(l.cats))
		}
		if cap(l.mat) > len(body)+16 || cap(l.cats) > len(body)+16 {
			t.Errorf("of %d bytes it made arrays of %d and %d", len(body), cap(l.mat), cap(l.cats))
		}
		readCheckpoint(bytes.NewReader(body), thisRun, []any{l})
	})
}

func TestEncodeParts(t *testing.T) {
	x, rng := []float64{1, 2, 3}, NewRand(1)
	encoded, err := EncodeParts(&x[0], x, rng)
	if err != nil {
		t.Fatal(err)
	}
	y, other := []float64{9, 9, 9}, NewRand(2)
	if err := DecodeParts(encoded, &y[0], y, other); err != nil || !slices.Equal(x, y) || *rng != *other {
		t.Errorf("decoded %v and %v with error %v, want %v and %v", y, *other, err, x, *rng)
	}
	if err := DecodeParts(encoded, &y[0], y); err == nil {
		t.Error("a part too many is taken")
	}
	if err := DecodeParts(encoded[:len(encoded)-1], &y[0], y, other); err == nil {
		t.Error("a part cut short is taken")
	}
	if _, err := EncodeParts("no part"); err == nil {
		t.Error("a string is taken for a part")
	}
}
