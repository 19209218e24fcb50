// SPDX-License-Identifier: Apache-2.0
// The selected object with its numbers.
import { namesIn, type MetricData, type Table } from "./data";
import { h, number, plain, replace, time } from "./dom";
import type { Selection } from "./draw";
import type { Network } from "./network";
import type { Run, Tree, TreeColours } from "./run";
import { Root, State, Track } from "./snapshots";
import { countOf, countOfLane, kLinkClasses, kWaiting, Mode } from "./values";

export type Chosen = Selection | { kind: "tree"; key: string; root: Root } | null;

const kShown = 8;  // rows of a list
// Labels of metrics where the name itself does not read well.
const kNames: Record<string, string> = { latency_mean_ns: "mean latency", network_latency_mean_ns: "mean network latency" };

export class Panel {
  readonly element = h("aside", { "aria-label": "details" });
  private later = 0;
  private readonly histories = new Map<string, number[]>();

  constructor(private readonly runs: Run[], private readonly network: Network, private readonly metrics: MetricData,
              private readonly colours: TreeColours, private readonly choose: (chosen: Chosen) => void,
              private readonly endNs: number) {}

  // Slow parts are shown only when the slider rests.
  show(chosen: Chosen, frames: (number | null)[], playing: boolean): void {
    window.clearTimeout(this.later);
    const parts = this.runs.map((run, i) => this.ofRun(run, i, chosen, frames[i]));
    replace(this.element, h("h2", {}, this.titleOf(chosen)), ...this.intro(chosen), ...parts.map((part) => part.now));
    if (chosen !== null)
      this.element.append(this.button("Show the congestion trees again", () => this.choose(null)));
    if (!playing) this.later = window.setTimeout(() => parts.forEach((part) => part.slow()), 120);
  }

  titleOf(chosen: Chosen): string {
    if (chosen === null) return "Congestion trees now";
    switch (chosen.kind) {
      case "port": return capital(plain(this.network.portName(chosen.port)));
      case "switch": return capital(plain(this.network.switchName(chosen.sw)));
      case "node": return capital(plain(this.network.nodeName(chosen.node)));
      default: return "Congestion tree";
    }
  }

  private intro(chosen: Chosen): HTMLElement[] {
    if (chosen === null)
      return [h("p", {}, "A tree begins at its root, most often a link that more packets want than it can carry. Click on one, or on a port, a switch or a node.")];
    if (chosen.kind === "tree") return [h("p", {}, "Its root is ", plain(this.network.rootName(chosen.root)), ".")];
    if (chosen.kind === "port") {
      const peer = this.network.peerOf(chosen.port), from = this.network.sourceOf[chosen.port];
      return [h("p", {}, from < 0 ? "No link arrives here. " : `Packets arrive from ${plain(this.network.portName(from))}. `,
                peer < 0 ? "No link leaves here." : `Its link leads to ${plain(this.network.portName(peer))}.`)];
    }
    return [];
  }

  private ofRun(run: Run, index: number, chosen: Chosen, frame: number | null): { now: HTMLElement; slow: () => void } {
    const body = h("section", { "data-run": String(index) });
    const slow = h("div");
    if (this.runs.length > 1) body.append(h("h3", {}, run.label));
    let work: () => void = () => undefined;
    if (frame === null) body.append(h("p", { class: "quiet" }, `This run ended at ${time(run.endNs)}.`));
    else if (chosen === null) body.append(this.trees(run, frame));
    else if (chosen.kind === "tree") { body.append(this.tree(run, chosen, frame)); work = () => slow.append(this.treeHistory(run, index, chosen)); }
    else if (chosen.kind === "switch") body.append(this.ofSwitch(run, chosen.sw, frame));
    else {
      const port = chosen.kind === "port" ? chosen.port : this.network.switchPorts + chosen.node;
      body.append(chosen.kind === "node" ? this.node(run, chosen.node, frame) : this.port(run, port, frame));
      work = () => { slow.append(this.inside(run, port, frame), this.history(run, index, port)); };
    }
    body.append(slow);
    return { now: body, slow: work };
  }

  // A row of a list of numbers. Its explanation comes from the registry of metrics.
  private row(label: string, value: string, metric: string, table = "snapshot"): HTMLElement {
    const meaning = this.metrics[table]?.[metric];
    const unit = meaning === undefined || meaning.unit === "–" ? "" : meaning.unit;
    const tip = meaning === undefined ? "" : `${metric}: ${meaning.help}`;
    return h("tr", { title: tip, "data-metric": metric, "data-table": table }, h("th", { scope: "row" }, label), h("td", {}, value), h("td", { class: "unit" }, unit));
  }
  private table(...rows: HTMLElement[]): HTMLElement { return h("table", {}, h("tbody", {}, ...rows)); }
  private button(text: string, act: () => void): HTMLButtonElement {
    const button = h("button", { type: "button", class: "plain" }, text);
    button.addEventListener("click", act);
    return button;
  }
  private swatch(colour: string): HTMLElement {
    const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = colour;
    return swatch;
  }

