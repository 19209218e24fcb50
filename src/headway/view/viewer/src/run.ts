// SPDX-License-Identifier: Apache-2.0
// A run, and the congestion trees that its snapshots show.
import { namesIn, type RunData, type Table } from "./data";
import { Network, rootKey } from "./network";
import { Root, Snapshots, State, Track } from "./snapshots";

export interface Tree {
  key: string;
  root: Root;
  queues: number;    // number that wait for room because of it
  packets: number;   // in these queues
  victims: number;   // of these packets
  // Triples: the port of a queue, the port whose queue it waits to enter, and how much of the port's memory its packets
  // fill: 0, at most an eighth; 1, at most a quarter; 2, at most a half; 3, more.
  branches: number[];
}

export class Run {
  label = "";
  readonly endNs: number;
  readonly capacity: Float32Array;  // [port] packets
  readonly hasLines: boolean;  // has isolation queues, which snapshots count
  readonly mostLines: number;
  readonly portOfQueue: Uint32Array;
  private shown: { frame: number; trees: Tree[] } = { frame: -1, trees: [] };

  constructor(readonly data: RunData, readonly network: Network, readonly snapshots: Snapshots) {
    const { header } = snapshots, last = snapshots.timesNs[snapshots.frames - 1];
    const measured = data.series["time_ns"];
    // The series are over several seeds, but the snapshots are of one. A snapshot is taken in every interval, so the run does
    // not end long after the last one.
    this.endNs = data.seeds > 1 ? last + last / snapshots.frames : Math.max(last, measured?.[measured.length - 1] ?? 0);
    this.capacity = new Float32Array(header.queues.length);
    this.portOfQueue = new Uint32Array(header.firstQueue[header.queues.length]);
    for (let port = 0; port < header.queues.length; ++port) {
      this.capacity[port] = header.capacity[port] * (data.pooled ? 1 : header.queues[port]);
      this.portOfQueue.fill(port, header.firstQueue[port], header.firstQueue[port + 1]);
    }
    this.hasLines = Object.keys(data.series).includes("cfqs");
    this.mostLines = !this.hasLines ? 1 : Math.max(1, ...snapshots.history((state) => state.of(Track.lines).reduce((a, b) => Math.max(a, b), 0)));
  }

  // The frame that shows a time; null if the run has ended before.
  frameAt(timeNs: number): number | null { return timeNs > this.endNs ? null : this.snapshots.frameAt(timeNs); }

  // The congestion trees at a frame, the largest first.
  treesAt(frame: number): Tree[] {
    if (this.shown.frame === frame) return this.shown.trees;
    const trees = this.treesOf(this.snapshots.at(frame));
    this.shown = { frame, trees };
    return trees;
  }

  private treesOf(state: State): Tree[] {
    const roots = state.of(Track.root), next = state.of(Track.next);
    const packets = state.of(Track.packets), victims = state.of(Track.victims);
    const found = new Map<number, Tree>();
    for (let queue = 0; queue < roots.length; ++queue) {
      const number = roots[queue];
      if (number === 0 || next[queue] === 0) continue;
      let tree = found.get(number);
      if (tree === undefined) {
        const root = this.snapshots.roots[number - 1];
        tree = { key: rootKey(root), root, queues: 0, packets: 0, victims: 0, branches: [] };
        found.set(number, tree);
      }
      ++tree.queues;
      tree.packets += packets[queue];
      tree.victims += victims[queue];
      const port = this.portOfQueue[queue], fill = packets[queue] / this.capacity[port];
      tree.branches.push(port, this.portOfQueue[next[queue] - 1], fill <= 0.125 ? 0 : fill <= 0.25 ? 1 : fill <= 0.5 ? 2 : 3);
    }
    return [...found.values()].sort((a, b) => b.packets - a.packets);
  }
}

// [kind:port] packets of all trees of a root, summed over their lifetimes.
export function weights(trees: Table): Map<string, number> {
  const sums = new Map<string, number>();
  const kinds = namesIn(trees, "kind");
  for (let row = 0; row < kinds.length; ++row) {
    const key = `${kinds[row]}:${trees["port"][row]}`;
    const weight = (trees["packets"][row] ?? 0) * (trees["photographs"][row] ?? 0);
    sums.set(key, (sums.get(key) ?? 0) + weight);
  }
  return sums;
}

// Okabe and Ito's colours, the most striking first.
export const kTreeColours = ["#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442"];
export const kOtherTrees = "#8a8f98";

// Each of the largest trees of all runs has a colour, which is the same in every run and frame.
export class TreeColours {
  private readonly colours = new Map<string, string>();
  constructor(runs: Run[]) {
    const sums = new Map<string, number>();
    for (const run of runs)
      for (const [key, weight] of weights(run.data.trees)) sums.set(key, (sums.get(key) ?? 0) + weight);
    [...sums.entries()].sort((a, b) => b[1] - a[1]).slice(0, kTreeColours.length)
      .forEach(([key], i) => this.colours.set(key, kTreeColours[i]));
  }
  of(key: string): string { return this.colours.get(key) ?? kOtherTrees; }
  get named(): string[] { return [...this.colours.keys()]; }
}
