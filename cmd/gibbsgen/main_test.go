// This file runs the transcripts in testdata/script.

package main

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gibbsgen": main})
}

func TestScripts(t *testing.T) {
	var env []string // where the go command has its caches: HOME is another one inside scripts
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		if out, err := exec.Command("go", "env", name).Output(); err == nil {
			env = append(env, name+"="+strings.TrimSpace(string(out)))
		}
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("XDG_CACHE_HOME", e.WorkDir+"/.cache")
			e.Setenv("GOPROXY", "off")
			if path, err := exec.LookPath("gibbsgen"); err == nil { // for scripts that empty the PATH
				e.Setenv("GIBBSGEN", path)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "waitfor": waitfor},
		Condition: func(cond string) (bool, error) {
			return cond == "root" && os.Getuid() == 0, nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// TestCommands: every command has help with examples, and a script that runs it.
func TestCommands(t *testing.T) {
	app, err := kong.New(&commands{}, variables)
	if err != nil {
		t.Fatal(err)
	}
	if len(app.Model.Children) == 0 {
		t.Fatal("no commands")
	}
	for _, cmd := range app.Model.Children {
		if _, examples, ok := strings.Cut(cmd.Detail, "\nExamples:\n"); !ok || !strings.Contains(examples, "gibbsgen "+cmd.Name) {
			t.Errorf("the help of %s has no examples", cmd.Name)
		}
		script, err := os.ReadFile("testdata/script/" + cmd.Name + ".txtar")
		if err != nil {
			t.Errorf("%s has no script: %v", cmd.Name, err)
		} else if !strings.Contains(string(script), "gibbsgen "+cmd.Name) {
			t.Errorf("the script of %s does not run it", cmd.Name)
		}
	}
}

// TestTransformations: run has a flag for each, and passes it on.
func TestTransformations(t *testing.T) {
	for _, name := range dataio.Transformations() {
		var cmds commands
		app, err := kong.New(&cmds, variables)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := app.Parse([]string{"run", "x.gm", "--" + name + "=X"}); err != nil {
			t.Error(err)
		} else if args := cmds.Run.args(nil); !slices.Contains(args, "--"+name+"=X") {
			t.Errorf("run --%s=X runs the sampler with %v", name, args)
		}
	}
}

// exits runs a command that must end with the given exit code: exits 2 gibbsgen check.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if status, ok := errors.AsType[*exec.ExitError](err); ok {
		code = status.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// waitfor waits until a file is there.
func waitfor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: waitfor FILE")
	}
	for range 6000 {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("%s is not there after a minute", args[0])
}
