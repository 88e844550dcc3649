"""Modules become one script that does what they do, and what the bundler does not know is refused by a sentence."""

import importlib
import json
import re
import subprocess
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from viz.components import FILES, bundle
from viz.components.bundle import bundled, squeeze

COMPONENTS = Path(bundle.__file__).parent
MODULES = sorted(COMPONENTS.rglob("*.js"))
NODE = compute_driver_executable()[0]
MARKUP = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function")


def value(entry: Path) -> object:
    """What the default export of a bundled module returns."""
    script = f"console.log(JSON.stringify(({bundled(entry)})()))"
    return json.loads(subprocess.run([NODE, "-e", script], capture_output=True, text=True, check=True).stdout)


def written(folder: Path, **modules: str) -> Path:
    """The module `main` among others; an underscore in a name is a folder."""
    for name, text in modules.items():
        path = folder / f"{name.replace('_', '/')}.js"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "main.js"


def test_every_form_of_import_and_export_means_what_it_says(tmp_path: Path) -> None:
    main = written(
        tmp_path,
        main='import { one, two as deux } from "./a/b.js";\nimport {\n  Three,\n  four,\n} from "./a/c.js";\n\n'
        "const private_ = 5;\n"
        "export default function main() {\n  return [one, deux(), new Three().value, four.name, private_];\n}\n",
        a_b="export const one = 1;\nexport function two() {\n  return private_ * one;\n}\nconst private_ = 2;\n",
        a_c='import { one } from "./b.js";\nexport class Three {\n  value = one + 2;\n}\n'
        "export async function four() {}\n",
    )
    assert value(main) == [1, 2, 3, "four", 5]


def test_a_module_runs_once_however_often_it_is_imported(tmp_path: Path) -> None:
    use = 'import { list } from "./list.js";\n'
    main = written(
        tmp_path,
        list="export const list = [];\n",
        a=f"{use}export const a = list.push(1);\n",
        b=f"{use}export const b = list.push(2);\n",
        main=f'{use}import {{ b }} from "./b.js";\nimport {{ a }} from "./a.js";\n'
        "export default function main() {\n  return [list, a, b];\n}\n",
    )
    assert value(main) == [[2, 1], 2, 1]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('import other from "./other.js";', "does not know this form"),
        ('import * as other from "./other.js";', "does not know this form"),
        ('import "./other.js";', "does not know this form"),
        ('import { a } from "other";', "does not know this form"),
        ('const other = () => import("./other.js");', "does not know this form"),
        ("export let changing = 1;", "does not know this form"),
        ("export { main };", "does not know this form"),
        ('export * from "./other.js";', "does not know this form"),
        ('import { b } from "./other.js";', "does not export: b"),
        ('import { b } from "./nobody.js";', "is not there"),
        ('import { circle } from "./circle.js";', "in a circle: main.js > circle.js > main.js"),
        ('import { a } from "./whole.js";', "only a whole script"),
        ("const text = `two\nlines`;", "must end on its line"),
        ("export default function second() {}", "one `export default function name`"),
    ],
)
def test_what_the_bundler_does_not_know_is_refused(tmp_path: Path, line: str, complaint: str) -> None:
    main = written(
        tmp_path,
        main=f"{line}\nexport default function main() {{}}\n",
        other="export const a = 1;\n",
        circle='import { x } from "./main.js";\nexport const circle = 1;\n',
        whole="export const a = 1;\nexport default function whole() {}\n",
    )
    with pytest.raises(AssertionError, match=re.escape(complaint)):
        bundled(main)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("// one\n  // two\ncode(); // three\n", "code();\n"),
        ("/** a\n * b */\nfunction f() {\n\n  return 1;\n}\n", "function f() {\nreturn 1;\n}\n"),
        ("const a = /** @type {any} */ (b);\n", "const a = (b);\n"),
        ('const a = "http://x"; // y\n', 'const a = "http://x";\n'),
        ('const a = " // no"; // yes\n', 'const a = " // no";\n'),
        ("const a = ` // ${no} `;\n", "const a = ` // ${no} `;\n"),
        ("const a = b / c; // d / e\n", "const a = b / c;\n"),
        ('a.replace(/[&<>"]/g, b); // "stays"\n', 'a.replace(/[&<>"]/g, b); // "stays"\n'),
    ],
)
def test_comments_are_left_out_and_texts_are_not(source: str, expected: str) -> None:
    assert squeeze(source) == expected


def test_every_script_of_ours_is_whole_and_small() -> None:
    for path in COMPONENTS.glob("*/__init__.py"):
        importlib.import_module(f"viz.components.{path.parent.name}")
    assert len(FILES) == len(list(COMPONENTS.glob("*/__init__.py")))
    for name, files in FILES.items():
        for script in filter(None, (files.js, files.script)):
            checked = subprocess.run(
                [NODE, "--check", "--input-type=module", "-"],
                input=f"export default {script};", text=True, capture_output=True, check=False,
            )  # fmt: skip
            assert checked.returncode == 0, f"{name}: {checked.stderr}"
            assert "\n//" not in script
            assert "@param" not in script
    # With every sentence: those of the first page.
    assert len(FILES["attention_grid"].js) + len(FILES["token_strip"].js) < 72_000


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_module_is_short_typed_and_writes_no_markup(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 400
    assert max(map(len, lines)) <= 120
    assert lines[0] == "// @ts-check"
    assert lines[1].startswith("// "), "a module says what it is about"
    assert not MARKUP.search("\n".join(lines))


@pytest.mark.parametrize("folder", sorted({path.parent for path in MODULES}), ids=lambda folder: folder.name)
def test_a_component_knows_each_exported_name_for_one_thing(folder: Path) -> None:
    paths = {*folder.glob("*.js"), *(COMPONENTS / "shared").glob("*.js")}
    names = [name for path in paths for name in bundle.EXPORT.findall(path.read_text(encoding="utf-8"))]
    assert sorted(names) == sorted(set(names))
