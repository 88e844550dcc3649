"""How numbers of any size are written."""

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scientific(value: float) -> str:
    """A number that is not negative, to two digits: with a power of ten where it is small or large."""
    if value == 0:
        return "0"
    if 1e-3 <= value < 10:
        return f"{value:#.2g}".rstrip(".")
    if 10 <= value < 1e4:
        return f"{value:,.0f}"
    digits, power = f"{value:.1e}".split("e")
    return f"{digits}\u00a0×\u00a010{str(int(power)).translate(SUPERSCRIPTS)}"
