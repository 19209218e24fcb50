# SPDX-License-Identifier: Apache-2.0
"""A fabric as `headway export --ibsim` writes it, and what the tables of a subnet manager do in it: paths, lanes, demand."""
import collections
import dataclasses
import re

SWITCH = re.compile(r'Switch\t(\d+) "S-([0-9a-f]{16})"\t\t# "(.*)" base port 0 lid (\d+)')
LINK = re.compile(r'\[(\d+)\]\t"([SH])-([0-9a-f]{16})"\[(\d+)\](?:\(([0-9a-f]+)\) )?\t\t# "(.*)" lid (\d+)(?: (\d+x\w+))?$')
LANE_RATE = {"SDR": 0.25, "DDR": 0.5, "QDR": 1, "FDR10": 1.25, "FDR": 75 / 44, "EDR": 3.125, "HDR": 6.25, "NDR": 12.5, "XDR": 25}


def rate_of(word):
    """GB/s of "4xEDR"."""
    lanes, speed = word.split("x")
    return int(lanes) * LANE_RATE[speed]


@dataclasses.dataclass
class Node:
    name: str
    lid: int
    port_guid: int
    switch: int
    port: int
    rate: float


class Fabric:
    """Switches and nodes in the order in which Headway numbers them; `links` has the far end of every port of a switch."""

    def __init__(self, path):
        self.names, self.guids, self.nodes = [], [], []
        self.links = {}  # (switch, port) -> (switch, port) or node
        self.rates = {}  # (switch, port) -> GB/s
        self.has_speeds = True
        number_of, far = {}, []
        for line in path.read_text().splitlines():
            if line.startswith("Ca\t"):
                break  # switches come first and list all links
            if found := SWITCH.match(line):
                number_of[int(found[2], 16)] = len(self.names)
                self.guids.append(int(found[2], 16))
                self.names.append(found[3])
            elif found := LINK.match(line):
                here = (len(self.names) - 1, int(found[1]))
                self.has_speeds &= found[8] is not None
                self.rates[here] = rate_of(found[8]) if found[8] else 1.0
                if found[2] == "H":
                    self.links[here] = len(self.nodes)
                    self.nodes.append(Node(found[6], int(found[7]), int(found[5], 16), *here, self.rates[here]))
                else:
                    far.append((here, int(found[3], 16), int(found[4])))
        for here, guid, port in far:
            self.links[here] = (number_of[guid], port)
        self.number_of_guid = number_of
        self.outputs = [[] for _ in self.names]  # [switch] (port, far end)
        for (switch, port), there in sorted(self.links.items(), key=lambda entry: entry[0]):
            self.outputs[switch].append((port, there))

    def cables(self):
        """The links between switches, each once."""
        return {(here, there) for here, there in self.links.items() if isinstance(there, tuple) and here < there}

    def centre(self):
        """A switch of the part with the most nodes, if failed links have split the fabric."""
        parts, of = collections.Counter(), {}
        for start in range(len(self.names)):
            if start in of:
                continue
            found = [start]
            of[start] = start
            for switch in found:
                for _, far in self.outputs[switch]:
                    if isinstance(far, tuple) and far[0] not in of:
                        of[far[0]] = start
                        found.append(far[0])
                    elif not isinstance(far, tuple):
                        parts[start] += 1
        return max(parts, key=parts.get)

    def place(self, here):
        return f"{self.names[here[0]]}:{here[1]}"

    def cable(self, here):
        """The link that leaves a port, with its far end."""
        return f"{self.place(here)} → {self.place(self.links[here])}"


@dataclasses.dataclass
class Tables:
    """What one routing engine gives: `ports` and `levels` as the switches and the subnet administrator have them."""
    ports: list  # [switch] {lid: port}
    levels: list  # [source][destination] service level, or None: 0 everywhere
    lanes_of: dict  # (switch, input, output) -> lane of each service level, or None: the level is the lane
    says_lanes: int | None  # the number of lanes that the engine says it needs


class Walk:
    """All paths of a fabric with tables."""

    def __init__(self, fabric, tables):
        self.fabric, self.tables = fabric, tables
        self.demand = collections.Counter()  # (switch, port) -> GB/s over the link if all nodes send at full rate
        self.lanes = set()
        self.lane_table = {}  # (service level, input, output) -> lanes
        self.lost = set()  # (source, destination) without a path
        self.kept = [dict() for _ in fabric.names]  # the routes of paths that arrive
        waits_for = collections.defaultdict(set)
        for destination, node in enumerate(fabric.nodes):
            for source in range(len(fabric.nodes)):
                if source != destination:
                    self._follow(source, destination, waits_for)
        self.cyclic = has_cycle(waits_for)

    def _follow(self, source, destination, waits_for):
        fabric, lid = self.fabric, self.fabric.nodes[destination].lid
        switch, port = fabric.nodes[source].switch, fabric.nodes[source].port
        level = 0 if self.tables.levels is None else self.tables.levels[source][destination]
        steps = []
        while len(steps) <= len(fabric.names):
            output = self.tables.ports[switch].get(lid)
            far = fabric.links.get((switch, output))
            if output is None or far is None or level is None:
                break
            steps.append((switch, port, output))
            if not isinstance(far, tuple):
                if far == destination:
                    return self._add(source, lid, level, steps, waits_for)
                break
            switch, port = far
        self.lost.add((source, destination))

    def _add(self, source, lid, level, steps, waits_for):
        share = self.fabric.nodes[source].rate / (len(self.fabric.nodes) - 1)
        before = None
        for switch, port, output in steps:
            self.kept[switch][lid] = output
            self.demand[switch, output] += share
            lane = level if self.tables.lanes_of is None else self.tables.lanes_of[switch, port, output][level]
            self.lane_table.setdefault((level, port, output), set()).add(lane)
            if isinstance(self.fabric.links[switch, output], tuple):
                self.lanes.add(lane)
            channel = (switch, output, lane)
            if before is not None:
                waits_for[before].add(channel)
            before = channel

    def hot_links(self, load):
        """Links between switches that would have to carry more than they can, the worst first: (times, link)."""
        over = [(demand * load / self.fabric.rates[link], link) for link, demand in self.demand.items()
                if isinstance(self.fabric.links[link], tuple)]
        return sorted(over, key=lambda entry: (-entry[0], entry[1]))

    def cut_off(self):
        """The nodes that cannot exchange messages with most others, and the number of other pairs without a path."""
        without = collections.Counter(node for pair in self.lost for node in pair)
        most = len(self.fabric.nodes) - 1  # of 2 * most pairs of a node
        nodes = {node for node, pairs in without.items() if pairs > most}
        return sorted(nodes), sum(1 for pair in self.lost if not nodes & set(pair))


def has_cycle(waits_for):
    state = {}  # 1: on the path of the search, 2: done
    for start in list(waits_for):
        if start in state:
            continue
        stack = [(start, iter(waits_for[start]))]
        state[start] = 1
        while stack:
            channel, following = stack[-1]
            for next_channel in following:
                if state.get(next_channel) == 1:
                    return True
                if next_channel not in state:
                    state[next_channel] = 1
                    stack.append((next_channel, iter(waits_for.get(next_channel, ()))))
                    break
            else:
                state[channel] = 2
                stack.pop()
    return False
