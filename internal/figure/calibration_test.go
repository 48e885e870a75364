// This file tests the figures of calibration: what they say of ranks inside and outside their band.

package figure

import (
	"bytes"
	"image/png"
	"strings"
	"testing"
)

func TestCalibration(t *testing.T) {
	band := make([][2]float64, 15)
	for i := range band {
		band[i] = [2]float64{-0.08, 0.08}
	}
	flat, heap := make([]int, 16), make([]int, 16)
	for i := range flat {
		flat[i] = 15 + i%2
		heap[i] = 8 + 16*(i%8)/7
	}
	heap[15] = 90
	for name, tt := range map[string]struct {
		counts []int
		says   string
		shade  string
	}{
		"inside":  {flat, "Here it does.", "s-c0"},
		"outside": {heap, "Here it does not.", "s-alert"},
	} {
		figures := Calibration(tt.counts, band)
		if len(figures) != 2 {
			t.Fatalf("%s: %d figures", name, len(figures))
		}
		for _, f := range figures {
			text, err := f.Inline()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := elements(text); err != nil || strings.Contains(text, "style=") || strings.Contains(text, "NaN") {
				t.Errorf("%s: %s: %v\n%s", name, f.Name, err, text)
			}
			var pixels bytes.Buffer
			if err := f.WritePNG(&pixels); err != nil {
				t.Fatal(err)
			}
			if _, err := png.Decode(&pixels); err != nil {
				t.Error(err)
			}
			if f.Name == "sbc-ecdf" && (!strings.Contains(f.Caption, tt.says) || !strings.Contains(text, tt.shade)) {
				t.Errorf("%s: %s\n%s", name, f.Caption, text)
			}
			if bars := strings.Count(text, "f-c0"); f.Name == "sbc-ranks" && bars != 16 {
				t.Errorf("%s: %d bars", name, bars)
			}
		}
	}
	if Calibration(make([]int, 16), band) != nil || Calibration(flat, nil) != nil {
		t.Error("figures of nothing")
	}
}
