#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The study of OpenSM's routing engines: paths and cycles by hand, and OpenSM itself in the simulator ibsim.

usage: tests/opensm/study.py build/release/headway
"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "studies/opensm"))
import subnet  # noqa: E402
from fabric import Fabric, Tables, Walk, has_cycle  # noqa: E402

headway = None  # the program
has_opensm = unittest.skipIf(subnet.missing_packages(), "packages are missing: " + ", ".join(subnet.missing_packages()))


def network(folder, spec, *settings):
    """The fabric of a spec, and its file for ibsim."""
    (folder / "spec.toml").write_text(spec)
    net = folder / "fabric.net"
    subprocess.run([headway, "export", folder / "spec.toml", "--ibsim", net, "--quiet", *settings], check=True)
    return Fabric(net), net


def tree(k, n):
    return f'[network]\ntopology = "k-ary-n-tree"\nk = {k}\nn = {n}\nlink = {{ rate = "12.5 GB/s" }}\n[routing]\nalgorithm = "det"\n'


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Paths(InAFolder):
    """Tables made by hand. In a mesh of 2 x 2 switches, port 1 leads to the node, 3 and 2 along x, 5 and 4 along y."""

    def ring(self):
        fabric, _ = network(self.folder, '[network]\ntopology = "mesh"\nsides = [2, 2]\nlink = { rate = "2 GB/s" }\n'
                            '[routing]\nalgorithm = "dor"\n')
        return fabric, [node.lid for node in fabric.nodes]

    def test_a_ring_in_one_direction_can_deadlock_unless_lanes_break_it(self):
        fabric, lids = self.ring()
        onward = {0: 3, 1: 5, 3: 2, 2: 4}  # 0 → 1 → 3 → 2 → 0
        ports = [{lid: 1 if node == switch else onward[switch] for node, lid in enumerate(lids)} for switch in range(4)]
        walk = Walk(fabric, Tables(ports, None, None, None))
        self.assertTrue(walk.cyclic)
        self.assertEqual(walk.lost, set())
        # three nodes send over each link: to the next one, the second and the third; each pair has a third of 2 GB/s
        self.assertAlmostEqual(walk.hot_links(1)[0][0], 2)
        self.assertEqual(fabric.cable((0, 3)), "0:3 → 1:2")
        levels = [[source] * 4 for source in range(4)]
        self.assertFalse(Walk(fabric, Tables(ports, levels, None, None)).cyclic)

    def test_nodes_without_routes_are_cut_off(self):
        fabric, lids = self.ring()
        ports = [{lids[s]: 1, **({lids[1 - s]: 3 - s} if s < 2 else {})} for s in range(4)]  # nodes 0 and 1 reach each other
        walk = Walk(fabric, Tables(ports, None, None, None))
        self.assertEqual(len(walk.lost), 10)
        self.assertEqual(walk.cut_off(), ([0, 1, 2, 3], 0))
        self.assertEqual([sorted(kept) for kept in walk.kept][:2], [sorted(lids[:2])] * 2)

    def test_cycles(self):
        self.assertFalse(has_cycle({1: {2, 3}, 2: {3}, 3: set()}))
        self.assertTrue(has_cycle({1: {2}, 2: {3}, 3: {2}}))


@has_opensm
class OpenSm(InAFolder):
    def walks(self, fabric, net, engines, conf=None):
        with subnet.Subnet(net, fabric) as simulated:
            return {engine: Walk(fabric, simulated.route(engine, conf)) for engine in engines}

    def test_engines_on_a_tree(self):
        fabric, net = network(self.folder, tree(4, 3))
        walks = self.walks(fabric, net, ["minhop", "updn", "ftree", "lash"])
        hottest = {engine: round(walk.hot_links(0.95)[0][0], 2) for engine, walk in walks.items()}
        # of 63 x 0.95: 3 and 12 times the 16 paths per link that ftree has
        self.assertEqual(hottest, {"minhop": 2.90, "updn": 2.90, "ftree": 0.90, "lash": 11.58})
        for engine, walk in walks.items():
            self.assertFalse(walk.lost or walk.cyclic, engine)

    def test_lanes_of_a_torus(self):
        spec = '[network]\ntopology = "torus"\nsides = [5]\nlink = { rate = "12.5 GB/s" }\n[routing]\nalgorithm = "up-down"\n'
        fabric, net = network(self.folder, spec)
        walks = self.walks(fabric, net, ["dor", "lash", "dfsssp"])
        self.assertTrue(walks["dor"].cyclic)
        for engine in ("lash", "dfsssp"):
            self.assertFalse(walks[engine].cyclic, engine)
            self.assertGreater(len(walks[engine].lanes), 1, engine)
            self.assertEqual(walks[engine].tables.says_lanes, 2, engine)

    def test_an_engine_that_cannot_route_says_why(self):
        fabric, net = network(self.folder, '[network]\ntopology = "torus"\nsides = [5]\nlink = { rate = "12.5 GB/s" }\n'
                              '[routing]\nalgorithm = "up-down"\n')
        with self.assertRaisesRegex(subnet.Refused, "ftree: cannot build lid matrices"):
            self.walks(fabric, net, ["ftree"])

    def test_a_dump_is_compared_whole_and_with_failed_links(self):
        dump = ROOT / "examples/fabric/topology.ibnetdiscover"
        command = [ROOT / "studies/opensm/run", dump, "--engines", "minhop,lash,torus-2QoS", "--failed", "0.4", "--seed", "3", "--quick",
                   "--headway", headway, "--out", self.folder / "out"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        self.assertIn("| topology | whole | minhop | 0.", printed)
        self.assertIn("| topology | whole | torus-2QoS | no tables |", printed)
        self.assertIn("topology, whole, torus-2QoS: needs --torus-conf", printed)
        self.assertRegex(printed, r"minhop \| 0\.\d+ \| (leaf|spine)\d:\d → (leaf|spine)\d:\d \(\d\.\d\d\)")
        with open(self.folder / "out/hot-links.csv") as rows:
            hot = list(csv.DictReader(rows))
        self.assertEqual({row["engine"] for row in hot}, {"minhop", "lash"})
        self.assertTrue((self.folder / "out/table.md").read_text() in printed)

    def test_nodes_that_failed_links_cut_off_are_named(self):
        spec = tree(2, 2) + '[network.failures]\nat = ["0:2", "0:3"]\nunreachable = "reported"\n'
        fabric, net = network(self.folder, spec)
        walk = self.walks(fabric, net, ["minhop"])["minhop"]
        self.assertEqual(walk.cut_off()[0], [0, 1, 2, 3])  # each reaches one of three others


if __name__ == "__main__":
    headway = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
