"""Files that anybody may have made: only what is a file is read, and never more of it than was allowed."""

import json
import stat
from pathlib import Path
from typing import Any

from model.errors import UserError


def read_bytes(path: Path, most: int) -> bytes:
    """What is in a file of at most `most` bytes. UserError when it is longer, or no file: a pipe would keep a reader
    waiting, a device never ends. OSError when it cannot be opened."""
    if size_of(path) > most:
        raise UserError("file_large", name=path.name, folder=path.parent, most=most)
    return beginning(path, most)


def size_of(path: Path) -> int:
    """Bytes of a file. UserError when it is none."""
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise UserError("file_not_plain", name=path.name, folder=path.parent)
    return about.st_size


def beginning(path: Path, count: int) -> bytes:
    """The first `count` bytes of a file, or as many as it has. UserError when it is none."""
    size = size_of(path)
    with path.open("rb") as file:
        return file.read(min(count, size))  # room is made for as many as are asked for


def read_json(path: Path, most: int) -> dict[str, Any]:
    """The JSON object in a file of at most `most` bytes. UserError when it is something else."""
    return json_object(read_bytes(path, most), path)


def json_object(content: bytes, path: Path) -> dict[str, Any]:
    """The JSON object that the bytes of `path` are. UserError when they are something else."""
    try:
        value = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise UserError("not_json", name=path.name, folder=path.parent, reason=error) from error
    if not isinstance(value, dict):
        raise UserError("not_object", name=path.name, folder=path.parent)
    return value
