"""What the files of a checkpoint were when it was made: SHA256SUMS, which `sha256sum -c` reads too."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from model.errors import UserError
from model.files import read_bytes

SUMS = "SHA256SUMS"
MOST = 2**16
"""Bytes that the file of checksums may have."""


def checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_checksums(folder: Path, names: Iterable[str]) -> None:
    """Note what the files are now."""
    lines = [f"{checksum((folder / name).read_bytes())}  {name}\n" for name in names]
    (folder / SUMS).write_bytes("".join(lines).encode())


def check_sums(folder: Path, contents: Mapping[str, bytes]) -> None:
    """UserError names the files whose contents are not those that were noted; without a note nothing is known."""
    if not (folder / SUMS).exists():
        return
    text = read_bytes(folder / SUMS, MOST).decode("utf-8", "replace")
    noted = {name: sum for sum, name in re.findall(r"^([0-9a-f]{64}) [ *](.+?)\r?$", text, re.MULTILINE)}
    if missing := [name for name in contents if name not in noted]:
        raise UserError("checksums_lack", name=SUMS, folder=folder, names=", ".join(missing))
    if changed := [name for name, content in contents.items() if checksum(content) != noted[name]]:
        raise UserError("not_as_made", folder=folder, names=", ".join(changed), sums=SUMS)
