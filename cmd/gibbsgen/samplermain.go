// This file writes the main package of a compiled sampler.

package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// samplerMain returns the source of main.go: the generated package's functions handed to runtime/cli.
func samplerMain(m *ir.Model, spec string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `%s from %s. DO NOT EDIT.

// Command %s draws from the posterior of the model.
package main

import (
	"%[4]s/runtime/cli"
	"%[4]s/runtime/dataio"
	"%[4]s/%[5]s"
)

func main() {
	cli.Main(cli.Model{Name: %[6]q, Version: %[7]q, Spec: %[10]q, Source: %[5]s.Source, Package: %[5]q, Schema: %[5]s.Schema,
		Unknowns: unknowns, Monitor: %#[8]v, Default: %#[9]v, New: %[5]s.Open})
}

`, generatedMark, quoteName(spec), m.Name, modulePath, samplerPackage, m.Name, version(), monitored(m), defaults(m), spec)
	b.WriteString("var unknowns = []dataio.Field{\n")
	for _, v := range m.Vars {
		if !v.Unknown() || collapsed(m, v) {
			continue
		}
		fmt.Fprintf(&b, "\t{Name: %q, Kind: dataio.%s", v.Name, kindOf(v.Type))
		if v.Type.Of != nil {
			fmt.Fprintf(&b, ", Of: %q", v.Type.Of.Name)
		}
		if len(v.Axes) > 0 {
			b.WriteString(", Dims: []string{")
			for i, p := range v.Axes {
				if i > 0 {
					b.WriteString(", ")
				}
				fmt.Fprintf(&b, "%q", p.Name)
			}
			b.WriteString("}")
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// monitored returns the unknowns of which the spec monitors every element.
func monitored(m *ir.Model) []string {
	out := []string{}
	for _, r := range m.Monitor {
		if r.Var.Unknown() && len(r.Idx) == 0 {
			out = append(out, r.Var.Name)
		}
	}
	return out
}

// defaults returns the arrays of which every element is written since the spec monitors nothing, unless there are too many.
func defaults(m *ir.Model) []string {
	out := []string{}
	for _, v := range m.Vars {
		if len(m.Monitor) == 0 && v.Role == dsl.Global && len(v.Axes) > 0 && !collapsed(m, v) && !slices.ContainsFunc(v.Axes, func(p *ir.Plate) bool { return p.Over != nil }) {
			out = append(out, v.Name)
		}
	}
	return out
}

func collapsed(m *ir.Model, v *ir.Var) bool {
	for _, c := range m.Collapse {
		if c == v {
			return true
		}
	}
	return unbounded(v)
}

// unbounded reports whether v has an axis whose size the chain itself decides, or takes its values there: no file can know it.
func unbounded(v *ir.Var) bool {
	for _, p := range v.Axes {
		if p.Unbounded {
			return true
		}
	}
	return v.Type.Of != nil && v.Type.Of.Unbounded
}

func kindOf(t ir.Type) string {
	return map[ir.Elem]string{ir.Real: "Real", ir.Int: "Int", ir.Bool: "Bool", ir.Cat: "Category"}[t.Elem]
}

// quoteName keeps a file name on its line of comment.
func quoteName(s string) string {
	q := fmt.Sprintf("%q", s)
	return q[1 : len(q)-1]
}
