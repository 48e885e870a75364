package main

import (
	"encoding/json"
	"os"

	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m00"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m01"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m02"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m03"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m04"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m05"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m06"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m07"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m08"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m09"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m10"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m11"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m12"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m13"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m14"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m15"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m16"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m17"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m18"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m19"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m20"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m21"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m22"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m23"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m24"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m25"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m26"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m27"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m28"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m29"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m30"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m31"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m32"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m33"
	"github.com/gibbsgen/gibbsgen/codegen/testdata/run711755063/m34"
)

var doors = map[string]func([]byte, uint64) []byte{
	"m00": m00.Door,
	"m01": m01.Door,
	"m02": m02.Door,
	"m03": m03.Door,
	"m04": m04.Door,
	"m05": m05.Door,
	"m06": m06.Door,
	"m07": m07.Door,
	"m08": m08.Door,
	"m09": m09.Door,
	"m10": m10.Door,
	"m11": m11.Door,
	"m12": m12.Door,
	"m13": m13.Door,
	"m14": m14.Door,
	"m15": m15.Door,
	"m16": m16.Door,
	"m17": m17.Door,
	"m18": m18.Door,
	"m19": m19.Door,
	"m20": m20.Door,
	"m21": m21.Door,
	"m22": m22.Door,
	"m23": m23.Door,
	"m24": m24.Door,
	"m25": m25.Door,
	"m26": m26.Door,
	"m27": m27.Door,
	"m28": m28.Door,
	"m29": m29.Door,
	"m30": m30.Door,
	"m31": m31.Door,
	"m32": m32.Door,
	"m33": m33.Door,
	"m34": m34.Door,
}

func main() {
	var in map[string][]json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		panic(err)
	}
	out := map[string][]json.RawMessage{}
	for pkg, door := range doors {
		for _, data := range in[pkg] {
			out[pkg] = append(out[pkg], door(data, 11))
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}
