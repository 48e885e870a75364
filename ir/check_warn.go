// This file holds warnings: models that are legal but perhaps not what was meant.

package ir

import (
	"fmt"

	"github.com/gibbsgen/gibbsgen/dsl"
)

func (c *checker) warnings() {
	for _, f := range c.facts {
		if f.Dist.Name == "Flat" {
			c.warnf(f.st.decl.Dist.Span, "flat", "with a flat prior on %s the posterior may be improper; the compiler cannot tell", f.v.Name)
		}
		if f.v.Role == dsl.Global {
			c.globalOnLocal(f)
		}
	}
	c.noData()
	for _, v := range c.order {
		if c.used[v.Var] {
			continue
		}
		switch {
		case v.Role == dsl.Const, v.Role == dsl.Let:
			c.warnf(v.Span, "unused", "%s %s is not used", v.Role, v.Name)
		case v.Role == dsl.Data && v.decls[0].Dist == nil && len(v.decls) == 1:
			c.warnf(v.Span, "unused", "data %s is not used", v.Name)
		}
	}
	for _, p := range c.m.Plates {
		if !c.used[p] {
			c.warnf(p.Span, "unused", "plate %s is not used", p.Name)
		}
	}
}

// globalOnLocal warns of a global that is defined by locals.
func (c *checker) globalOnLocal(f *fact) {
	said := false
	for _, a := range f.Args {
		WalkExpr(a, func(e Expr) {
			if r, ok := e.(*Ref); ok && r.Var.Role == dsl.Local && !said {
				said = true
				d := c.warnf(r.At, "roles", "global %s depends on local %s", f.v.Name, r.Var.Name)
				d.Notes = append(d.Notes, "globals are what the units share, and are updated from sums over them")
				d.Hint = fmt.Sprintf("declare `local %s`, or `global %s`", f.v.Name, r.Var.Name)
			}
		})
	}
}

// noData warns of unknowns that no data depend on.
func (c *checker) noData() {
	parents := map[*Var][]*Var{}
	var queue []*Var
	link := func(to *Var, es ...Expr) {
		for _, e := range es {
			WalkExpr(e, func(e Expr) {
				if r, ok := e.(*Ref); ok {
					if to == nil {
						queue = append(queue, r.Var)
					} else {
						parents[to] = append(parents[to], r.Var)
					}
				}
			})
		}
	}
	for _, f := range c.facts {
		es := append([]Expr{f.Lo, f.Hi}, f.Args...)
		if f.v.Role == dsl.Data {
			link(nil, es...)
		} else {
			link(f.X.Var, es...)
		}
	}
	for _, k := range c.m.Constraints {
		link(nil, k.L, k.R)
		if k.Cuts != nil {
			link(nil, k.Cuts)
		}
	}
	seen := map[*Var]bool{}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		if !seen[v] {
			seen[v] = true
			queue = append(queue, parents[v]...)
		}
	}
	for _, v := range c.order {
		if v.Unknown() && !seen[v.Var] {
			c.warnf(v.Span, "no-data", "no data depend on %s, so its posterior is its prior", v.Name)
		}
	}
}
