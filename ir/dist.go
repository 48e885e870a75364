// This file holds what a distribution is; the catalogue itself is one file a distribution, listed in Dists.

package ir

// A Dist is one entry of the catalogue: everything the compiler knows of a distribution.
type Dist struct {
	Name    string  // as written in a spec; several entries may share it and differ in Params (Normal)
	Params  []Param // canonical parameters
	Event   int     // axes of one draw: 0 scalar, 1 vector, 2 matrix
	Type    Elem    // of one element; a Cat's plate is the plate of the parameter marked Cats
	Support func(args []Expr) Support
	Doc     string // the density, in the notation of docs/language.md

	// LogDensity is symbolic; terms that are constant whatever the parameters may be left out.
	LogDensity func(x Val, args []Val) Poly
	// LogCDF, if set, gives log P(lo < X < hi) for truncation with unknown parameters; nil bounds are infinite.
	LogCDF func(args []Val, lo, hi *Val) Poly

	Draw    string // method of runtime.Rand that draws forward from Params in order
	LogProb string // function of package runtime: log density or mass, with every constant
	// LogMass is the function of package runtime for log P(lo < X < hi), which divides the density of truncated draws; without it
	// none can be truncated.
	LogMass string
}

// A Param is one canonical parameter of a distribution.
type Param struct {
	Name    string // canonical name: the argument may always be given as Name = e
	Named   bool   // must be given by name, since rival conventions exist
	Dims    int    // 0 scalar, 1 vector, 2 matrix; vector parameters accept a scalar where `over` or the data give the plate
	Domain  Domain
	Spell   []Spelling // other names that may stand for it: sd, prec, ...
	Cats    bool       // a vector whose plate is the plate of the drawn category
	Default float64    // used when HasDef and the argument is absent
	HasDef  bool
}

// A Spelling is another convention for a parameter: Of returns the canonical value from the given one.
type Spelling struct {
	Name string
	Of   func(Expr) Expr
}

// A Domain is where a parameter's values must lie.
type Domain int

// The domains of parameters.
const (
	AnyReal Domain = iota
	Positive
	UnitInterval
	SimplexDomain
	SPDDomain
	CountDomain
	PositiveVec      // every element positive
	DegreesOfFreedom // greater than the size of the drawn matrix less one
)
