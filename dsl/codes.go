// This file lists the codes of the messages that Parse gives. Each has an example, which a test runs.

package dsl

const (
	// The source, a line, a token or a statement is longer than any spec's.
	//
	// Example: collapse aaaa... (8193 letters)
	codeTooBig = "too-big"

	// Brackets, minus signs or powers are nested too deep.
	//
	// Example: ((((... (201 brackets)
	codeTooDeep = "too-deep"

	// The source is not text.
	//
	// Example: model \xff
	codeNotUTF8 = "not-utf8"

	// A character that no spec contains outside comments.
	//
	// Example: plate N;
	codeStray = "stray-character"

	// A bracket without its partner.
	//
	// Example: let a = (b + c
	codeUnclosed = "unclosed"

	// Digits that run into letters, or a number too large for a float64.
	//
	// Example: let a = 2b
	codeBadNumber = "bad-number"

	// There is no `model` line.
	//
	// Example: plate N
	codeNoModel = "no-model"

	// There is more than one `model` line, or it does not come first.
	//
	// Example: model b
	codeModelLine = "model-line"

	// A statement that begins with no keyword.
	//
	// Example: globl a ~ Normal(0, var = 1)
	codeKeyword = "unknown-keyword"

	// Something else stands where the grammar needs one thing.
	//
	// Example: plate 3
	codeSyntax = "syntax"

	// `=` where `~` is meant, or the reverse.
	//
	// Example: global a = Normal(0, var = 1)
	codeTilde = "equals-or-tilde"

	// A type has two bounds on the same side.
	//
	// Example: const a : real > 0 > 1
	codeBounds = "two-bounds"

	// More errors than are worth reading.
	codeTooMany = "too-many-errors"
)
