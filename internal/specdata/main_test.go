package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFiles makes every file again and compares its bytes with those beside the spec, and what it was drawn from with what the
// README says.
func TestFiles(t *testing.T) {
	const specs = "../../specs"
	readme, err := os.ReadFile(filepath.Join(specs, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		want, truth, err := f.make(specs)
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		got, err := os.ReadFile(filepath.Join(specs, f.name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what specdata makes (%v): go generate ./...", f.name, err)
		}
		if line := "| `" + f.name + "` | " + truth + " |"; truth != "" && !strings.Contains(string(readme), line) {
			t.Errorf("specs/README.md does not say\n%s", line)
		}
	}
}
