// This file tests what is said of partitions against definitions computed the long way, and the reader of long-format draws.

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// longText spells draws of one chain in long format.
func longText(draws [][]int) string {
	var b strings.Builder
	b.WriteString("draw,i1,value\n")
	for d, labels := range draws {
		for i, l := range labels {
			fmt.Fprintf(&b, "%d,%d,%d\n", d+1, i+1, l)
		}
	}
	return b.String()
}

func readPartitions(t *testing.T, chains ...[][]int) *partitions {
	t.Helper()
	p := newPartitions()
	for _, c := range chains {
		if err := p.readFrom("z.csv", strings.NewReader(longText(c))); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// distance is the number of pairs that one partition has together and the other apart.
func distance(a, b []int) int {
	n := 0
	for i := range a {
		for j := range i {
			if (a[i] == a[j]) != (b[i] == b[j]) {
				n++
			}
		}
	}
	return n
}

// TestPartitions compares with the definitions, over random draws; then every draw's labels are permuted, and nothing may change.
func TestPartitions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n, s := 1+r.IntN(8), 1+r.IntN(20)
		var draws, renamed [][]int
		for range s {
			perm := r.Perm(9)
			var labels, others []int
			for range n {
				l := r.IntN(3)
				labels, others = append(labels, l+1), append(others, perm[l]+1)
			}
			draws, renamed = append(draws, labels), append(renamed, others)
		}
		half := s / 2
		p := readPartitions(t, draws[:half], draws[half:])
		q := readPartitions(t, renamed[:half], renamed[half:])
		together := p.together()
		best, loss := p.binder(together)

		least, most := math.Inf(1), 0
		for _, d := range draws {
			sum, same := 0, 0
			for _, e := range draws {
				k := distance(d, e)
				sum += k
				if k == 0 {
					same++
				}
			}
			least, most = min(least, float64(sum)/float64(s)), max(most, same)
		}
		if math.Abs(loss-least) > 1e-9 || p.mode().times != most {
			t.Errorf("least loss %v, most frequent %d times; want %v, %d", loss, p.mode().times, least, most)
		}
		sum := 0
		for _, d := range draws {
			sum += distance(d, best.labels())
		}
		if math.Abs(float64(sum)/float64(s)-loss) > 1e-9 {
			t.Errorf("the partition of loss %v has loss %v", loss, float64(sum)/float64(s))
		}
		var a, b strings.Builder
		if err := p.print(&a, p.mode(), best, loss); err != nil {
			t.Fatal(err)
		}
		other, otherLoss := q.binder(q.together())
		if err := q.print(&b, q.mode(), other, otherLoss); err != nil {
			t.Fatal(err)
		}
		if a.String() != b.String() || fmt.Sprint(best.labels()) != fmt.Sprint(other.labels()) || fmt.Sprint(together) != fmt.Sprint(q.together()) {
			t.Errorf("other labels of the same partitions give other results:\n%s\n%s", a.String(), b.String())
		}
	}
}

// TestTooManyElements: the reader stops before memory does.
func TestTooManyElements(t *testing.T) {
	var b strings.Builder
	b.WriteString("draw,i1,value\n")
	for i := range clusterMost + 1 {
		fmt.Fprintf(&b, "1,%d,1\n", i+1)
	}
	err := newPartitions().readFrom("z.csv", strings.NewReader(b.String()))
	if err == nil || !strings.Contains(err.Error(), "more than 20000 elements") {
		t.Errorf("error %v", err)
	}
}

func FuzzLong(f *testing.F) {
	f.Add("draw,i1,value\n1,1,1\n1,2,2\n2,1,2\n2,2,2\n")
	f.Add("draw,i1,value\n")
	f.Add("draw,i1,i2,value\n1,1,1,1\n")
	f.Add("draw,value\n1,1\n")
	f.Add("draw,i1,value\n1,1,1\n2,1,1\n2,2,1\n")
	f.Add("draw,i1,value\n99999999999999999999,1,-1\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := newPartitions()
		if err := p.readFrom("z.csv", strings.NewReader(text)); err != nil || p.draws == 0 {
			return
		}
		if _, loss := p.binder(p.together()); !(loss >= 0) || p.mode().times < 1 {
			t.Errorf("loss %v, most frequent %d times", loss, p.mode().times)
		}
	})
}
