"""No picture: a page as a sequence of builds, each of which fills the screen of a room; the browser divides it."""

from collections.abc import Mapping

from viz.components import declare

_mount = declare("stage", html="stage.html", css=["stage.css"], js="stage.js")


def stage(scene: str, build: int, keys: Mapping[str, str], *, key: str) -> int:
    """`scene` names what is open, `build` where it begins, counted from 0; `keys` are the classes of the buttons that
    go to the "next" and to the "previous" scene. Returns the build that is shown."""
    data = {"scene": scene, "build": build, "keys": dict(keys)}
    shown = _mount(key=key, data=data, on_build_change=lambda: None).get("build")
    return shown if isinstance(shown, int) and shown >= 0 else build
