"""ES modules on disk as one script: Streamlit takes a component's script as text, and a saved page holds it as text.

Only what our modules use is understood: `import { a, b as c } from "./x.js"` and `export` before a function, a constant
or a class at the beginning of a line, and one `export default function name` in the module that is asked for. Each
module keeps its names to itself. Comments and indentation are left out, since a script travels with every message.
"""

import re
from functools import cache
from pathlib import Path

IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"\n]*)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*?|const|class) (\w+)[ (])", re.MULTILINE)
DEFAULT = re.compile(r"^export default (?=(?:async )?function (\w+)\()", re.MULTILINE)

COMMENTS = re.compile(r"^[ \t]*(?://.*|/\*[\s\S]*?\*/[ \t]*)\n|/\*\* @.*?\*/ ?", re.MULTILINE)
"""Comments in lines of their own, and types within a line."""
REMARK = re.compile(
    r"""^((?:[^"'`/\n]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\\n])*`|/(?!/))*?)[ \t]+// .*$""",
    re.MULTILINE,
)
"""A comment after code. Where quotes in a regular expression confuse this, the comment stays."""


@cache
def bundled(entry: Path) -> str:
    """An expression whose value is the default export of the module `entry`."""
    modules: dict[Path, str] = {}
    exports: dict[Path, set[str]] = {}
    body = _add(entry.resolve(), modules, exports, ())
    found = DEFAULT.findall(body)
    assert len(found) == 1, f"{entry}: a script has one `export default function name`"
    parts = [f"const {_name(modules, path)} = (() => {{\n{text}}})();\n" for path, text in modules.items()]
    return f'(() => {{\n"use strict";\n{"".join(parts)}{DEFAULT.sub("", body)}return {found[0]};\n}})()'


def _add(path: Path, modules: dict[Path, str], exports: dict[Path, set[str]], above: tuple[Path, ...]) -> str:
    """The text of a module without its imports, after all that it imports has been put into `modules`."""
    assert path not in above, f"modules import each other in a circle: {' > '.join(p.name for p in (*above, path))}"
    source = squeeze(path.read_text(encoding="utf-8"), path.name)
    heads = []
    for names, target in IMPORT.findall(source):
        other = (path.parent / target).resolve()
        assert other.is_file(), f"{path.name} imports {target}, which is not there"
        if other not in modules:
            text = _add(other, modules, exports, (*above, path))
            assert not DEFAULT.search(text), f"{other.name} has a default export, but only a whole script may have one"
            exports[other] = set(EXPORT.findall(text))
            modules[other] = f"{EXPORT.sub('', text)}return {{ {', '.join(sorted(exports[other]))} }};\n"
        pairs = [re.split(r"\s+as\s+", each.strip()) for each in names.split(",") if each.strip()]
        missing = {pair[0] for pair in pairs} - exports[other]
        assert not missing, f"{path.name} imports from {target} what it does not export: {', '.join(sorted(missing))}"
        heads.append(f"const {{ {', '.join(': '.join(pair) for pair in pairs)} }} = {_name(modules, other)};\n")
    rest = IMPORT.sub("", source)
    strange = re.search(r"^(?:import|export)\b.*|\bimport\(.*", DEFAULT.sub("", EXPORT.sub("", rest)), re.MULTILINE)
    assert not strange, f"{path.name}: the bundler does not know this form: {strange and strange[0]}"
    return "".join(heads) + rest


def _name(modules: dict[Path, str], path: Path) -> str:
    return f"module{list(modules).index(path)}"


def squeeze(source: str, name: str = "a script") -> str:
    """A script without comments in lines of their own, remarks at the ends of lines, indentation and empty lines."""
    for line in source.splitlines():
        assert line.replace("\\`", "").count("`") % 2 == 0, f"{name}: a template literal must end on its line: {line}"
    bare = REMARK.sub(r"\1", COMMENTS.sub("", source))
    return "".join(f"{line.strip()}\n" for line in bare.splitlines() if line.strip())
