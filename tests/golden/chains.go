// Makes testdata/chains.jsonl: chains of certificates, and what Go's crypto/x509 says of each.
//
//	go run tests/golden/chains.go > testdata/chains.jsonl
//
// The first line holds every certificate. Each further one holds the chain as a server would send it and the node's trust, by
// their places in the first line, with the host, the time and the verdict: "ok" or the kind of Go's error. Keys are made anew,
// so that the certificates differ from run to run; the verdicts do not.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"strings"
	"time"
)

type pair struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

type row struct {
	Name    string `json:"name"`
	Host    string `json:"host"`
	At      string `json:"at"`
	Chain   []int  `json:"chain"`
	Trust   []int  `json:"trust"`
	Verdict string `json:"verdict"`
}

var (
	begin  = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	end    = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	now    = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	serial = int64(1)
	keys   = map[string]*ecdsa.PrivateKey{}
	rows   []row
	all    []string
	places = map[string]int{}
)

// place of a certificate among all.
func place(c *x509.Certificate) int {
	text := base64.StdEncoding.EncodeToString(c.Raw)
	if _, known := places[text]; !known {
		places[text] = len(all)
		all = append(all, text)
	}
	return places[text]
}

func key(name string) *ecdsa.PrivateKey {
	if keys[name] == nil {
		keys[name], _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	return keys[name]
}

// certificate signs what change makes of the usual one. Without a parent it signs itself.
func certificate(name, keyName string, parent *pair, change func(*x509.Certificate)) *pair {
	serial++
	t := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name}, NotBefore: begin, NotAfter: end, BasicConstraintsValid: true}
	change(t)
	own := key(keyName)
	by, with := t, own
	if parent != nil {
		by, with = parent.cert, parent.key
	}
	der, err := x509.CreateCertificate(rand.Reader, t, by, &own.PublicKey, with)
	if err != nil {
		panic(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return &pair{parsed, own}
}

func ca(t *x509.Certificate)    { t.IsCA = true; t.KeyUsage = x509.KeyUsageCertSign }
func plain(t *x509.Certificate) {}

func leafFor(names ...string) func(*x509.Certificate) {
	return func(t *x509.Certificate) {
		t.DNSNames = names
		t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	}
}

func and(changes ...func(*x509.Certificate)) func(*x509.Certificate) {
	return func(t *x509.Certificate) {
		for _, c := range changes {
			c(t)
		}
	}
}

func dates(from, to time.Time) func(*x509.Certificate) {
	return func(t *x509.Certificate) { t.NotBefore, t.NotAfter = from, to }
}

func kind(err error) string {
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var unknown x509.UnknownAuthorityError
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &host):
		return "hostname"
	case errors.As(err, &unknown):
		return "unknown-authority"
	case errors.As(err, &invalid):
		switch invalid.Reason {
		case x509.Expired:
			return "expired"
		case x509.NotAuthorizedToSign:
			return "not-authorized-to-sign"
		case x509.CANotAuthorizedForThisName:
			return "name-constraint"
		case x509.TooManyIntermediates:
			return "too-many-intermediates"
		case x509.IncompatibleUsage:
			return "incompatible-usage"
		case x509.NameMismatch:
			return "name-mismatch"
		}
		return fmt.Sprintf("invalid-%d", invalid.Reason)
	}
	return "other"
}

func emit(name, host string, at time.Time, chain, trust []*pair) {
	roots, pool := x509.NewCertPool(), x509.NewCertPool()
	r := row{Name: name, Host: host, At: at.Format(time.RFC3339), Chain: []int{}, Trust: []int{}}
	for _, p := range trust {
		roots.AddCert(p.cert)
		r.Trust = append(r.Trust, place(p.cert))
	}
	for i, p := range chain {
		if i > 0 {
			pool.AddCert(p.cert)
		}
		r.Chain = append(r.Chain, place(p.cert))
	}
	_, err := chain[0].cert.Verify(x509.VerifyOptions{DNSName: host, Roots: roots, Intermediates: pool, CurrentTime: at})
	r.Verdict = kind(err)
	rows = append(rows, r)
}

