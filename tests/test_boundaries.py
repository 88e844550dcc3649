"""Which file may import what, read from the source: the arrows of the design, and a checker that is checked itself."""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = ("app.py", "model", "viz", "tests")
NEVER = (
    "pickle",
    "cPickle",
    "cloudpickle",
    "dill",
    "joblib",
    "plotly.express",
    "pandas",
    "torch.load",
    "torch.jit.load",
)
"""Imported, or called, by nobody."""
COMMANDS = ("model/evaluate.py", "model/train.py")
"""Of model/, what measures with experiments, or calls what does, instead of being what they measure."""


@dataclass(frozen=True, kw_only=True)
class Module:
    path: str
    """From the root, with forward slashes."""
    name: str
    """As one imports it."""
    imports: frozenset[str]
    """Dotted names: `from a import b` is a.b, whether b is a module or not."""
    mentions: frozenset[str]
    """Attributes as written (st.session_state) and names that getattr is asked for (*.session_state)."""


def dotted(node: ast.expr) -> str:
    """a.b.c of an attribute; what is not a name becomes *."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "*"


def constant(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def read(root: Path, file: Path) -> Module:
    path = file.relative_to(root)
    parts = path.with_suffix("").parts
    package = parts[:-1]
    name = ".".join(package if parts[-1] == "__init__" else parts)
    imports, mentions = set(), set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), filename=str(file))):
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            imports |= {f"{base}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute):
            mentions.add(dotted(node))
        elif isinstance(node, ast.Call):
            called = dotted(node.func).rpartition(".")[2]
            if called in ("import_module", "__import__") and node.args and (target := constant(node.args[0])):
                imports.add(target)
            elif (
                called in ("getattr", "hasattr", "setattr")
                and len(node.args) > 1
                and (wanted := constant(node.args[1]))
            ):
                mentions.add(f"*.{wanted}")
    return Module(path=path.as_posix(), name=name, imports=frozenset(imports), mentions=frozenset(mentions))


def modules(root: Path) -> list[Module]:
    """Every Python file of the project that is there already."""
    files = [
        file for place in PLACES for file in ([root / place] if place.endswith(".py") else (root / place).rglob("*.py"))
    ]
    return [read(root, file) for file in sorted(files) if file.is_file()]


def within(name: str, *tops: str) -> bool:
    return any(name == top or name.startswith(f"{top}.") for top in tops)


def reached(start: Module, by_name: dict[str, Module]) -> Iterator[tuple[str, str]]:
    """All names that importing a module imports, by way of which files of the project: (name, "a.py, b.py")."""
    waiting, seen = [(start, "")], {start.name}
    while waiting:
        module, way = waiting.pop()
        yield from ((name, way) for name in sorted(module.imports))
        for name in sorted(module.imports | {module.name}):
            parts = name.split(".")
            for n in range(1, len(parts) + 1):  # a.b.c also runs a/__init__.py and a/b/__init__.py
                following = by_name.get(".".join(parts[:n]))
                if following and following.name not in seen:
                    seen.add(following.name)
                    waiting.append((following, f"{way}, {following.path}" if way else f" through {following.path}"))


def violations(root: Path) -> list[str]:
    """A sentence for each arrow that points the wrong way."""
    found = modules(root)
    by_name = {module.name: module for module in found}
    problems: list[str] = []

    def forbid(where: Callable[[str], bool], what: Callable[[str], bool], *, far: bool = False) -> None:
        """No file `where` imports `what`; `far`: nor through other files of the project."""
        for module in found:
            if where(module.path):
                names = reached(module, by_name) if far else ((name, "") for name in module.imports)
                problems.extend(f"{module.path} imports {name}{way}" for name, way in names if what(name))

    def only(owner: str, attribute: Callable[[str], bool]) -> None:
        """Nobody but `owner` mentions an attribute of Streamlit (tests may: they look from outside)."""
        for module in found:
            if module.path != owner and not module.path.startswith("tests/"):
                mentioned = [name for name in module.mentions if attribute(name.rpartition(".")[2])]
                mentioned += [
                    name for name in module.imports if within(name, "streamlit") and attribute(name.rpartition(".")[2])
                ]
                problems.extend(f"{module.path} uses {name}; only {owner} may" for name in mentioned)

    forbid(
        lambda path: path.startswith("model/"), lambda name: within(name, "streamlit", "plotly", "viz", "app"), far=True
    )
    forbid(lambda path: path in ("model/config.py", "model/records.py"), lambda name: within(name, "torch"), far=True)
    forbid(
        lambda path: path.startswith("model/") and not path.startswith(("model/experiments/", *COMMANDS)),
        lambda name: within(name, "model.experiments"),
        far=True,
    )
    forbid(
        lambda path: path.startswith("viz/figures/"),
        lambda name: (
            within(name, "torch", "streamlit") or (within(name, "model") and not within(name, "model.records"))
        ),
        far=True,
    )
    forbid(
        lambda path: path != "viz/models.py" and not path.startswith(("model/", "tests/")),
        lambda name: within(name, "model.translate") or name == "model.*",
    )
    forbid(lambda path: not path.startswith("tests/"), lambda name: within(name, "transformers", "tests"))
    forbid(lambda path: True, lambda name: within(name, *NEVER))
    only("viz/state.py", lambda attribute: attribute in ("session_state", "query_params"))
    only("viz/models.py", lambda attribute: attribute in ("cache_data", "cache_resource"))
    for module in found:
        if not module.path.startswith("tests/"):
            problems.extend(f"{module.path} calls {name}" for name in module.mentions if within(name, "torch.load"))
    return sorted(problems)


def test_every_arrow_points_the_right_way() -> None:
    assert violations(ROOT) == []


def test_no_name_of_the_models_stands_for_two_things() -> None:
    """Classes and functions; each command has a `main`."""
    found: dict[str, set[str]] = {}
    for file in sorted((ROOT / "model").rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name != "main":
                found.setdefault(node.name, set()).add(file.name)
    assert len(found) > 200
    assert {name: files for name, files in found.items() if len(files) > 1} == {}


def test_the_project_is_looked_at() -> None:
    """An empty list of files would make every rule true."""
    paths = {module.path for module in modules(ROOT)}
    assert {"model/config.py", "model/records.py", "model/translate.py", "tests/test_boundaries.py"} <= paths
    translate = next(module for module in modules(ROOT) if module.path == "model/translate.py")
    assert {"torch", "model.records.Translation", "model.checkpoint.load_checkpoint"} <= translate.imports


def test_settings_and_records_load_without_torch() -> None:
    """The same, seen from outside: what Python has loaded after importing them."""
    code = (
        "import sys, model.config, model.records\n"
        "print([m for m in ('torch', 'tokenizers', 'streamlit', 'plotly', 'viz') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert result.stdout == "[]\n"


GOOD = {
    "app.py": "import streamlit as st\nfrom viz.i18n import t\nst.title(t('x'))\n",
    "model/__init__.py": "",
    "model/config.py": "import dataclasses\n",
    "model/records.py": "import numpy as np\n",
    "model/translate.py": "import torch\nfrom model.records import Translation\nfrom . import config\n",
    "model/experiments/__init__.py": "",
    "model/experiments/depth.py": "from model.translate import Translation\n",
    "model/evaluate.py": "from model.experiments.depth import one\n",
    "viz/__init__.py": "",
    "viz/theme.py": "import plotly.graph_objects as go\n",
    "viz/i18n.py": "import json\n",
    "viz/models.py": "import streamlit as st\nfrom model.translate import load\n@st.cache_resource\ndef f(): ...\n",
    "viz/state.py": "import streamlit as st\nst.session_state['a'] = st.query_params\n",
    "viz/figures/__init__.py": "from .heat import heat\n",
    "viz/figures/heat.py": "from model import records\nfrom model.records import Token\nfrom ..theme import go\n",
    "viz/pages/one.py": "import streamlit as st\nfrom viz import models, state\n",
    "tests/test_one.py": "import transformers\nfrom model.translate import load\nat.session_state['a'] = 1\n",
}


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def test_a_good_tree_passes_whole_or_in_part(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    assert violations(tmp_path) == []
    assert len(modules(tmp_path)) == len(GOOD)
    for name in ("viz/models.py", "viz/theme.py", "app.py", "viz/figures/__init__.py"):
        (tmp_path / name).unlink()
        assert violations(tmp_path) == []


ST = "import streamlit as st\n"
ONE, LINES = "viz/pages/one.py", "viz/figures/lines.py"


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("model/attention.py", "import streamlit\n", "model/attention.py imports streamlit"),
        ("model/attention.py", "import plotly.io as io\n", "model/attention.py imports plotly.io"),
        ("model/attention.py", "def f():\n    from viz import theme\n", "model/attention.py imports viz.theme"),
        ("model/attention.py", "from viz.theme import go\n", "model/attention.py imports viz.theme.go"),
        ("model/attention.py", "from ..viz import theme\n", "model/attention.py imports viz.theme"),
        ("model/config.py", "import torch.nn as nn\n", "model/config.py imports torch.nn"),
        ("model/config.py", "from torch import nn\n", "model/config.py imports torch.nn"),
        ("model/records.py", "import model.translate\n", "model/records.py imports torch through model/translate.py"),
        ("model/search.py", "from model.experiments import depth\n", "model/search.py imports model.experiments.depth"),
        ("model/data.py", "from .experiments.depth import x\n", "model/data.py imports model.experiments.depth"),
        ("model/card.py", "import model.evaluate\n", "model/card.py imports model.experiments.depth.one through"),
        ("model/__init__.py", "import torch\n", "model/records.py imports torch through model/__init__.py"),
        (LINES, "import torch\n", "viz/figures/lines.py imports torch"),
        (LINES, ST, "viz/figures/lines.py imports streamlit"),
        (LINES, "import model\n", "viz/figures/lines.py imports model"),
        (LINES, "from model.config import X\n", "viz/figures/lines.py imports model.config.X"),
        (LINES, "from model import records, config\n", "viz/figures/lines.py imports model.config"),
        ("viz/theme.py", "import streamlit\n", "viz/figures/heat.py imports streamlit through viz/theme.py"),
        (LINES, "from viz.state import x\n", "viz/figures/lines.py imports streamlit through viz/state.py"),
        (ONE, "from model.translate import load\n", "viz/pages/one.py imports model.translate.load"),
        (ONE, "import model.translate as m\n", "viz/pages/one.py imports model.translate"),
        ("viz/analysis.py", "from model import translate\n", "viz/analysis.py imports model.translate"),
        ("app.py", "import importlib\nimportlib.import_module('model.translate')\n", "app.py imports model.translate"),
        (ONE, ST + "st.session_state.x = 1\n", "viz/pages/one.py uses st.session_state"),
        (ONE, "import streamlit\nstreamlit.query_params['a']\n", "viz/pages/one.py uses streamlit.query_params"),
        (ONE, "from streamlit import session_state as s\n", "viz/pages/one.py uses streamlit.session_state"),
        ("app.py", ST + "getattr(st, 'session_state')\n", "app.py uses *.session_state"),
        ("viz/models.py", ST + "st.session_state\n", "viz/models.py uses st.session_state"),
        ("viz/state.py", ST + "@st.cache_data\ndef f(): ...\n", "viz/state.py uses st.cache_data"),
        ("viz/i18n.py", "from streamlit import cache_resource\n", "viz/i18n.py uses streamlit.cache_resource"),
        ("app.py", ST + "@st.cache_data(ttl=1)\ndef f(): ...\n", "app.py uses st.cache_data"),
        ("model/attention.py", "import transformers\n", "model/attention.py imports transformers"),
        ("viz/analysis.py", "from tests import oracle\n", "viz/analysis.py imports tests.oracle"),
        ("model/checkpoint.py", "import pickle\n", "model/checkpoint.py imports pickle"),
        ("model/checkpoint.py", "import torch\ntorch.load('x')\n", "model/checkpoint.py calls torch.load"),
        ("model/checkpoint.py", "from torch import load\n", "model/checkpoint.py imports torch.load"),
        ("tests/test_two.py", "from pickle import loads\n", "tests/test_two.py imports pickle.loads"),
        ("viz/theme.py", "import plotly.express as px\n", "viz/theme.py imports plotly.express"),
        ("viz/theme.py", "from plotly import express\n", "viz/theme.py imports plotly.express"),
        ("viz/analysis.py", "import pandas as pd\n", "viz/analysis.py imports pandas"),
        ("viz/analysis.py", "x = __import__('pandas')\n", "viz/analysis.py imports pandas"),
    ],
)  # fmt: skip
def test_a_wrong_arrow_is_named(tmp_path: Path, path: str, text: str, said: str) -> None:
    write(tmp_path, GOOD | {path: text})
    assert any(problem.startswith(said) for problem in violations(tmp_path)), violations(tmp_path)


def test_names_that_only_look_alike_pass(tmp_path: Path) -> None:
    """viz.translate is not model.translate, and a page may have a cache of its own."""
    write(
        tmp_path,
        GOOD | {"viz/translate.py": "", "viz/pages/two.py": "from viz.translate import x\nself.cache_size = 1\n"},
    )
    write(tmp_path, {"viz/torchlike.py": "", "viz/figures/lines.py": "import viz.torchlike, plotly.graph_objects\n"})
    assert violations(tmp_path) == []
