package runtime

import "testing"

func TestPairs(t *testing.T) {
	r := NewRand(5)
	const rows, cols = 7, 4
	var dense [rows][cols]float64
	p := NewPairs(rows, cols)
	for range 15 {
		i, j, v := r.IntN(rows-1), r.IntN(cols), float64(r.IntN(5))
		dense[i][j] += v
		p.Add(i, j, v)
	}
	p.Done()
	var sum, want float64
	for i := range rows {
		js, vs := p.Row(i)
		for k, j := range js {
			if k > 0 && js[k-1] >= j {
				t.Errorf("row %d: columns %v are not ascending", i, js)
			}
			sum += vs[k] * float64(int(j)+10*i)
		}
		for j := range cols {
			want += dense[i][j] * float64(j+10*i)
			if p.At(i, j) != dense[i][j] {
				t.Errorf("(%d, %d): %g, want %g", i, j, p.At(i, j), dense[i][j])
			}
		}
	}
	for j := range cols {
		is, vs := p.Col(j)
		for k, i := range is {
			sum -= vs[k] * float64(j+10*int(i))
		}
	}
	if sum != 0 || want == 0 {
		t.Errorf("rows and columns differ by %g of %g", sum, want)
	}
}
