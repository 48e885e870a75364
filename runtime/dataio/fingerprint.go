// This file holds the fingerprint of data: of their values, whatever files they came from.

package dataio

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Fingerprint returns the SHA-256 of sizes, values and names of categories; data that differ in a bit have others.
func (s *Set) Fingerprint() (sum [32]byte) {
	hash := sha256.New()
	w := bufio.NewWriterSize(hash, 1<<16) // no write to a hash fails
	word := func(x uint64) { w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), x)) }
	// What begins with its number of elements cannot run into what follows.
	text := func(x string) {
		word(uint64(len(x)))
		w.WriteString(x)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Sizes)) {
		text(fmt.Sprintf("size %s", name))
		word(uint64(s.Sizes[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Ragged)) {
		text(fmt.Sprintf("lengths %s %d", name, len(s.Ragged[name])))
		for _, n := range s.Ragged[name] {
			word(uint64(n))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Values)) {
		v := s.Values[name]
		text(fmt.Sprintf("values %s %d %d %d %d", name, len(v.Real), len(v.Int), len(v.Bool), len(v.Cat)))
		for _, x := range v.Real {
			word(math.Float64bits(x))
		}
		for _, x := range v.Int {
			word(uint64(x))
		}
		for _, x := range v.Bool {
			if x {
				w.WriteByte(1)
			} else {
				w.WriteByte(0)
			}
		}
		for _, x := range v.Cat {
			word(uint64(x))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Levels)) {
		text(fmt.Sprintf("levels %s %d", name, len(s.Levels[name])))
		for _, level := range s.Levels[name] {
			text(level)
		}
	}
	w.Flush()
	hash.Sum(sum[:0])
	return sum
}
