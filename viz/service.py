"""Between the pages and the models: loaded once, asked in turn, remembered within bounds.

The only place with st.cache_* and the only importer of model.translate.
"""

import gc
import os
import threading
from pathlib import Path

import streamlit as st
import torch

from model.trace import Translation
from model.translate import Translator, load

CHECKPOINTS = Path(os.environ.get("REGARD_CHECKPOINTS", Path(__file__).parent.parent / "checkpoints"))
ONE_AT_A_TIME = threading.Semaphore(1)
"""Thirty visitors at once wait in a line; without it they all get slow together."""


@st.cache_resource(show_spinner=False)
def translator(name: str = "en-fr/transformer") -> Translator:
    """The shared model. ValueError says what is wrong with its files."""
    torch.set_num_threads(1)  # one sentence gains nothing from a second thread, and other visitors need it
    return load(CHECKPOINTS / name)


@st.cache_resource(show_spinner=False)
def settle(part: str) -> None:
    """Tell Python, the first time only, that what `part` of the app has loaded by now is never garbage.

    Streamlit searches all objects for garbage after every run, half of a run's time with PyTorch and Plotly loaded.
    """
    gc.collect()
    gc.freeze()


@st.cache_resource(show_spinner=False, max_entries=64)
def _translate(fingerprint: str, text: str, target: str | None, beam: int) -> Translation:
    with ONE_AT_A_TIME:
        translation = translator().translate(text, target=target, beam=beam)
    for weights in (translation.encoder, translation.decoder, translation.cross, translation.log_probs):
        weights.setflags(write=False)  # every visitor who types this sentence gets the same arrays
    return translation


def translate(text: str, *, target: str | None = None, beam: int = 1) -> Translation:
    """A translation with its weights. ValueError says what is wrong with the text or the checkpoint."""
    return _translate(translator().checkpoint.fingerprint, text, target, beam)