  private trees(run: Run, frame: number): HTMLElement {
    const trees = run.treesAt(frame);
    if (trees.length === 0) return h("p", { class: "quiet" }, "No congestion tree at this instant.");
    const list = h("ul", { class: "trees" });
    for (const tree of trees.slice(0, kShown)) {
      const name = plain(this.network.rootName(tree.root));
      const button = this.button(name, () => this.choose({ kind: "tree", key: tree.key, root: tree.root }));
      button.title = "shows this tree";
      list.append(h("li", {}, this.swatch(this.colours.of(tree.key)), button,
                    h("small", {}, ` ${number(tree.packets)} packets, ${number(tree.victims)} victims`)));
    }
    if (trees.length > kShown) list.append(h("li", { class: "quiet" }, `and ${trees.length - kShown} smaller ones`));
    return list;
  }

  private tree(run: Run, chosen: { key: string; root: Root }, frame: number): HTMLElement {
    const now: Tree | undefined = run.treesAt(frame).find((tree) => tree.key === chosen.key);
    const part = h("div");
    part.append(now === undefined ? h("p", { class: "quiet" }, "Not there at this instant.") : this.table(
      this.row("queues in it now", number(now.queues), "queues", "tree_series"),
      this.row("packets in them", number(now.packets), "packets", "tree_series"),
      this.row("victims among these", number(now.victims), "victim_packets", "tree_series")));
    const { trees, roots, culprits } = run.data;
    const occurrences = rowsOf(trees, chosen.root), at = run.snapshots.timesNs[frame];
    const occurrence = occurrences.find((row) => at >= (trees["birth_ns"][row] ?? 0) && at < (trees["death_ns"][row] ?? Infinity));
    if (occurrence !== undefined)
      part.append(h("h4", {}, "This occurrence"), this.table(...["birth_ns", "death_ns", "most_packets", "most_victims", "most_queues", "most_ports", "most_depth"]
        .filter((metric) => trees[metric] !== undefined)
        .map((metric) => metric.endsWith("_ns") ? this.timeRow(words(metric), trees[metric][occurrence], metric) : this.row(words(metric), number(trees[metric][occurrence]), metric, "trees"))));
    part.append(h("p", { class: "quiet" }, `It occurred ${occurrences.length === 1 ? "once" : `${occurrences.length} times`} in this run${run.data.trees_left_out > 0 ? " (the smallest trees of the run are not in this page)" : ""}.`));
    const [row] = rowsOf(roots, chosen.root);
    if (row !== undefined)
      part.append(h("h4", {}, `As a root, in the measured window${run.data.seeds > 1 ? `, over ${run.data.seeds} seeds` : ""}`), this.table(...["packets", "admittance_packets", "victim_packets"].map((metric) => this.row(words(metric), number(roots[metric][row]), metric, "roots"))));
    const guilty = rowsOf(culprits, chosen.root);
    if (guilty.length > 0)
      part.append(h("h4", {}, "Culprits: packets that cross the root"), this.table(...guilty.map((each) =>
        this.row(`to ${plain(this.network.nodeName(culprits["destination"][each] ?? 0))}`, number(culprits["packets"][each]), "packets", "culprits"))));
    return part;
  }
  private timeRow(label: string, ns: number | null, metric: string): HTMLElement {
    return this.wordRow(label, ns === null ? "still there at the end" : time(ns), metric, "trees");
  }
  // For a value that includes its unit or needs none.
  private wordRow(label: string, value: string, metric: string, table: string): HTMLElement {
    const row = this.row(label, value, metric, table);
    row.lastElementChild!.remove();
    (row.lastElementChild as HTMLTableCellElement).colSpan = 2;
    return row;
  }

