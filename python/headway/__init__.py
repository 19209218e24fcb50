# SPDX-License-Identifier: Apache-2.0
"""Headway simulates lossless interconnection networks.

Keywords, names and units are those of a spec file (docs/keys.md) and of results (docs/metrics.md).
docs/python.md is a tour.
"""

from headway import _headway
from headway.errors import InvariantError, Mistake, MissingPackage, SpecError
from headway.files import File, graph, messages, operations
from headway.pages import view
from headway.papers import Claim, Figure, Reproduction, paper, papers
from headway.reference import Metric, explain, list, metrics
from headway.remedies import Change, Remedies, Step, remedies, what_if
from headway.results import Result, Table
from headway.running import export, run, saturation, sweep
from headway.spec import Spec
from headway.sweeps import Point, Sweep, load

__version__: str = _headway.version

__all__ = [
    "Change",
    "Claim",
    "Figure",
    "File",
    "InvariantError",
    "Metric",
    "MissingPackage",
    "Mistake",
    "Point",
    "Remedies",
    "Reproduction",
    "Result",
    "Spec",
    "SpecError",
    "Step",
    "Sweep",
    "Table",
    "explain",
    "export",
    "graph",
    "list",
    "load",
    "messages",
    "operations",
    "metrics",
    "paper",
    "papers",
    "remedies",
    "run",
    "saturation",
    "sweep",
    "view",
    "what_if",
]
