# SPDX-License-Identifier: Apache-2.0
"""The networks that bench/peers/run compares, as settings of BookSim and CAMINOS. Headway imports those of BookSim."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Network:
    name: str
    nodes: int
    load: float  # flits per node and cycle, below the saturation of all simulators
    cycles: int  # warm-up and window of a timed run, together
    booksim: dict
    caminos: dict | None  # topology, routing, and what differs from the common router; None: it has no such network
    counted: int = 0  # cycles of the shorter of two runs whose instructions are counted; 0: by the number of nodes

    def counted_cycles(self):
        return self.counted or max(60, 6000 // self.nodes)


@dataclasses.dataclass(frozen=True)
class Point:
    """A network with packets of so many flits at a load."""
    network: Network
    flits: int
    load: float


def tree(k, n, load, cycles):
    """A k-ary n-tree; packets choose their way up at random."""
    factors = ", ".join([str(k)] * (n - 1))
    topology = f"XGFT {{ height: {n - 1}, down: [{factors}], up: [{factors}], servers_per_leaf: {k} }}"
    return Network(f"{k}-ary {n}-tree", k**n, load, cycles,
                   {"topology": "fattree", "k": k, "n": n, "routing_function": "nca", "num_vcs": 1},
                   {"topology": topology, "routing": "UpDown"})


def grid(kind, k, n, load, cycles):
    """A mesh or torus of n dimensions with k switches each. Rings are free of deadlock by datelines in BookSim and Headway, which takes
    two lanes, and by bubbles in CAMINOS, in one lane of the same memory."""
    torus = kind == "torus"
    sides, order = ", ".join([str(k)] * n), ", ".join(map(str, range(n)))
    caminos = {"topology": f"{kind.capitalize()} {{ sides: [{sides}], servers_per_router: 1 }}", "routing": f"DOR {{ order: [{order}] }}"}
    booksim = {"topology": kind, "k": k, "n": n, "routing_function": "dim_order" if torus else "dor", "num_vcs": 2 if torus else 1,
               "use_noc_latency": 0}
    if torus:
        caminos |= {"bubble": "true", "buffer_size": 64}
    return Network(" x ".join([str(k)] * n) + f" {kind}", k**n, load, cycles, booksim, caminos)


def dragonfly(k, load, cycles):
    """Switches with k nodes and k global links in groups of 2k, minimal routing. BookSim's links take 10 cycles in a group and 100
    between groups, so lanes have 256 flits: with 32, credits would not cover the round trip. CAMINOS 0.6.3 has no such routing: its
    shortest paths also go through a third group."""
    groups = 2 * k * k + 1
    nodes = 2 * k * k * groups
    return Network(f"dragonfly {nodes}", nodes, load, cycles,
                   {"topology": "dragonflynew", "k": k, "n": 1, "routing_function": "min", "num_vcs": 2, "vc_buf_size": 256},
                   caminos=None, counted=400)


def hyperx(k, n, side, load, cycles):
    """Switches with side x side nodes and direct links to all others of each of n dimensions; dimension-order routing."""
    c = side * side
    across = round((k**n)**0.5)  # switches on a side of BookSim's floor plan
    sides, order = ", ".join([str(k)] * n), ", ".join(map(str, range(n)))
    return Network("HyperX " + " x ".join([str(k)] * n), c * k**n, load, cycles,
                   {"topology": "flatfly", "k": k, "n": n, "c": c, "x": across, "y": across, "xr": side, "yr": side,
                    "routing_function": "ran_min", "num_vcs": 1, "use_noc_latency": 0},
                   {"topology": f"Hamming {{ sides: [{sides}], servers_per_router: {c} }}", "routing": f"DOR {{ order: [{order}] }}"})


NETWORKS = [
    tree(4, 3, 0.4, 40000),
    tree(4, 4, 0.4, 10000),
    tree(16, 2, 0.4, 10000),
    grid("mesh", 8, 2, 0.3, 40000),
    grid("torus", 8, 2, 0.3, 40000),
    dragonfly(3, 0.3, 10000),
    hyperx(4, 3, 2, 0.4, 10000),
    tree(16, 3, 0.4, 1000),
    grid("mesh", 64, 2, 0.04, 2000),
    grid("torus", 16, 3, 0.2, 1000),
    dragonfly(6, 0.3, 2000),
    hyperx(16, 2, 4, 0.4, 1000),
    tree(16, 4, 0.4, 400),
    hyperx(16, 3, 4, 0.4, 400),
]
