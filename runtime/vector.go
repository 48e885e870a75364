// This file holds the vector operations of inner loops; gonum has them in assembly.

package runtime

import "gonum.org/v1/gonum/floats"

// Dot returns Σ x[i]·y[i]. The lengths must be equal.
func Dot(x, y []float64) float64 { return floats.Dot(x, y) }

// AddScaled adds c·x to dst. The lengths must be equal.
func AddScaled(dst []float64, c float64, x []float64) { floats.AddScaled(dst, c, x) }

// Consecutive returns how many of the first units are consecutive numbers.
func Consecutive(units []int) int {
	n := 1
	for n < len(units) && units[n] == units[n-1]+1 {
		n++
	}
	return n
}

// DotRows sets dst[i] to the product of row i of a with x. a has len(dst) rows as long as x; four are taken at a time.
func DotRows(dst, a, x []float64) {
	d := len(x)
	i := 0
	for ; i+4 <= len(dst); i += 4 {
		b := a[i*d:][:4*d]
		r0, r1, r2, r3 := b[:d], b[d:][:d], b[2*d:][:d], b[3*d:][:d]
		r0, r1, r2, r3 = r0[:len(x)], r1[:len(x)], r2[:len(x)], r3[:len(x)]
		var s0, s1, s2, s3 float64
		for j, v := range x {
			s0 += r0[j] * v
			s1 += r1[j] * v
			s2 += r2[j] * v
			s3 += r3[j] * v
		}
		dst[i], dst[i+1], dst[i+2], dst[i+3] = s0, s1, s2, s3
	}
	for ; i < len(dst); i++ {
		dst[i] = Dot(a[i*d:][:d], x)
	}
}

// AddRows adds Σ c[i]·(row i of a) to dst. a has len(c) rows as long as dst; four are taken at a time.
func AddRows(dst, c, a []float64) {
	d := len(dst)
	i := 0
	for ; i+4 <= len(c); i += 4 {
		b := a[i*d:][:4*d]
		r0, r1, r2, r3 := b[:d], b[d:][:d], b[2*d:][:d], b[3*d:][:d]
		r0, r1, r2, r3 = r0[:len(dst)], r1[:len(dst)], r2[:len(dst)], r3[:len(dst)]
		c0, c1, c2, c3 := c[i], c[i+1], c[i+2], c[i+3]
		for j := range dst {
			dst[j] += (c0*r0[j] + c1*r1[j]) + (c2*r2[j] + c3*r3[j])
		}
	}
	for ; i < len(c); i++ {
		AddScaled(dst, c[i], a[i*d:][:d])
	}
}
