// This file is laid over package internal/fuzz of the installed Go by run.sh, so
// that it can call Go's own reader and writer of corpus files. It compares them
// with cfuzz's: see run.sh for who writes and who reads which file.
//
// All files are sequences of records, each a byte string behind its length in 4
// bytes, little endian.
package fuzz

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const perType = 10000

// The types, numbered as in cfuzz's enum cfz_kind.
const (
	kBytes = iota + 1
	kString
	kBool
	kInt8
	kInt16
	kInt32
	kInt64
	kInt
	kUint8
	kUint16
	kUint32
	kUint64
	kUint
	kFloat32
	kFloat64
	kEnd
)

func path(t *testing.T, name string) string {
	dir := os.Getenv("CFUZZ_ORACLE_DIR")
	if dir == "" {
		t.Skip("CFUZZ_ORACLE_DIR is not set")
	}
	return filepath.Join(dir, name)
}

func readRecords(t *testing.T, name string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	var recs [][]byte
	for len(data) > 0 {
		n := binary.LittleEndian.Uint32(data)
		recs = append(recs, data[4:4+n])
		data = data[4+n:]
	}
	return recs
}

func writeRecord(w io.Writer, data []byte) {
	var n [4]byte
	binary.LittleEndian.PutUint32(n[:], uint32(len(data)))
	w.Write(n[:])
	w.Write(data)
}

// build makes the value of a kind from its bits or bytes.
func build(kind byte, payload []byte) any {
	if kind == kBytes {
		return append([]byte{}, payload...)
	}
	if kind == kString {
		return string(payload)
	}
	b := binary.LittleEndian.Uint64(payload)
	switch kind {
	case kBool:
		return b != 0
	case kInt8:
		return int8(b)
	case kInt16:
		return int16(b)
	case kInt32:
		return int32(b)
	case kInt64:
		return int64(b)
	case kInt:
		return int(b)
	case kUint8:
		return uint8(b)
	case kUint16:
		return uint16(b)
	case kUint32:
		return uint32(b)
	case kUint64:
		return b
	case kUint:
		return uint(b)
	case kFloat32:
		return math.Float32frombits(uint32(b))
	case kFloat64:
		return math.Float64frombits(b)
	}
	panic("no such kind")
}

// flatten is the reverse: kind and payload.
func flatten(v any) []byte {
	word := func(kind byte, b uint64) []byte {
		return binary.LittleEndian.AppendUint64([]byte{kind}, b)
	}
	switch v := v.(type) {
	case []byte:
		return append([]byte{kBytes}, v...)
	case string:
		return append([]byte{kString}, v...)
	case bool:
		if v {
			return word(kBool, 1)
		}
		return word(kBool, 0)
	case int8:
		return word(kInt8, uint64(v))
	case int16:
		return word(kInt16, uint64(v))
	case int32:
		return word(kInt32, uint64(v))
	case int64:
		return word(kInt64, uint64(v))
	case int:
		return word(kInt, uint64(v))
	case uint8:
		return word(kUint8, uint64(v))
	case uint16:
		return word(kUint16, uint64(v))
	case uint32:
		return word(kUint32, uint64(v))
	case uint64:
		return word(kUint64, v)
	case uint:
		return word(kUint, uint64(v))
	case float32:
		return word(kFloat32, uint64(math.Float32bits(v)))
	case float64:
		return word(kFloat64, math.Float64bits(v))
	}
	panic(fmt.Sprintf("no such type: %T", v))
}

func randomText(r *rand.Rand) []byte {
	var b []byte
	for n := r.Intn(24); n > 0; n-- {
		switch r.Intn(4) {
		case 0:
			b = append(b, byte(r.Intn(128)))
		case 1:
			b = append(b, byte(r.Intn(256)))
		case 2:
			b = utf8.AppendRune(b, rune(r.Intn(0x3000)))
		default:
			b = utf8.AppendRune(b, rune(r.Intn(0x110000)))
		}
	}
	return b
}

