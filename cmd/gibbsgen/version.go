// This file holds gibbsgen version.

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCmd struct{}

func (versionCmd) Help() string {
	return `Prints the version of gibbsgen and of the Go that built it.

Examples:

    gibbsgen version`
}

// Run prints the version.
func (versionCmd) Run(c console) error {
	_, err := fmt.Fprintf(c.stdout, "gibbsgen %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// version is the module's version, or the revision of the checkout, or devel.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}
