// Package parquet writes draws as Parquet files and reads Parquet tables as data. It is a module of its own: what it is built on (Apache Arrow)
// is large, and neither gibbsgen nor the samplers that it makes shall need it.
package parquet

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeFile makes a file that takes its name when it is complete, and leaves nothing behind if that fails. It replaces files only.
func writeFile(path string, write func(io.Writer) error) (err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("cannot write %s: it is not a regular file", path)
	}
	f, err := os.OpenFile(path+".partial", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		f.Close()
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Clean(path))
}

// recovered turns a panic into an error: files that are damaged make the reader of Parquet panic in places.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("is damaged, or no Parquet file that can be read here: %v", p)
	}
}
