# SPDX-License-Identifier: Apache-2.0
"""The flows that bench/peers/jobs compares, and the files in which simulators read them."""
import dataclasses
import re
from pathlib import Path

SIZE = 2_000_000  # bytes of a flow


@dataclasses.dataclass(frozen=True)
class Flows:
    """Flows that all start at once, in a fat-tree of three levels of switches with so many ports."""
    name: str
    radix: int
    matrix: str  # the text of a connection matrix of htsim

    @property
    def nodes(self):
        return self.radix ** 3 // 4

    @property
    def pairs(self):
        return [(int(source), int(destination)) for source, destination in re.findall(r"^(\d+)->(\d+)", self.matrix, re.M)]

    def hpcc_flows(self):
        """They have one priority, and start at 2 s, as in HPCC's examples."""
        lines = "".join(f"{source} {destination} 3 100 {SIZE} 2\n" for source, destination in self.pairs)
        return f"{len(self.pairs)}\n{lines}"

    def hpcc_topology(self):
        """Nodes come first, then the switches of each level. Every pod has radix / 2 switches at its nodes and as many above them; the
        first of these above lead to the same switches at the top in all pods, the second ones to others, and so on."""
        half = self.radix // 2
        leaf, middle = self.nodes, self.nodes + self.radix * half
        top = middle + self.radix * half
        count = top + half**2
        links = [(node, leaf + node // half) for node in range(self.nodes)]
        for pod in range(0, self.radix * half, half):
            for a in range(half):
                links += [(leaf + pod + a, middle + pod + b) for b in range(half)]
                links += [(middle + pod + a, top + half * a + b) for b in range(half)]
        switches = " ".join(map(str, range(leaf, count)))
        lines = "".join(f"{a} {b} 100Gbps 1000ns 0\n" for a, b in links)
        return f"{count} {count - leaf} {len(links)}\n{switches}\n{lines}"


def between(name, pairs):
    """In a tree of 16 nodes."""
    lines = "".join(f"{source}->{destination} start 0 size {SIZE}\n" for source, destination in pairs)
    return Flows(name, 4, f"Nodes 16\nConnections {len(pairs)}\n{lines}")


# The pairs share a leaf. So there is one path for each of them, and no hash decides.
OWN_FLOWS = [between("one flow", [(0, 15)]), between("16 flows in leaves", [(node, node ^ 1) for node in range(16)])]


def all_flows(htsim):
    """Our own, and those of matrices in a checkout of htsim."""
    matrices = Path(htsim) / "sim/datacenter/connection_matrices"
    return [*OWN_FLOWS, *(Flows(name, radix, (matrices / name).read_text()) for name, radix in (
        ("perm_16n_16c_2MB.cm", 4), ("incast_128.cm", 8), ("perm_1024n_1024c_0u_2000000b.cm", 16)))]
