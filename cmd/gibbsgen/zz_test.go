package main
import ("testing";"os";"fmt";"path/filepath"
"github.com/gibbsgen/gibbsgen/dsl"
"github.com/gibbsgen/gibbsgen/ir"
"github.com/gibbsgen/gibbsgen/conjugacy"
)
func TestZ(t *testing.T){
fs:=[]string{os.Getenv("SPEC")}
var g []string; _ = filepath.Base
 for _,f:=range append(fs,g...){
  b,_:=os.ReadFile(f)
  file,ds:=dsl.Parse(f,string(b))
  ds.Format(os.Stdout,file)
  m,ds:=ir.Check(file)
  ds.Format(os.Stdout,file)
  if ds.HasErrors(){continue}
  a,ds:=conjugacy.Analyze(m)
  ds.Format(os.Stdout,file)
  if a==nil{continue}
  conjugacy.WriteText(os.Stdout,a,conjugacy.Explain(a))
  for _,c:=range a.Conds { for _,l:=range conjugacy.Derivation(c,a){fmt.Println("//",l)}}
 }
}
