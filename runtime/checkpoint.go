// This file holds the file of a checkpoint:
//
//	gibbsgen checkpoint 1\n
//	32 bytes that say of which run
//	the parts (parts.go)
//	the SHA-256 of all that
//
// It is written beside its place and moved there when it is safely on disk, so that whatever stops the process, the last whole
// checkpoint is there.

package runtime

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const (
	checkpointName = "gibbsgen checkpoint "
	checkpointMark = checkpointName + "1\n"
)

// ErrOtherRun is what a checkpoint of another run is refused with.
var ErrOtherRun = errors.New("it is of another run")

// WriteCheckpoint writes the parts (see [Saver]) of the run with the given fingerprint to a file, whole or not at all.
func WriteCheckpoint(path string, run [32]byte, parts ...any) error {
	temp := path + ".partial"
	err := writeCheckpoint(temp, run, parts)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
		return fmt.Errorf("write checkpoint %s: %w", filepath.Base(path), pathless(err))
	}
	return syncDir(filepath.Dir(path))
}

func writeCheckpoint(temp string, run [32]byte, parts []any) error {
	file, err := os.Create(temp)
	if err != nil {
		return err
	}
	sum := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(file, sum), 1<<16)
	out.WriteString(checkpointMark) // what fails here fails at Flush
	out.Write(run[:])
	err = writeParts(out, parts)
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		_, err = file.Write(sum.Sum(nil))
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// ReadCheckpoint reads back what WriteCheckpoint wrote. Nothing is read of a file that is not whole, and nothing of one whose
// run has another fingerprint, which is [ErrOtherRun].
func ReadCheckpoint(path string, run [32]byte, parts ...any) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read checkpoint: %w", err)
	}
	defer file.Close()
	if err := readCheckpoint(file, run, parts); err != nil {
		return fmt.Errorf("checkpoint %s: %w", path, err)
	}
	return nil
}

func readCheckpoint(file io.ReadSeeker, run [32]byte, parts []any) error {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	head := make([]byte, min(size, int64(len(checkpointMark))))
	if _, err := io.ReadFull(file, head); err != nil {
		return err
	}
	switch {
	case string(head) == checkpointMark:
	case bytes.HasPrefix(head, []byte(checkpointName)) && len(head) == len(checkpointMark):
		return errors.New("it is of another version of gibbsgen: go on with that one, or begin anew without --resume")
	default:
		return errors.New("this is no checkpoint of gibbsgen")
	}
	const sumSize = sha256.Size
	body := size - int64(len(head)) - sumSize
	damaged := errors.New("it is cut short or damaged, its checksum is wrong: put a good copy in its place, or begin anew without --resume")
	if body < int64(len(run)) {
		return damaged
	}
	sum := sha256.New()
	sum.Write(head)
	if _, err := io.CopyN(sum, file, body); err != nil {
		return err
	}
	var want [sumSize]byte
	if _, err := io.ReadFull(file, want[:]); err != nil {
		return err
	}
	if !bytes.Equal(want[:], sum.Sum(nil)) {
		return damaged
	}
	if _, err := file.Seek(int64(len(head)), io.SeekStart); err != nil {
		return err
	}
	return readBody(io.LimitReader(file, body), body, run, parts)
}

// readBody reads what stands between the mark and the checksum, of this size.
func readBody(body io.Reader, size int64, run [32]byte, parts []any) error {
	var of [32]byte
	if _, err := io.ReadFull(body, of[:]); err != nil {
		return cutShort(err)
	}
	if of != run {
		return ErrOtherRun
	}
	in := &partReader{Reader: bufio.NewReaderSize(body, 1<<16), left: size - int64(len(of))}
	if err := readParts(in, parts); err != nil {
		return err
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return errTooLong
	}
	return nil
}

// syncDir has a directory's names safely on disk, where the system can do that.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	d.Sync() // some systems cannot
	return d.Close()
}

// pathless is an error of package os without the file's name, which the caller gives.
func pathless(err error) error {
	if e := new(os.PathError); errors.As(err, &e) {
		return e.Err
	}
	return err
}
