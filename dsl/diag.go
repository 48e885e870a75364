// This file holds diagnostics: what every stage of the compiler says about a place in a spec.

package dsl

// A Diag is one message about a spec. It says where, what, why, and what next.
type Diag struct {
	Severity Severity
	Code     string // stable, short: "unknown-name"
	Span     Span
	Msg      string   // one line, no full stop
	Notes    []string // the why: further lines, indented when printed
	Hint     string   // what to do next, or empty
}

// A Severity orders diagnostics.
type Severity int

// Errors stop the compiler; warnings do not.
const (
	Error Severity = iota
	Warning
)

// Diags collects messages; Errorf and the like return a pointer so that the caller can add notes and a hint.
type Diags []*Diag

// HasErrors reports whether any of them is an error.
func (ds Diags) HasErrors() bool {
	for _, d := range ds {
		if d.Severity == Error {
			return true
		}
	}
	return false
}