// randomPayload favours what is near the edges of each type.
func randomPayload(kind byte, r *rand.Rand) []byte {
	var b uint64
	switch {
	case kind == kBytes || kind == kString:
		return randomText(r)
	case kind == kBool:
		b = uint64(r.Intn(2))
	case kind == kFloat64 && r.Intn(2) == 0: // decimals of a few digits, their neighbours
		f := float64(r.Intn(100000000)) * math.Pow(10, float64(r.Intn(40)-20))
		b = math.Float64bits(f) + uint64(r.Intn(3)) - 1
	case kind == kFloat32 && r.Intn(2) == 0:
		f := float32(r.Intn(1000000)) * float32(math.Pow(10, float64(r.Intn(20)-10)))
		b = uint64(math.Float32bits(f) + uint32(r.Intn(3)) - 1)
	default:
		b = r.Uint64() >> r.Intn(64)
		if r.Intn(2) == 0 {
			b = -b
		}
	}
	return binary.LittleEndian.AppendUint64(nil, b)
}

// TestCfuzzWrite writes for each value its flat form and its corpus file.
func TestCfuzzWrite(t *testing.T) {
	f, err := os.Create(path(t, "go-values"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	r := rand.New(rand.NewSource(1))
	for kind := byte(1); kind < kEnd; kind++ {
		for i := 0; i < perType; i++ {
			v := build(kind, randomPayload(kind, r))
			writeRecord(w, flatten(v))
			writeRecord(w, marshalCorpusFile(v))
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestCfuzzRead reads the values and files of cfuzz: each file means the value, and
// is what Go writes.
func TestCfuzzRead(t *testing.T) {
	recs := readRecords(t, "cfuzz-values")
	count := make([]int, kEnd)
	for i := 0; i+1 < len(recs); i += 2 {
		flat, file := recs[i], recs[i+1]
		want := build(flat[0], flat[1:])
		if got := marshalCorpusFile(want); !bytes.Equal(got, file) {
			t.Errorf("%T: Go writes %q, cfuzz %q", want, got, file)
		}
		vals, err := unmarshalCorpusFile(file)
		if err != nil || len(vals) != 1 {
			t.Errorf("%q: %v, %v", file, vals, err)
		} else if got := flatten(vals[0]); !bytes.Equal(got, flatten(want)) {
			t.Errorf("%q: read as %x, want %x", file, got, flatten(want))
		}
		count[flat[0]]++
	}
	for kind := 1; kind < kEnd; kind++ {
		if count[kind] < perType {
			t.Errorf("only %d values of kind %d", count[kind], kind)
		}
	}
	t.Logf("%d values", len(recs)/2)
}

// TestCfuzzAgree compares verdicts on texts, most of them not quite right: what one
// accepts the other accepts, and means the same by it; what Go refuses is refused,
// for a reason without a column in the same words.
func TestCfuzzAgree(t *testing.T) {
	recs := readRecords(t, "cfuzz-verdicts")
	accepted, refused := 0, 0
	for i := 0; i+1 < len(recs); i += 2 {
		file, verdict := recs[i], string(recs[i+1])
		vals, err := unmarshalCorpusFile(file)
		var want string
		switch {
		case err != nil:
			want = "bad " + err.Error()
			refused++
		case len(vals) == 0:
			want = "ok "
		default:
			want = "ok " + string(marshalCorpusFile(vals...))
			accepted++
		}
		// Which of several errors is the first may differ in what nobody writes.
		if outer := strings.Index(want, ": (test):1:"); outer >= 0 && strings.HasPrefix(verdict, want[:outer+2]) {
			continue
		}
		if want != verdict {
			t.Errorf("%q:\n     Go: %s\n  cfuzz: %s", file, want, verdict)
		}
	}
	if accepted == 0 || refused == 0 {
		t.Errorf("%d accepted, %d refused: the texts test nothing", accepted, refused)
	}
	t.Logf("%d accepted, %d refused", accepted, refused)
}
