// This file runs the command line.

package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"runs/m-1.csv": "lp__,mu\n-1,1\n-2,2\n", "runs/m-2.csv": "lp__,mu\n-1,3\n-2,4\n", "runs/z_1.csv": "draw,i1,value\n1,1,1\n", "empty/x.txt": "",
	} {
		dir, _, _ := strings.Cut(name, "/")
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args string
		code int
		want string // in what is printed
	}{
		{"draws runs", 0, "runs.parquet: chains 2, draws of each 2\n"},
		{"data runs.parquet", 0, "runs.csv: rows 4\n"},
		{"draws runs/m-1.csv -o one.parquet", 0, "one.parquet: chains 1, draws of each 2\n"},
		{"draws empty", 1, "gibbsgen-parquet: error: empty has no CmdStan CSV files: want the directory of a run\n"},
		{"draws none", 1, "no such file"},
		{"data runs/m-1.csv -o m.csv", 1, "error: runs/m-1.csv: "},
		{"data runs.parquet -o runs", 1, "error: runs.parquet: cannot write runs: it is not a regular file"},
		{"data", 2, "expected \"<file>\""},
		{"", 0, "Parquet tables as data"},
		{"draws --help", 0, "posterior::as_draws_df"},
	} {
		var out bytes.Buffer
		code := run(strings.Fields(tt.args), console{&out, &out})
		if code != tt.code || !strings.Contains(out.String(), tt.want) {
			t.Errorf("%s: exit code %d, %q", tt.args, code, out.String())
		}
	}
	table, err := os.ReadFile("runs.csv")
	if want := "lp__,mu,.chain,.iteration,.draw\n-1,1,1,1,1\n-2,2,1,2,2\n-1,3,2,1,3\n-2,4,2,2,4\n"; err != nil || string(table) != want {
		t.Errorf("got %q, %v", table, err)
	}
}
