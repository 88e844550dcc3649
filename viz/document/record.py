"""What a page shows, in its order, noted while it is drawn; nothing is copied or encoded before somebody asks."""

from collections.abc import Iterator
from contextlib import contextmanager

from viz.document.blocks import Block, Canvas, Chart


class Group:
    """Blocks, and groups of blocks, in their order."""

    def __init__(self) -> None:
        self.items: list[Block | Group] = []
        self.places: dict[str, int] = {}
        """Where those are that can be drawn again, by their key."""

    def blocks(self) -> Iterator[Block]:
        for item in list(self.items):
            if isinstance(item, Group):
                yield from item.blocks()
            else:
                yield item


class Record:
    """The blocks of a page. A part of it that is drawn again alone takes its own old place."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._root = self._group = Group()
        self._parts: dict[str, Group] = {}

    @contextmanager
    def part(self, name: str) -> Iterator[bool]:
        """What is noted within belongs together: it takes the place of all that was noted there before. Yields whether
        the part is drawn alone, without what is around it."""
        outside = self._group
        group = self._parts.get(name)
        alone = group is not None and outside is self._root
        if group is None or not alone:
            group = self._parts[name] = Group()
            outside.items.append(group)
        else:
            group.items, group.places = [], {}
        self._group = group
        try:
            yield alone
        finally:
            self._group = outside

    def note(self, block: Block, key: str = "") -> None:
        """Add a block; one with the same key as before, of the part that is being drawn or of the whole page, replaces
        the earlier one in its place, for a canvas may be mounted anew."""
        for group in (self._group, *self._parts.values()) if key else ():
            if key in group.places:
                group.items[group.places[key]] = block
                return
        if key:
            self._group.places[key] = len(self._group.items)
        self._group.items.append(block)

    def blocks(self) -> list[Block]:
        return list(self._root.blocks())

    def has_pictures(self) -> bool:
        return any(isinstance(block, Chart | Canvas) for block in self.blocks())
