// This file opens reports in a browser: at the width of a desk and of a telephone nothing may overflow or overlap, and the browser may have
// nothing to complain of.

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// onlooker is a page that opens the report in frames of several widths, unfolds it, measures, and shows what it found. It is another page
// since the report itself runs no scripts.
const onlooker = `<!DOCTYPE html><title>onlooker</title><pre id="found">unfinished</pre><script>
const found = [], widths = [1280, 390];
function look(w, doc, win) {
  for (const d of doc.querySelectorAll("details")) d.open = true;
  const root = doc.documentElement;
  const say = (what) => found.push(w + " px: " + what);
  if (win.innerWidth !== w) say("the frame is " + win.innerWidth + " wide");
  if (root.scrollWidth > win.innerWidth) say("the page is " + root.scrollWidth + " wide");
  for (const e of doc.querySelectorAll("h1, h2, h3, p, dd, dt, summary, figcaption, svg, .wide, pre")) {
    if (e.closest(".broad .wide")) continue;
    const r = e.getBoundingClientRect();
    if (r.right > w + 1 || r.left < -1) say(e.tagName + " reaches from " + r.left + " to " + r.right + ": " + e.textContent.slice(0, 40));
  }
  for (const svg of doc.querySelectorAll("svg")) {
    const s = svg.getBoundingClientRect(), name = svg.getAttribute("aria-label") + ": ";
    const texts = [...svg.querySelectorAll("text")].map(e => [e.textContent, e.getBoundingClientRect()]);
    texts.forEach(([a, r], i) => {
      if (r.left < s.left - 1 || r.right > s.right + 1 || r.top < s.top - 2 || r.bottom > s.bottom + 2) say(name + "the text " + a + " is outside");
      for (const [b, q] of texts.slice(i + 1))
        if (r.left < q.right - 1 && q.left < r.right - 1 && r.top < q.bottom - 4 && q.top < r.bottom - 4) say(name + "the texts " + a + " and " + b + " overlap");
    });
  }
  if (!doc.querySelector("h1")) say("no report");
  const shade = win.getComputedStyle(doc.querySelector(".verdict")).borderLeftStyle;
  if (shade !== "solid") say("the style is not in force");
}
let left = widths.length;
for (const w of widths) {
  const f = document.createElement("iframe");
  f.style = "border:0;width:" + w + "px;height:4000px";
  f.onload = () => {
    look(w, f.contentDocument, f.contentWindow);
    if (--left === 0) document.getElementById("found").textContent = JSON.stringify(found);
  };
  f.src = "/report.html";
  document.body.append(f);
}
</script>`

// browser finds Chromium, or skips the test.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium on the PATH: on Debian, apt-get install chromium")
	return ""
}

var (
	shownFound = regexp.MustCompile(`(?s)<pre id="found">(.*?)</pre>`)
	complaint  = regexp.MustCompile(`CONSOLE[^"]*"(.*)", source`)
)

// openInBrowser returns what is wrong with a page, and what the browser says of it.
func openInBrowser(t *testing.T, chromium, page string) []string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, onlooker)
		case "/report.html":
			fmt.Fprint(w, page)
		default:
			w.Header().Set("Content-Type", "image/svg+xml") // the icon that browsers ask for
		}
	}))
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--enable-logging=stderr", "--user-data-dir="+t.TempDir(), "--window-size=1700,4500",
		"--virtual-time-budget=20000", "--dump-dom", server.URL+"/")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Run(); err != nil {
		t.Skipf("%s does not run here (%v): %.300s", chromium, err, errs.String())
	}
	shown := shownFound.FindStringSubmatch(out.String())
	if shown == nil {
		t.Fatalf("the onlooker shows nothing: %.500s", out.String())
	}
	var found []string
	if err := json.Unmarshal([]byte(html.UnescapeString(shown[1])), &found); err != nil {
		t.Fatalf("the onlooker shows %q", shown[1])
	}
	for _, m := range complaint.FindAllStringSubmatch(errs.String(), -1) {
		found = append(found, "the browser says: "+m[1])
	}
	return found
}

func TestReportInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium := browser(t)
	names := []string{"sigma2", "w.1", "w.2", "k", "b", "still", "tau2.1", "a_very_long_name_of_a_scalar_that_some_other_program_has_written.1.1.1"}
	for _, spec := range []string{"lasso", "dpmm", "lda", "rats"} {
		dir := t.TempDir()
		writeReportRun(t, dir, "../../specs/"+spec+".gm", names, 4, 500)
		page := reportOf(t, reportCmd{Dir: dir, Most: 100})
		for _, f := range openInBrowser(t, chromium, page) {
			t.Errorf("%s: %s", spec, f)
		}
		if spec != "lasso" {
			continue
		}
		for old, plant := range map[string][2]string{
			"<h2>Figures</h2>": {`<h2 style="color:red">Figures</h2>`, "the browser says"},
			"<main>":           {`<main><img src="http://127.0.0.1:9/x.png">`, "the browser says"},
			"<dl>":             {`<dl><dd>` + strings.Repeat("w", 400) + `</dd>`, "390 px"},
			">kept draw<":      {`>` + strings.Repeat("kept draw", 20) + `<`, "is outside"},
			"</style>":         {"x</style>", "the style is not in force"},
		} {
			broken := strings.Replace(page, old, plant[0], 1)
			if old == "<dl>" {
				broken = strings.Replace(broken, "overflow-wrap:anywhere", "overflow-wrap:normal  ", 1)
				broken = rehash(t, broken)
			}
			if broken == page {
				t.Errorf("no %s in the page", old)
			}
			if found := strings.Join(openInBrowser(t, chromium, broken), "\n"); !strings.Contains(found, plant[1]) {
				t.Errorf("%s for %s is not found: %s", plant[0], old, found)
			}
		}
	}
}

// rehash lets a page's policy allow its style as it is now.
func rehash(t *testing.T, page string) string {
	t.Helper()
	_, css, _ := strings.Cut(page, "<style>")
	css, _, _ = strings.Cut(css, "</style>")
	sum := sha256.Sum256([]byte(css))
	return regexp.MustCompile(`sha256-[^&']*(&#43;[^&']*)*`).ReplaceAllString(page, "sha256-"+base64.StdEncoding.EncodeToString(sum[:]))
}