  private port(run: Run, port: number, frame: number): HTMLElement {
    const state = run.snapshots.at(frame);
    const link = kLinkClasses[state.of(Track.link)[port]];
    const rows = [
      this.row("packets in its queues", number(countOf(run, "occupancy", state, port)), "queue_packets"),
      this.row("room for", number(run.capacity[port]), "capacity"),
      this.row("behind a head that waits for room", number(countOf(run, "room", state, port)), "room_packets"),
      this.row("in head-of-line blocking", number(countOf(run, "hol", state, port)), "port_hol_packets"),
      this.row("victims", number(countOf(run, "victims", state, port)), "port_victim_packets"),
      this.wordRow("its link now", link.name, link.metric, "per_link"),
    ];
    for (let lane = 0; run.data.lanes > 1 && lane < run.data.lanes; ++lane)
      rows.push(this.row(`in lane ${lane}`, number(countOfLane(run, state, port, lane)), "lane_packets"));
    if (run.hasLines) rows.push(this.row("isolation lines in use", number(state.of(Track.lines)[port]), "lines"));
    const { per_link } = run.data, at = (per_link["port"] ?? []).indexOf(port);
    if (at >= 0) rows.push(this.row("use of its link in the window", number(per_link["utilisation"][at]), "utilisation", "per_link"));
    return h("div", {}, this.table(...rows), ...this.queues(run, state, port));
  }

  // For each queue with packets: which packets wait, and for what.
  private queues(run: Run, state: State, port: number): HTMLElement[] {
    const { firstQueue } = run.snapshots.header, list: HTMLElement[] = [];
    const end = firstQueue[port + 1];
    let more = 0;
    for (let queue = firstQueue[port]; queue < end; ++queue) {
      const packets = state.of(Track.packets)[queue];
      if (packets === 0) continue;
      if (list.length === kShown) { ++more; continue; }
      const waiting = kWaiting[state.of(Track.waiting)[queue]] ?? { name: "an unknown resource", metric: "" };
      const next = state.of(Track.next)[queue], root = state.of(Track.root)[queue];
      const item = h("p", { title: this.metrics["series"]?.[waiting.metric]?.help ?? "" }, `${nameOf(queue - firstQueue[port], end - firstQueue[port], run.data.lanes)}: ${number(packets)} packet${packets === 1 ? "" : "s"}; the head waits for ${waiting.name}`);
      if (next > 0) {
        const to = run.portOfQueue[next - 1] % this.network.ports;
        item.append(" at ", this.button(plain(this.network.portName(to)), () => this.choose(this.network.isNode(to) ? { kind: "node", node: to - this.network.switchPorts } : { kind: "port", port: to })));
      }
      if (root > 0) {
        const of = run.snapshots.roots[root - 1], key = `${of.kind}:${of.port}`;
        item.append(", because of ", this.swatch(this.colours.of(key)), this.button(plain(this.network.rootName(of)), () => this.choose({ kind: "tree", key, root: of })));
      }
      item.append(".");
      list.push(item);
    }
    if (more > 0) list.push(h("p", { class: "quiet" }, `and ${more} more queue${more === 1 ? "" : "s"} with packets`));
    return list;
  }

  private inside(run: Run, port: number, frame: number): HTMLElement {
    const { firstQueue } = run.snapshots.header, counts = new Map<number, number>();
    let kept = false;
    for (let queue = firstQueue[port]; queue < firstQueue[port + 1]; ++queue) {
      const contents = run.snapshots.contentsOf(queue, frame);
      if (contents === null) continue;
      kept = true;
      for (const [destination, packets] of contents) counts.set(destination, (counts.get(destination) ?? 0) + packets);
    }
    if (!kept) return h("p", { class: "quiet" }, "The contents of a queue are stored only while its head waits for room.");
    const rows = [...counts.entries()].sort((a, b) => b[1] - a[1]);
    const list = this.table(...rows.slice(0, kShown).map(([destination, packets]) => this.row(`to ${plain(this.network.nodeName(destination))}`, number(packets), "queue_packets")));
    return h("div", {}, h("h4", {}, `Packets in it, by destination (${rows.length})`), list);
  }

  private node(run: Run, node: number, frame: number): HTMLElement {
    const state = run.snapshots.at(frame), { timesNs, header } = run.snapshots, port = this.network.switchPorts + node;
    const ns = timesNs[frame] - (frame === 0 ? 0 : timesNs[frame - 1]);
    const load = (bytes: number, link: number): string => number(bytes / ns / (link < 0 ? NaN : this.network.data.bytes_per_ns[link]));
    const rows = [
      this.row("sends now", load(state.ofNodes(Track.sent)[node], port), "sent_load"),
      this.row("receives now", load(state.ofNodes(Track.received)[node], this.network.sourceOf[port]), "received_load"),
      this.row("not yet in an injection queue", number(state.ofNodes(Track.backlog)[node]), "node_backlog_packets"),
      this.row("in its injection queues", number(countOf(run, "occupancy", state, port)), "queue_packets"),
      this.row("packets that fit there", number(header.capacity[port] * (run.data.pooled ? 1 : header.queues[port])), "capacity"),
    ];
    const { per_destination } = run.data, at = (per_destination["destination"] ?? []).indexOf(node);
    const over = at < 0 ? [] : Object.keys(per_destination).filter((name) => name !== "destination")
      .map((metric) => this.row(kNames[metric] ?? words(metric), number(per_destination[metric][at]), metric, "per_destination"));
    return h("div", {}, this.table(...rows), ...this.queues(run, state, port),
             ...(over.length === 0 ? [] : [h("h4", {}, "Packets to it, in the measured window"), this.table(...over)]),
             ...(over.length === 0 || per_destination["fair_share"] !== undefined ? []
               : [h("p", { class: "quiet" }, 'With "fairness" in measure.tables, the results have its fair share.')]));
  }

