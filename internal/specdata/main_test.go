package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestFiles makes every file again and compares its bytes with those beside the spec.
func TestFiles(t *testing.T) {
	const specs = "../../specs"
	for _, f := range files {
		want, err := f.make(specs)
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		got, err := os.ReadFile(filepath.Join(specs, f.name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what specdata makes (%v): go run ./internal/specdata specs", f.name, err)
		}
	}
}
