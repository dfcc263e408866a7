#!/usr/bin/env python3
"""run.py - types command lines into bash and zsh, presses Tab, and looks at what became of them.

    run.py [--build DIR]

Each shell runs on a terminal of its own, in a directory with two packages. Status: 0 passed, 1 failed,
77 where neither shell is there.
"""
import argparse
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMIT = 60  # seconds until a shell that says nothing is given up
PROMPT = "ready> "

# What is typed before Tab, and the words that are there afterwards; or, as a set, what a second Tab
# lists.
CASES = [
    ("cfuzz-test -fuzz=FuzzA", ["-fuzz=FuzzAlpha"]),
    ("cfuzz-test -fuzz FuzzA", ["-fuzz", "FuzzAlpha"]),
    ("cfuzz-test --fuzz=FuzzA", ["--fuzz=FuzzAlpha"]),
    ("cfuzz-test -run=FuzzAlpha/1", ["-run=FuzzAlpha/1f0c6c5b2a3d4e5f"]),
    ("cfuzz-test -run FuzzAlpha/own", ["-run", "FuzzAlpha/own seed"]),
    ("cfuzz-test sub -fuzz=Fuzz", ["sub", "-fuzz=FuzzBelow"]),
    ("cfuzz-test -debug=FuzzAlpha/2", ["-debug=FuzzAlpha/2a"]),
    ("cfuzz-test show FuzzAlpha/2", ["show", "FuzzAlpha/2a"]),
    ("cfuzz-test sh", ["show"]),
    ("cfuzz-test rep", ["report"]),
    ("cfuzz-test corpus im", ["corpus", "import"]),
    ("cfuzz-test corpus list FuzzB", ["corpus", "list", "FuzzB"]),
    ("cfuzz-test corpus list FuzzO", ["corpus", "list", "FuzzOther"]),
    ("cfuzz-test -keepf", ["-keepfuzzing"]),
    ("cfuzz-test -dicto", ["-dictout="]),
    ("cfuzz-test -dict=wo", ["-dict=words.dict"]),
    ("cfuzz-test -shuffle=of", ["-shuffle=off"]),
    ("cfuzz-test -sanitizers=no", ["-sanitizers=none"]),
    ("cfuzz-test -corpus=su", ["-corpus=sub/"]),
    ("cfuzz-test cle", ["clean"]),
    ("cfuzz-test help patt", ["help", "patterns"]),
    ("cfuzz-test su", ["sub/"]),
    ("cfuzz-test -v alp", ["-v", "alpha.test"]),
    ("cfuzz-test -nosuch=", ["-nosuch="]),
    ("cfuzz-test -run=Fuzz", {"FuzzAlpha", "FuzzHeader", "FuzzLatin", "FuzzOther"}),
    ("cfuzz-test -fuzzt", ["-fuzztime="]),
    ("cfuzz-test -fuzzm", {"-fuzzmaxlen", "-fuzzminimizetime"}),
]

START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; . {dir}/completion.bash"),
    "zsh": (["zsh", "-f", "-i"],
            "unsetopt prompt_cr prompt_sp; zstyle ':completion:*' list-colors; LISTMAX=1000; "
            "fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D"),
}


class Shell:
    def __init__(self, name, work, build):
        argv, setup = START[name]
        env = {"PATH": f"{build}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": work, "TERM": "dumb",
               "LC_ALL": "C", "PS1": PROMPT, "CFUZZCACHE": f"{work}/cache"}
        functions = os.path.join(work, "functions")
        os.makedirs(functions, exist_ok=True)
        package = os.path.join(SOURCE, "cmake", "package")
        shutil.copy(f"{package}/completion.zsh", f"{functions}/_cfuzz-test")
        master, slave = pty.openpty()
        self.fd = master
        self.process = subprocess.Popen(argv, stdin=slave, stdout=slave, stderr=slave, env=env,
                                        cwd=f"{work}/here", start_new_session=True)
        os.close(slave)
        self.send(f"PS1='{PROMPT}'; {setup.format(dir=package, functions=functions)}\n")
        self.send("stty columns 200; echo be''gin\n")
        self.until(r"begin\r?\n")

    def send(self, text):
        os.write(self.fd, text.encode())

    def until(self, pattern):
        text, end = "", time.monotonic() + LIMIT
        while not re.search(pattern, text):
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError(f"no {pattern!r} in {text!r}")
            text += os.read(self.fd, 65536).decode("utf-8", "replace")
        return text

    def words(self, line):
        """The words that the shell reads after Tab. Ctrl-A and a command in front show them."""
        self.send(line + "\t" + "\x01" + "printf '<%s>' \x05" + "; echo; echo do''ne\n")
        text = self.until(r"done\r?\n")
        found = re.findall(r"^(?:.*> )?<cfuzz-test>((?:<.*>)*)\r?$", text, re.M)
        return re.findall(r"<(.*?)>", found[-1]) if found else text

    def listed(self, line):
        """What a second Tab lists."""
        self.send(line + "\t\t" + "\x01" + ": \x05" + "\necho do''ne\n")
        return self.until(r"done\r?\n")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.fd)


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def make_packages(work):
    here = f"{work}/here"
    put(f"{here}/a.c", "FUZZ_TEST(FuzzAlpha, int)(cfuzz_t *t, int n) {}\n"
                       "  FUZZ_TEST( FuzzOther , int)(cfuzz_t *t, int n) {}\n")
    put(f"{here}/b.h", "FUZZ_TEST_VALUES(FuzzHeader, int)(int n) {}\n")
    put(f"{here}/c.cc", "FUZZ_TEST(FuzzLatin, int)(cfuzz_t *t, int n) {}\n")
    put(f"{here}/sub/d.c", "FUZZ_TEST(FuzzBelow, int)(cfuzz_t *t, int n) {}\n")
    put(f"{here}/words.dict", '"word"\n')
    put(f"{here}/alpha.test", "")
    os.chmod(f"{here}/alpha.test", 0o755)
    for seed in ("1f0c6c5b2a3d4e5f", "own seed", "2a"):
        put(f"{here}/testdata/corpus/FuzzAlpha/{seed}", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(SOURCE, "build"))
    args = parser.parse_args()
    failed = ran = 0
    for name in START:
        if not shutil.which(name):
            print(f"{name}: skipped, it is not installed")
            continue
        with tempfile.TemporaryDirectory(prefix="cfuzz-completion-") as work:
            make_packages(work)
            shell = Shell(name, work, os.path.abspath(args.build))
            for line, want in CASES:
                ran += 1
                if isinstance(want, set):
                    text = shell.listed(line)
                    wrong = [w for w in sorted(want) if not re.search(rf"{w}(?!\w)", text)]
                    got = text
                else:
                    got = shell.words(line)
                    # zsh takes the slash of a directory back where a blank follows.
                    wrong = got != want and not (name == "zsh" and [f"{w}/" for w in got] == want)
                if wrong:
                    failed += 1
                    print(f"{name}: {line}<Tab>\n    want {want}\n    got  {got!r}")
            shell.close()
    print(f"{ran} lines, {failed} failed")
    return 1 if failed else 0 if ran else 77


if __name__ == "__main__":
    sys.exit(main())
