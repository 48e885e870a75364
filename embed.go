// Package gibbsgen holds the source of the runtime, so that an installed command can build samplers outside any module. The
// command is cmd/gibbsgen; ARCHITECTURE.md says what the packages are.
package gibbsgen

import "embed"

// Source is the module as far as generated samplers link to it: go.mod, go.sum, and the packages runtime, runtime/dataio and
// runtime/cli, their tests included since a pattern cannot leave them out.
//
//go:embed go.mod go.sum runtime/*.go runtime/dataio/*.go runtime/cli/*.go
var Source embed.FS
