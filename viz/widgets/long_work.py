"""Long work beside the page: begun, watched and stopped. Its result waits until the page takes it."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from viz.escape import escape
from viz.i18n import t
from viz.jobs import Job
from viz.state import Memory, Space

SPACE = Space("long work", __file__, page="")
JOB: Memory[Job[Any] | None] = SPACE.memory("job", lambda: None)
STOP = SPACE.key("stop")


def begin(name: str, work: Callable[[Callable[[float], None]], object]) -> None:
    """Begin long work, in place of the one of this name that may be going on."""
    stop(name)
    JOB.at(name).set(Job(work))


def running(name: str) -> Job[Any] | None:
    """The work of this name, going on or ended, until it is forgotten."""
    return JOB.at(name).get()


def stop(name: str) -> None:
    if job := running(name):
        job.stop()


def forget(name: str) -> None:
    JOB.at(name).forget()


def finished(name: str, doing: str) -> Any:
    """What the work has brought, once; while it is going on, how far it is, and None. It can be stopped."""
    job = running(name)
    if job is None:
        return None
    if job.running:
        _watch(name, doing)
        return None
    forget(name)
    if job.error:
        st.error(escape(str(job.error)))
    return job.result


@st.fragment(run_every=0.5)
def _watch(name: str, doing: str) -> None:
    job = running(name)
    if job is None or not job.running:
        st.rerun()
    job.seen()
    st.progress(job.share, doing)
    st.button(t("parts.stop"), key=STOP.at(name), on_click=job.stop)
