// This file judges clusterings against the classes that the data were drawn from.

package metrics

import (
	"fmt"
	"math"
)

// Purity returns Σᵢ maxⱼ Nᵢⱼ / N, where Nᵢⱼ counts the elements in cluster i that belong to class j: the share of elements whose
// class is the most frequent one of their cluster. Both are numbered from 0. It is 1 when every cluster lies within a class, so also when
// there are too many clusters.
func Purity(cluster, class []int32) (float64, error) {
	if len(cluster) != len(class) || len(class) == 0 {
		return math.NaN(), fmt.Errorf("metrics: %d elements have clusters, %d have classes", len(cluster), len(class))
	}
	counts := map[[2]int32]int{}
	most := map[int32]int{}
	for i, c := range cluster {
		pair := [2]int32{c, class[i]}
		counts[pair]++
		most[c] = max(most[c], counts[pair])
	}
	var sum int
	for _, n := range most {
		sum += n
	}
	return float64(sum) / float64(len(class)), nil
}

// MatchedMSE returns the mean, over the true centres, of the squared Euclidean distance to the centre that each is matched with, no
// centre to two: the matching makes the sum of the Euclidean distances least. Where there are fewer found centres than true ones, those
// that go without count by their distance to the nearest found one; surplus found ones are not counted.
func MatchedMSE(found, truth [][]float64) (float64, error) {
	if len(found) == 0 || len(truth) == 0 {
		return math.NaN(), fmt.Errorf("metrics: %d centres to be matched with %d", len(found), len(truth))
	}
	distance := make([][]float64, len(truth))
	for i, t := range truth {
		for _, f := range found {
			if len(f) != len(t) {
				return math.NaN(), fmt.Errorf("metrics: a centre in %d dimensions, another in %d", len(f), len(t))
			}
			var sum float64
			for p := range t {
				sum += (f[p] - t[p]) * (f[p] - t[p])
			}
			distance[i] = append(distance[i], math.Sqrt(sum))
		}
	}
	match, err := Assign(distance)
	if err != nil {
		return math.NaN(), err
	}
	var sum float64
	for i, j := range match {
		d := math.Inf(1)
		if j >= 0 {
			d = distance[i][j]
		} else {
			for _, other := range distance[i] {
				d = min(d, other)
			}
		}
		sum += d * d
	}
	return sum / float64(len(truth)), nil
}

// Centres returns the mean of the elements of each cluster that has any, in the order of their numbers, and how many elements those
// have. x is row-major with rows of length p.
func Centres(x []float64, p int, cluster []int32) (centres [][]float64, sizes []int) {
	at := make([]int, 1)
	for _, c := range cluster {
		for len(at) <= int(c) {
			at = append(at, 0)
		}
		at[c]++
	}
	for c, n := range at {
		at[c] = len(centres)
		if n > 0 {
			centres, sizes = append(centres, make([]float64, p)), append(sizes, n)
		}
	}
	for i, c := range cluster {
		k := at[c]
		for d := range p {
			centres[k][d] += x[i*p+d] / float64(sizes[k])
		}
	}
	return centres, sizes
}
