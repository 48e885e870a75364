// Package randspec writes random specs: well formed, of every distribution, with plates, categories, chains, links and directives, that
// the whole compiler and the tests of what it prints are run on.
package randspec
