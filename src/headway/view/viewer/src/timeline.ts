// SPDX-License-Identifier: Apache-2.0
// The timeline of a job (TimelineData), checked.
import { BadPage, namesIn, type Table, type TimelineData } from "./data";
import { number, plain } from "./dom";
import type { Selection } from "./draw";
import type { Network } from "./network";
import type { Root } from "./snapshots";

export interface Step {
  row: number; lastRow: number;
  fromNs: number; toNs: number; waitsNs: number;  // as drawn
  text: string;
  longestNs: number;
  at: Selection | null;
  root: Root | null;
}
export interface Stretch { row: number; doing: number; fromNs: number; toNs: number }

function damaged(): never { throw new BadPage("The jobs of this page are damaged."); }

function column(table: Table, name: string, rows: number, limit = Infinity): number[] {
  const values = table[name];
  if (!Array.isArray(values) || values.length !== rows) damaged();
  for (const value of values) if (typeof value !== "number" || !(value < limit)) damaged();
  return values as number[];
}

export class Timeline {
  readonly stretches: Stretch[];
  readonly steps: Step[];
  readonly waits: Step[];  // the longest first

  constructor(readonly data: TimelineData, private readonly network: Network) {
    if (!(data.from_ns < data.to_ns) || data.ranks.length === 0) damaged();
    this.stretches = this.readStretches(data.stretches);
    this.steps = this.readSteps(data.path);
    this.waits = this.steps.filter((step) => step.waitsNs > 0).sort((a, b) => b.waitsNs - a.waitsNs);
  }

  private readStretches(table: Table): Stretch[] {
    const rows = (table["row"] ?? []).length, { ranks, doings } = this.data;
    const row = column(table, "row", rows, ranks.length), doing = column(table, "doing", rows, doings.length);
    const from = column(table, "from_ns", rows), to = column(table, "to_ns", rows);
    return row.map((_, i) => ({ row: row[i], doing: doing[i], fromNs: from[i], toNs: to[i] }));
  }
  private readSteps(table: Table): Step[] {
    const rows = (table["row"] ?? []).length, { ranks } = this.data;
    const row = column(table, "row", rows, ranks.length), lastRow = column(table, "last_row", rows, ranks.length);
    const from = column(table, "from_ns", rows), to = column(table, "to_ns", rows), waits = column(table, "waits_ns", rows);
    return row.map((_, i) => ({
      row: row[i], lastRow: lastRow[i], fromNs: from[i], toNs: to[i], waitsNs: waits[i],
      text: this.textOf(table, i), longestNs: table["longest_wait_ns"]?.[i] ?? 0, at: this.placeOf(table, i), root: this.rootOf(table, i),
    }));
  }
  private textOf(table: Table, i: number): string {
    const rank = `rank ${number(table["rank"]?.[i])}`, peer = table["peer"]?.[i] ?? null;
    const kind = plain(namesIn(table, "step_kind")[i] ?? "step", 24);
    return peer === null ? `${kind} of ${rank}` : `${kind} from ${rank} to rank ${number(peer)}`;
  }
  // Where the packet of a step waited longest. Results of older versions do not say it.
  private placeOf(table: Table, i: number): Selection | null {
    const { firstPort, switches, nodes } = this.network;
    const sw = table["at_switch"]?.[i] ?? null, node = table["at_node"]?.[i] ?? null, port = table["at_port"]?.[i] ?? null;
    if (node !== null) return node < nodes ? { kind: "node", node } : damaged();
    if (sw === null || port === null) return null;
    return sw < switches && port < firstPort[sw + 1] - firstPort[sw] ? { kind: "port", port: firstPort[sw] + port } : damaged();
  }
  private rootOf(table: Table, i: number): Root | null {
    const kind = namesIn(table, "root_kind")[i] ?? "", port = table["root_port"]?.[i] ?? null;
    if (kind === "" || port === null) return null;
    return port < this.network.ports ? { kind, port } : damaged();
  }
}
