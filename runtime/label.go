package runtime

// This file holds the names of draws.

import "strconv"

// ElementLabel returns the name of an element as CmdStan writes it, with indices from 0 counted from 1: mu.1, S.2.1.
func ElementLabel(name string, ix ...int) string {
	b := []byte(name)
	for _, i := range ix {
		b = append(b, '.')
		b = strconv.AppendInt(b, int64(i)+1, 10)
	}
	return string(b)
}
