// Package gibbsgen holds the source of the runtime and of verification, so that an installed command can build samplers, and programs
// that verify them, outside any module. The command is cmd/gibbsgen; ARCHITECTURE.md says what the packages are.
package gibbsgen

import "embed"

// Source is the module as far as generated samplers link to it: go.mod, go.sum, and the packages runtime, runtime/dataio and
// runtime/cli, their tests included since a pattern cannot leave them out.
//
//go:embed go.mod go.sum runtime/*.go runtime/dataio/*.go runtime/cli/*.go
var Source embed.FS

// Judge is what verification links to beside runtime and runtime/dataio: itself, and what reads and interprets a spec. It is apart
// from Source, so that a change in it makes no one's sampler another one.
//
//go:embed verify/*.go ir/*.go ir/interp/*.go dsl/*.go
var Judge embed.FS
