// This file compares what the command knows of a model's data with what generated packages say.

package main

import (
	"io"
	"testing"

	"github.com/gibbsgen/gibbsgen/generated/hmm"
	"github.com/gibbsgen/gibbsgen/generated/lasso"
	"github.com/gibbsgen/gibbsgen/generated/lda"
	"github.com/gibbsgen/gibbsgen/generated/ordinal"
	"github.com/gibbsgen/gibbsgen/generated/pump"
	"github.com/gibbsgen/gibbsgen/generated/rats"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
	"github.com/google/go-cmp/cmp"
)

// TestSchemaOf: an import reads what the sampler will.
func TestSchemaOf(t *testing.T) {
	for name, want := range map[string]dataio.Schema{
		"hmm": hmm.Schema, "lasso": lasso.Schema, "lda": lda.Schema, "ordinal": ordinal.Schema, "pump": pump.Schema, "rats": rats.Schema,
	} {
		analysis, err := analyse("../../specs/"+name+".gm", console{stderr: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, *schemaOf(analysis.Model)); diff != "" {
			t.Errorf("%s (-generated +command)\n%s", name, diff)
		}
	}
}
