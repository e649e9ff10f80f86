// Makes testdata/references.jsonl: image references, and how distribution's reference package reads them.
//
//	GO111MODULE=off GOPATH=... go run tests/golden/references.go > testdata/references.jsonl
//
// The package is github.com/docker/distribution/reference, with which kubelet, containerd and Docker read references. Versions
// before 2.8 know neither IPv6 hosts nor a first part with capitals: those rows are written by the grammar of the later ones.
package main

import (
	_ "crypto/sha256"
	_ "crypto/sha512"
	"encoding/json"
	"os"
	"strings"

	"github.com/docker/distribution/reference"
)

type row struct {
	Text   string `json:"text"`
	Error  string `json:"error,omitempty"`
	Host   string `json:"host,omitempty"`
	Path   string `json:"path,omitempty"`
	Tag    string `json:"tag,omitempty"`
	Digest string `json:"digest,omitempty"`
}

func main() {
	sha := "sha256:" + strings.Repeat("0d", 32)
	hex := strings.Repeat("ab", 32)
	texts := []string{
		"busybox", "busybox:1", "library/busybox", "docker.io/busybox", "index.docker.io/library/busybox:1", "docker.io/library/busybox@" + sha,
		"registry.corp.example/app", "registry.corp.example/app:1.2.3", "registry.corp.example/team/app", "registry.corp.example/a/b/c/d/e:x",
		"registry.corp.example:5000/app:1", "registry.corp.example:443/app", "registry.corp.example:/app", "registry.corp.example:port/app",
		"localhost/app", "localhost:5000/app", "registry/app", "registry:5000/app", "team/app:1", "team/sub/app",
		"10.40.8.10/app", "10.40.8.10:5000/app:1", "[fd00::10]/app", "[fd00::10]:5000/app:1", "[2001:db8::1]:443/team/app@" + sha, "[fd00::10", "fd00::10/app",
		"Registry/app", "REGISTRY.corp.example/app", "Registry.corp.example:5000/app", "App", "registry.corp.example/App", "registry.corp.example/team/App:1", "LOCALHOST/app",
		hex, hex + ":1", "registry.corp.example/" + hex, "team/" + hex, "docker.io/" + hex,
		"app@" + sha, "app:1@" + sha, "registry.corp.example:5000/app:1@" + sha, "app@sha256:0d", "app@md5:" + strings.Repeat("0d", 16), "app@sha512:" + strings.Repeat("0d", 64),
		"app@" + sha + ":1", "app@", "app:@" + sha, "app:", ":1", "", "/app", "app/", "registry.corp.example/", "registry.corp.example//app",
		"my_app", "my__app", "my___app", "_app", "app_", "my-app", "my--app", "-app", "app-", "my.app", "my..app", "app.", "my._app", "team_a/app", "team-a.b_c__d/app",
		"registry_corp.example/app", "reg_istry/app", "registry-.corp.example/app", "-registry.corp.example/app", "registry..example/app", ".example/app",
		"app:V1.0_x-y", "app:.1", "app:-1", "app:_1", "app:1 2", "app:" + strings.Repeat("a", 128), "app:" + strings.Repeat("a", 129), "app:1:2", "app:1/2",
		"https://registry.corp.example/app", "docker://registry.corp.example/app", " registry.corp.example/app", "registry.corp.example/app ", "registry.corp.example/ap p",
		"registry.corp.example/" + strings.Repeat("a", 200), "registry.corp.example/" + strings.Repeat("a", 256),
		strings.Repeat("a", 200), strings.Repeat("a", 256), "registry.corp.example/app:${TAG}", "${REGISTRY}/app", "registry.corp.example/<team>/app", "registry.corp.example/app:latest",
		"registry.corp.example/app#1", "registry.corp.example/äpp", "xn--mnchen-3ya.example/app", "registry.corp.example.:5000/app", "a.b/c", "a:1/c", "gcr.io/k8s-staging/kube-proxy-amd64:v1.33.0-alpha.1_5",
	}
	later := map[string]row{
		"[fd00::10]/app":                    {Host: "[fd00::10]", Path: "app", Tag: "latest"},
		"[fd00::10]:5000/app:1":             {Host: "[fd00::10]:5000", Path: "app", Tag: "1"},
		"[2001:db8::1]:443/team/app@" + sha: {Host: "[2001:db8::1]:443", Path: "team/app", Digest: sha},
		"Registry/app":                      {Host: "Registry", Path: "app", Tag: "latest"},
		"LOCALHOST/app":                     {Host: "LOCALHOST", Path: "app", Tag: "latest"},
	}
	for _, text := range texts {
		if r, known := later[text]; known {
			r.Text = text
			line, _ := json.Marshal(r)
			os.Stdout.Write(append(line, '\n'))
			continue
		}
		r := row{Text: text}
		named, err := reference.ParseNormalizedNamed(text)
		if err != nil {
			r.Error = err.Error()
		} else {
			named = reference.TagNameOnly(named)
			r.Host, r.Path = reference.Domain(named), reference.Path(named)
			if t, ok := named.(reference.Tagged); ok {
				r.Tag = t.Tag()
			}
			if d, ok := named.(reference.Digested); ok {
				r.Digest = d.Digest().String()
			}
		}
		line, _ := json.Marshal(r)
		os.Stdout.Write(append(line, '\n'))
	}
}
