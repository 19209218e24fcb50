# SPDX-License-Identifier: Apache-2.0
"""Nothing that Python does with the objects of the module ends the process: copies, pickles, objects without a value,
daemon threads at the end of the interpreter, forks."""

import copy
import pickle
import subprocess
import sys

import headway as hw
import numpy as np
import pytest
from headway import _headway

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


@pytest.fixture(scope="module")
def objects():
    spec = hw.Spec(
        network={"k": 2, "n": 2}, traffic={"flow": [{"load": 0.4}]}, measure={"warmup": "5 us", "duration": "20 us"}
    )
    sweep = hw.sweep(spec, {"seed": [1, 2]}, seeds=2)
    result = hw.run(spec)
    file = hw.File(np.arange(4))
    return {
        "spec": spec, "sweep": sweep, "point": sweep[0], "result": result, "search": hw.saturation(spec, precision=0.4),
        "table": result.series, "file": file, "core": result._core, "core of a point": result._origin[1],
        "core of a file": file._core,
    }  # fmt: skip


def shown(value):
    """What two equal objects have in common."""
    if isinstance(value, hw.Sweep):
        return [shown(point) for point in value]
    if isinstance(value, hw.Point | _headway.Point):
        return [shown(value.result), [shown(run) for run in value.runs], str(value.params)]
    if isinstance(value, hw.Table):
        return {name: column.tobytes() for name, column in value.items()}
    if isinstance(value, hw.File):
        return shown(value._core)
    if isinstance(value, _headway.File):
        return value.name, value.content
    return str(value) if isinstance(value, hw.Spec) else (value.status, str(value.metrics), value.trace_hash)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_pickles_of_every_protocol(objects, protocol):
    for name, value in objects.items():
        assert shown(pickle.loads(pickle.dumps(value, protocol))) == shown(value), name


def test_copies(objects):
    for name, value in objects.items():
        assert shown(copy.copy(value)) == shown(value), name
        assert shown(copy.deepcopy(value)) == shown(value), name


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_has_no_pickle_says_so(objects, protocol):
    draft = objects["spec"]._draft
    for value in (draft, draft.check(), _headway.Search(), _headway.Request(), objects["core"].table("series")["time_ns"]):
        with pytest.raises(TypeError, match=f"{type(value).__name__} cannot be copied or pickled"):
            pickle.dumps(value, protocol)


def classes():
    return [kind for module in (hw, _headway) for kind in vars(module).values() if isinstance(kind, type)]


@pytest.mark.parametrize("kind", classes(), ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_an_object_without_a_value_ends_nothing(kind):
    class Derived(kind):
        pass

    for made in (kind, Derived):
        try:
            value = made.__new__(made)
        except TypeError:
            continue
        assert kind.__module__ != "headway._headway"
        for name in dir(made):
            try:
                getattr(value, name)
            except (AttributeError, AssertionError):
                pass
        for use in (repr, str, len, list, hash, copy.copy, pickle.dumps, lambda value: value == value):
            try:
                use(value)
            except Exception as raised:
                assert not isinstance(raised, SystemError)


def test_a_state_that_is_none_of_the_class_is_refused():
    for kind in (_headway.Result, _headway.Point, _headway.File):
        for state in (None, b"", "text", (), (1, 2, 3), ("a",) * 8, ([], 1, [b"{}"], b"", [], [], None, None)):
            with pytest.raises((TypeError, ValueError, RuntimeError)):
                kind._restored(state)


BEGINNING = """
import headway as hw, threading, time, os, sys
spec = hw.Spec(network={"k": 4, "n": 4}, traffic={"flow": [{"load": 0.4}]},
               measure={"warmup": "5 us", "duration": "100 ms", "bin": "10 us"})
small = hw.Spec(network={"k": 2, "n": 2}, traffic={"flow": [{"load": 0.4}]},
                measure={"warmup": "5 us", "duration": "20 us"})
small.save("small.toml")
small_out = hw.run(small, out="out")
def forever(do):
    def loop():
        while True:
            try:
                do()
            except OSError:
                pass
    return loop
def start(do):
    threading.Thread(target=do, daemon=True).start()
"""

WORKS = {
    "run": "start(lambda: hw.run(spec))",
    "runs": "[start(lambda: hw.run(spec)) for _ in range(4)]",
    "search": "start(lambda: hw.saturation(spec))",
    "sweep": "start(lambda: hw.sweep(spec, {'seed': [1, 2, 3]}, out='kept'))",
    "check": "start(forever(spec.check))",
    "short runs": "start(forever(lambda: hw.run(small)))",
    "mistakes": "start(forever(lambda: hw.run(small, out='/dev/null/out')))",
    "reading": "[start(forever(lambda: (hw.load('out'), hw.Spec.read('small.toml')))) for _ in range(3)]",
    "report": "start(lambda: hw.run(spec, progress=lambda *of: time.sleep(0.02)))",
    "atexit": "import atexit; atexit.register(lambda: hw.run(small)); start(lambda: hw.run(spec))",
}


@pytest.mark.parametrize("work", WORKS)
def test_the_interpreter_ends_while_a_daemon_thread_is_here(work, tmp_path):
    text = BEGINNING + WORKS[work] + "\ntime.sleep(0.2)\nprint('ends')\n"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ends\n", "")


def test_a_fork_needs_no_thread_of_its_parent(tmp_path):
    text = BEGINNING + (
        "start(lambda: hw.run(spec)); time.sleep(0.2)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    hw.run(small)\n"
        "    sys.exit(3)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr
