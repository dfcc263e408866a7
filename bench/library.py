"""library.py - one library that is measured."""

import dataclasses


@dataclasses.dataclass
class Library:
    name: str
    what: str
    packages: list  # Debian's source packages
    prepare: object  # (sources, work): its C files and flags
    seed: object  # a valid file


def write(path, text):
    """Only if it is another text: a time that stays the same builds nothing again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