  private ofSwitch(run: Run, sw: number, frame: number): HTMLElement {
    const state = run.snapshots.at(frame), list = h("tbody");
    for (let port = this.network.firstPort[sw]; port < this.network.firstPort[sw + 1]; ++port) {
      const peer = this.network.sourceOf[port];
      if (peer < 0 && this.network.peerOf(port) < 0) continue;
      const button = this.button(`port ${port - this.network.firstPort[sw]}`, () => this.choose({ kind: "port", port }));
      list.append(h("tr", {}, h("th", { scope: "row" }, button, peer < 0 ? "" : ` from ${plain(this.network.deviceName(peer), 24)}`),
                    h("td", {}, `${number(countOf(run, "occupancy", state, port))} of ${number(run.capacity[port])}`)));
    }
    return h("table", { title: this.metrics["snapshot"]?.["queue_packets"]?.help ?? "" }, h("caption", {}, "Packets in the queues of each port"), list);
  }

  private history(run: Run, index: number, port: number): HTMLElement {
    const values = this.keep(`${index} ${port}`, () => run.snapshots.history((state) => countOf(run, "occupancy" as Mode, state, port)));
    return this.spark("Packets in its queues over time", values, run);
  }
  private treeHistory(run: Run, index: number, chosen: { key: string; root: Root }): HTMLElement {
    const numbers = new Set<number>();
    run.snapshots.roots.forEach((root, i) => { if (root.kind === chosen.root.kind && root.port === chosen.root.port) numbers.add(i + 1); });
    const values = this.keep(`${index} ${chosen.key}`, () => run.snapshots.history((state) => {
      const roots = state.of(Track.root), next = state.of(Track.next), packets = state.of(Track.packets);
      let sum = 0;
      for (let queue = 0; queue < roots.length; ++queue) if (next[queue] > 0 && numbers.has(roots[queue])) sum += packets[queue];
      return sum;
    }));
    return this.spark("Packets in the tree over time", values, run);
  }
  private keep(key: string, make: () => number[]): number[] {
    const found = this.histories.get(key) ?? make();
    this.histories.set(key, found);
    return found;
  }

  private spark(title: string, values: number[], run: Run): HTMLElement {
    const most = Math.max(1, ...values), canvas = h("canvas", { class: "spark", role: "img", "aria-label": `${title}: at most ${number(most)}` });
    const figure = h("figure", {}, h("figcaption", {}, title, h("small", {}, ` at most ${number(most)}`)), canvas);
    requestAnimationFrame(() => {
      const box = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
      canvas.width = Math.max(1, box.width * ratio);
      canvas.height = Math.max(1, box.height * ratio);
      const pen = canvas.getContext("2d")!;
      pen.fillStyle = getComputedStyle(canvas).color;
      values.forEach((value, frame) => {
        const from = ((run.snapshots.timesNs[frame - 1] ?? 0) / this.endNs) * canvas.width, to = (run.snapshots.timesNs[frame] / this.endNs) * canvas.width;
        const tall = (value / most) * canvas.height;
        pen.fillRect(from, canvas.height - tall, Math.max(1, to - from + 0.4), tall);
      });
    });
    return figure;
  }
}

function rowsOf(table: Table, root: Root): number[] {
  const found: number[] = [];
  namesIn(table, "kind").forEach((kind, row) => { if (kind === root.kind && table["port"][row] === root.port) found.push(row); });
  return found;
}
// The name of a port's queue: its lane and its number in the lane, if there are several.
function nameOf(queue: number, queues: number, lanes: number): string {
  const each = queues / lanes, lane = lanes === 1 ? "" : `lane ${Math.floor(queue / each)}`;
  if (each === 1) return lane === "" ? "Its queue" : `The queue of ${lane}`;
  return lane === "" ? `Queue ${queue}` : `Queue ${queue % each} of ${lane}`;
}
function capital(text: string): string { return text.charAt(0).toUpperCase() + text.slice(1); }
// most_packets: most packets
function words(metric: string): string { return metric.replace(/_ns$/, "").replace(/_/g, " "); }
