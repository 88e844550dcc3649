"""No picture: what turning scenes needs of the browser, the top of the page and keys that work from a slider too."""

from collections.abc import Mapping

from viz.components import declare

_mount = declare("shortcut_keys", js="shortcut_keys.js")


def shortcut_keys(scene: str, keys: Mapping[str, str], *, key: str) -> None:
    """`keys` says by the name of a key which button it presses, by the button's own key."""
    _mount(key=key, data={"scene": scene, "keys": dict(keys)})
