"""What a page has drawn, as a test without a browser sees it."""

import base64
import json
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest


def charts(app: AppTest) -> list[dict[str, Any]]:
    """Every Plotly figure, as the browser gets it."""
    return [json.loads(element.proto.spec) for element in app.get("plotly_chart")]


def numbers(coded: Any) -> np.ndarray:
    """An array of a figure, which Plotly writes as bytes or, where it was a list, as it is."""
    if isinstance(coded, list):
        return np.array(coded)
    flat = np.frombuffer(base64.b64decode(coded["bdata"]), coded["dtype"])
    return flat.reshape([int(n) for n in coded["shape"].split(",")]) if "shape" in coded else flat
