// This file writes sets of files so that none is ever half-written.

package main

import (
	"errors"
	"os"
	"path/filepath"
)

// An outFile is a file to be written.
type outFile struct {
	path string
	data []byte
}

// writeFiles writes every file beside its place, and moves them there when all are written. After a failure before the first
// move nothing has changed.
func writeFiles(files []outFile) (err error) {
	temps := make([]string, 0, len(files))
	defer func() {
		for _, t := range temps {
			os.Remove(t) // those that were moved are gone
		}
	}()
	for _, f := range files {
		t, err := writeTemp(f)
		if err != nil {
			return pathError("cannot write", f.path, err)
		}
		temps = append(temps, t)
	}
	for i, f := range files {
		if err := os.Rename(temps[i], f.path); err != nil {
			var link *os.LinkError
			if errors.As(err, &link) {
				err = link.Err
			}
			return pathError("cannot write", f.path, err)
		}
	}
	return nil
}

// writeTemp writes the file under another name in the same directory, with the permissions of the one that it replaces.
func writeTemp(f outFile) (path string, err error) {
	mode := os.FileMode(0o644)
	if info, err := os.Stat(f.path); err == nil {
		if !info.Mode().IsRegular() {
			return "", errors.New("not a regular file")
		}
		mode = info.Mode().Perm()
	}
	t, err := os.CreateTemp(filepath.Dir(f.path), "."+filepath.Base(f.path)+".*")
	if err != nil {
		return "", err
	}
	_, err = t.Write(f.data)
	if e := t.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(t.Name(), mode)
	}
	if err != nil {
		os.Remove(t.Name())
		return "", err
	}
	return t.Name(), nil
}
