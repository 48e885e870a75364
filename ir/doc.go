// Package ir holds the typed model, the catalogue of distributions, and log densities as algebra.
//
//	*dsl.File ─Check→ *Model    names resolved, shapes, types and supports known (model.go, check_*.go)
//	*Model ─Lower→ *Density     the log joint, one Poly for each statement (lower.go)
//	*Model ─String→ text        the dump of the goldens (print.go)
//
// # The typed model
//
// A [Model] is a product of Factors, each a distribution over plates, and of Constraints, by which data cut the space of
// the unknowns. Expressions are typed: their Shape is the plates of their axes. What Check returns has no let
// left but on the list of what is monitored, canonical parameters only (a variance, where the spec said sd), and every
// parameter within its domain, as far as interval analysis can prove it (supports.go); what it cannot prove it refuses.
// Indices and categories count from 0; messages and dumps count from 1.
//
// # The catalogue
//
// [Dists] lists the distributions. An entry says in one place what the compiler knows of one: parameters with their
// domains and spellings, support, log density, and the names of its draw and of its log density in package runtime.
//
// # Log densities
//
// A [Poly] is a sum of products of scalars in index notation,
//
//	Σ over binders of  c · Π atom^power · [guards],
//
// where an atom is a reference, a function of Polys, or a closed sum, and a guard compares indices: [z[n] = k]. Vectors and
// matrices are atoms with indices; dot is a binder. Sums stay closed until conjugacy opens them along its target
// (poly.go, subst.go, simplify.go).
//
// Package ir/interp evaluates the same model without any of this, to judge it.
package ir
