// This file tests that a spec's text comes back from the Go that holds it.

package codegen

import (
	"fmt"
	"strconv"
	"testing"
)

func TestText(t *testing.T) {
	for _, want := range []string{
		"", "model a\n", "// `quoted`\nmodel a\n", "model a\r\nplate N\r\n", "// \x00 and \xff\nmodel a", "// \ufeff\nmodel a", "// é \\ \"\nmodel a\n\tplate N",
	} {
		src := fmt.Sprintf("%#v", text(want))
		if got, err := strconv.Unquote(src); err != nil || got != want {
			t.Errorf("%q is printed as %s, which reads %q (%v)", want, src, got, err)
		}
	}
}
