"""Prints the words that an object has in the section cfuzz_strings, one a line."""
import subprocess
import sys
import tempfile

with tempfile.NamedTemporaryFile() as f:
    subprocess.run(["objcopy", "-O", "binary", "--only-section=cfuzz_strings",
                    "--set-section-flags", "cfuzz_strings=alloc", sys.argv[1], f.name], check=True)
    data = f.read()
while data:
    n, data = data[0], data[1:]
    if n:
        print(repr(data[:n].decode("latin-1")))
        data = data[n:]