func write(value any) {
	line, _ := json.Marshal(value)
	os.Stdout.Write(append(line, '\n'))
}

func main() {
	const host = "registry.corp.example"
	root := certificate("Root R1", "r1", nil, ca)
	other := certificate("Root R2", "r2", nil, ca)
	issuing := certificate("Issuing 1", "i1", root, ca)
	deeper := certificate("Issuing 2", "i2", issuing, ca)
	leaf := certificate(host, "l", issuing, leafFor(host))
	deep := certificate(host, "l", deeper, leafFor(host))
	direct := certificate(host, "l", root, leafFor(host))

	// What comes along, in which order, and what is trusted.
	orders := []struct {
		name  string
		chain []*pair
	}{
		{"direct", []*pair{direct}}, {"direct with root", []*pair{direct, root}},
		{"one intermediate", []*pair{leaf, issuing}}, {"intermediate missing", []*pair{leaf}},
		{"with root", []*pair{leaf, issuing, root}}, {"root before intermediate", []*pair{leaf, root, issuing}},
		{"two intermediates", []*pair{deep, deeper, issuing}}, {"two in the wrong order", []*pair{deep, issuing, deeper}},
		{"upper missing", []*pair{deep, deeper}}, {"lower missing", []*pair{deep, issuing}},
		{"two with root", []*pair{deep, deeper, issuing, root}}, {"a stranger between", []*pair{leaf, other, issuing}},
		{"intermediate twice", []*pair{leaf, issuing, issuing}}, {"leaf twice", []*pair{leaf, leaf, issuing}},
	}
	stores := []struct {
		name  string
		trust []*pair
	}{
		{"root", []*pair{root}}, {"both roots", []*pair{other, root}}, {"another root", []*pair{other}}, {"none", nil},
		{"intermediate", []*pair{issuing}}, {"intermediate and another root", []*pair{issuing, other}},
	}
	for _, o := range orders {
		for _, s := range stores {
			emit(o.name+"; trusted: "+s.name, host, now, o.chain, s.trust)
		}
	}

	// Names.
	for _, n := range []struct {
		host  string
		names []string
	}{
		{host, []string{host}}, {host, []string{"other.corp.example"}}, {host, []string{"*.corp.example"}}, {"a.b.corp.example", []string{"*.corp.example"}},
		{"corp.example", []string{"*.corp.example"}}, {host, []string{"*.example"}}, {host, []string{"registry.*.example"}}, {host, []string{"r*.corp.example"}},
		{"REGISTRY.corp.example", []string{host}}, {host, []string{"REGISTRY.CORP.EXAMPLE"}}, {host, []string{"a.example", "b.example", host}}, {host, []string{"corp.example"}},
		{host, []string{"*"}}, {host, []string{"*." + host}}, {"registry", []string{"registry"}}, {"x.registry.corp.example", []string{host}}, {host, nil},
	} {
		l := certificate(host, "l", root, leafFor(n.names...))
		emit(fmt.Sprintf("names %s for %s", strings.Join(n.names, ","), n.host), n.host, now, []*pair{l}, []*pair{root})
		emit(fmt.Sprintf("names %s for %s; not trusted", strings.Join(n.names, ","), n.host), n.host, now, []*pair{l}, []*pair{other})
	}

	// Times, of each certificate on the way.
	early, late := begin.AddDate(-2, 0, 0), end.AddDate(2, 0, 0)
	spans := []struct {
		name     string
		from, to time.Time
	}{
		{"valid", early, late}, {"over", early, begin.AddDate(0, 1, 0)}, {"to come", begin.AddDate(0, 11, 0), late},
	}
	for _, a := range spans {
		r := certificate("Root R3", "r3", nil, and(ca, dates(a.from, a.to)))
		for _, b := range spans {
			i := certificate("Issuing 3", "i3", r, and(ca, dates(b.from, b.to)))
			for _, c := range spans {
				l := certificate(host, "l", i, and(leafFor(host), dates(c.from, c.to)))
				emit(fmt.Sprintf("root %s, intermediate %s, leaf %s", a.name, b.name, c.name), host, now, []*pair{l, i}, []*pair{r})
			}
		}
	}
	for _, at := range []time.Time{begin.AddDate(0, 0, -1), begin, begin.Add(time.Second), end, end.Add(time.Second), end.AddDate(0, 0, 1)} {
		emit("at "+at.Format(time.RFC3339), host, at, []*pair{direct}, []*pair{root})
	}

	// Constraints of names on the intermediate and on the root.
	for _, allowed := range []string{"corp.example", ".corp.example", "lab.example", "registry.corp.example", "other.corp.example", "example", "p.example"} {
		permit := func(t *x509.Certificate) {
			t.PermittedDNSDomains = []string{allowed}
			t.PermittedDNSDomainsCritical = true
		}
		i := certificate("Issuing 4", "i4", root, and(ca, permit))
		l := certificate(host, "l", i, leafFor(host))
		emit("intermediate may sign below "+allowed, host, now, []*pair{l, i}, []*pair{root})
		r := certificate("Root R4", "r4", nil, and(ca, permit))
		j := certificate("Issuing 5", "i5", r, ca)
		m := certificate(host, "l", j, leafFor(host))
		emit("root may sign below "+allowed, host, now, []*pair{m, j}, []*pair{r})
		emit("root may sign below "+allowed+", and is sent", host, now, []*pair{m, j, r}, []*pair{r})
		two := certificate(host, "l", i, leafFor(host, "registry.lab.example"))
		emit("intermediate may sign below "+allowed+", leaf for two names", host, now, []*pair{two, i}, []*pair{root})
	}

	// Usages, and who may sign.
	usages := []struct {
		name string
		list []x509.ExtKeyUsage
	}{
		{"none", nil}, {"server", []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, {"client", []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}},
		{"both", []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}}, {"any", []x509.ExtKeyUsage{x509.ExtKeyUsageAny}},
		{"code signing", []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning}},
	}
	for _, u := range usages {
		use := func(t *x509.Certificate) { t.ExtKeyUsage = u.list }
		l := certificate(host, "l", root, and(leafFor(host), use))
		emit("leaf's usages: "+u.name, host, now, []*pair{l}, []*pair{root})
		i := certificate("Issuing 6", "i6", root, and(ca, use))
		m := certificate(host, "l", i, leafFor(host))
		emit("intermediate's usages: "+u.name, host, now, []*pair{m, i}, []*pair{root})
	}
	signers := []struct {
		name   string
		change func(*x509.Certificate)
	}{
		{"an authority", ca}, {"no authority", plain}, {"without constraints", func(t *x509.Certificate) { t.BasicConstraintsValid = false }},
		{"an authority without the right to sign", func(t *x509.Certificate) { t.IsCA = true; t.KeyUsage = x509.KeyUsageDigitalSignature }},
		{"an authority that names no usage", func(t *x509.Certificate) { t.IsCA = true }},
		{"an authority over leaves alone", func(t *x509.Certificate) { ca(t); t.MaxPathLen = 0; t.MaxPathLenZero = true }},
	}
	for _, s := range signers {
		i := certificate("Issuing 7", "i7", root, s.change)
		l := certificate(host, "l", i, leafFor(host))
		emit("signed by "+s.name, host, now, []*pair{l, i}, []*pair{root})
		j := certificate("Issuing 8", "i8", i, ca)
		m := certificate(host, "l", j, leafFor(host))
		emit("signed below "+s.name, host, now, []*pair{m, j, i}, []*pair{root})
		r := certificate("Root R7", "r7", nil, s.change)
		n := certificate(host, "l", r, leafFor(host))
		emit("signed by a root that is "+s.name, host, now, []*pair{n}, []*pair{r})
	}

	// Self-signed certificates.
	own := certificate(host, "own", nil, leafFor(host))
	emit("self-signed", host, now, []*pair{own}, []*pair{root})
	emit("self-signed and trusted", host, now, []*pair{own}, []*pair{own})
	emit("self-signed, trusted, of another name", "other.corp.example", now, []*pair{own}, []*pair{own})
	emit("self-signed and trusted, over", host, end.AddDate(1, 0, 0), []*pair{own}, []*pair{own})
	ownAuthority := certificate(host, "own2", nil, and(ca, leafFor(host)))
	emit("self-signed authority", host, now, []*pair{ownAuthority}, []*pair{root})
	emit("self-signed authority and trusted", host, now, []*pair{ownAuthority}, []*pair{ownAuthority})
	emit("leaf itself is trusted", host, now, []*pair{leaf}, []*pair{leaf})
	emit("leaf itself is trusted, beside its intermediate", host, now, []*pair{leaf, issuing}, []*pair{leaf})

	// Two certificates of one authority: cross-signed, made anew with the same key, made anew with another.
	cross := certificate("Root R1", "r1", other, ca)
	emit("cross-signed, new root trusted", host, now, []*pair{leaf, issuing, cross}, []*pair{other})
	emit("cross-signed, old root trusted", host, now, []*pair{leaf, issuing, cross}, []*pair{root})
	emit("cross-signed, neither trusted", host, now, []*pair{leaf, issuing, cross}, nil)
	emit("cross-signed, link not sent", host, now, []*pair{leaf, issuing}, []*pair{other})
	crossIssuing := certificate("Issuing 1", "i1", other, ca)
	for _, s := range stores {
		emit("both certificates of the intermediate, own first; trusted: "+s.name, host, now, []*pair{leaf, issuing, crossIssuing}, s.trust)
		emit("both certificates of the intermediate, cross first; trusted: "+s.name, host, now, []*pair{leaf, crossIssuing, issuing}, s.trust)
	}
	oldRoot := certificate("Root R1", "r1", nil, and(ca, dates(early, begin)))
	emit("root made anew with its key, old one trusted", host, now, []*pair{leaf, issuing}, []*pair{oldRoot})
	emit("root made anew with its key, both trusted", host, now, []*pair{leaf, issuing}, []*pair{oldRoot, root})
	newKey := certificate("Root R1", "r1b", nil, ca)
	emit("root of the name with another key", host, now, []*pair{leaf, issuing}, []*pair{newKey})
	emit("root of the name with another key, both trusted", host, now, []*pair{leaf, issuing}, []*pair{newKey, root})
	otherIssuing := certificate("Issuing 1", "i1b", root, ca)
	emit("intermediate of the name with another key", host, now, []*pair{leaf, otherIssuing}, []*pair{root})
	emit("both intermediates of the name", host, now, []*pair{leaf, otherIssuing, issuing}, []*pair{root})
	overIssuing := certificate("Issuing 1", "i1", root, and(ca, dates(early, begin)))
	emit("intermediate over, its successor sent too", host, now, []*pair{leaf, overIssuing, issuing}, []*pair{root})
	emit("intermediate over, its successor trusted", host, now, []*pair{leaf, overIssuing}, []*pair{issuing})

	// How it is signed.
	rsaKey, _ := rsa.GenerateKey(rand.Reader, 1024)
	for _, algorithm := range []x509.SignatureAlgorithm{x509.SHA256WithRSA, x509.SHA1WithRSA, x509.SHA512WithRSA} {
		serial++
		t := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "Root RSA"}, NotBefore: begin, NotAfter: end, BasicConstraintsValid: true, IsCA: true, KeyUsage: x509.KeyUsageCertSign, SignatureAlgorithm: algorithm}
		der, _ := x509.CreateCertificate(rand.Reader, t, t, &rsaKey.PublicKey, rsaKey)
		r, _ := x509.ParseCertificate(der)
		serial++
		l := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: host}, NotBefore: begin, NotAfter: end, DNSNames: []string{host}, SignatureAlgorithm: algorithm}
		der, err := x509.CreateCertificate(rand.Reader, l, r, &key("l").PublicKey, rsaKey)
		if err != nil {
			continue
		}
		parsed, _ := x509.ParseCertificate(der)
		emit("signed with "+algorithm.String(), host, now, []*pair{{cert: parsed}}, []*pair{{cert: r}})
	}
	write(map[string]any{"certificates": all})
	for _, r := range rows {
		write(r)
	}
}
