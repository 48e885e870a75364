// This file checks that kernels draw from the density that they should.

package verify

// drawTrials are those of every kernel's draws.
func (l *lab) drawTrials() []trial { return nil }
