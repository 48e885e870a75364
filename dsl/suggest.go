// This file finds the known name that a misspelt one was probably meant to be.

package dsl

import "strings"

// Nearest returns the known name nearest to name, for "did you mean": at most a third of the longer one's letters
// may be inserted, deleted, replaced or swapped with a neighbour (the optimal string alignment distance). Case alone
// counts half an edit in all. Of equally near names the first wins; "" if none is near enough.
func Nearest(name string, known []string) string {
	const longest = 64 // longer names are not misspelt, they are not names
	if len(name) > longest {
		return ""
	}
	best, found := 2*longest, ""
	for _, k := range known {
		if len(k) > longest {
			continue
		}
		limit := max(len(name), len(k)) / 3
		d := 2 * distance(strings.ToLower(name), strings.ToLower(k))
		if d > 2*limit {
			continue
		}
		if exact := 2 * distance(name, k); exact > d {
			d++
		}
		if d < best {
			best, found = d, k
		}
	}
	return found
}

// distance is the optimal string alignment distance of two byte strings.
func distance(a, b string) int {
	before := make([]int, len(b)+1) // rows i-2, i-1 and i of the table
	above := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
