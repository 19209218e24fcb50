// SPDX-License-Identifier: Apache-2.0
// The page: its contents and its controls.
import { Changes } from "./changes";
import type { MetricData } from "./data";
import { differences, labels } from "./differences";
import { h, plain, replace, time } from "./dom";
import { Camera, DrawnTree, Scene } from "./draw";
import { Jobs } from "./jobs";
import { Geometry, Network } from "./network";
import { fitted, NetworkView } from "./network_view";
import { Chosen, Panel } from "./panel";
import { savePng, saveSvg } from "./picture";
import { remediesOf } from "./remedies";
import { kOtherTrees, Run, TreeColours } from "./run";
import { find } from "./search";
import { classesOf, kRunColours, Series } from "./series";
import { kLinkClasses, kModes, Mode, scale, Theme, themeNow, valuesOf } from "./values";

const kSpeeds = [5, 10, 20, 40, 80];  // snapshots in a second
const kZoom = 1.3;

export class App {
  readonly element = h("main");
  frame = 0;  // of the longest run
  mode: Mode = "occupancy";
  difference = false;
  showTrees = true;
  playing = false;
  chosen: Chosen = null;
  readonly clock: Run;
  readonly views: NetworkView[];
  readonly colours: TreeColours;
  theme: Theme = themeNow();
  private geometry: Geometry;
  private camera: Camera = { zoom: 1, x: 0, y: 0 };
  private readonly values: Float32Array[];
  private readonly series: Series;
  private readonly changes: Changes;
  private readonly jobs: Jobs;
  private readonly panel: Panel;
  private readonly slider: HTMLInputElement;
  private readonly play = h("button", { type: "button", id: "play", title: "space" }, "Play");
  private readonly clockText = h("output", { id: "time", for: "slider" });
  private readonly said = h("p", { class: "hidden", "aria-live": "polite" });
  private readonly legend = h("div", { id: "legend" });
  private readonly found = h("span", { id: "found", role: "status" });
  private readonly speed = h("select", { id: "speed", "aria-label": "speed" });
  private readonly networks = h("div", { id: "networks" });
  private readonly search = h("input", { type: "search", id: "search", placeholder: "find node 12, switch 5", "aria-label": "find a node, switch or port", title: "/" });
  private legendShown = "";
  private timer = 0;
  private waiting = false;

  constructor(readonly network: Network, readonly runs: Run[], private readonly metrics: MetricData) {
    labels(runs.map((run) => run.data)).forEach((label, i) => { runs[i].label = plain(label, 60); });
    this.clock = runs.reduce((best, run) => (run.endNs > best.endNs ? run : best), runs[0]);
    const { endNs } = this.clock;
    this.views = runs.map(() => new NetworkView(network));
    this.values = runs.map(() => new Float32Array(network.ports));
    this.colours = new TreeColours(runs);
    this.geometry = new Geometry(network, 2.4);
    this.changes = new Changes(runs);
    this.series = new Series(runs, metrics, endNs, this.changes, (ns) => this.goTo(this.clock.snapshots.frameAt(ns)));
    this.jobs = new Jobs(runs, network, (ns) => this.goTo(this.clock.snapshots.nearest(ns)), (chosen) => this.choose(chosen));
    this.panel = new Panel(runs, network, metrics, this.colours, (chosen) => this.choose(chosen), endNs);
    this.slider = h("input", { type: "range", id: "slider", min: "0", max: String(this.clock.snapshots.frames - 1), value: "0", "aria-label": "time" });
    this.build();
  }

  private build(): void {
    const title = `How congestion grows in ${this.network.data.kind} of ${this.network.data.nodes_of_spec} nodes`;
    document.title = `${title} – Headway`;
    this.element.append(
      h("header", {}, h("h1", {}, title), this.explanation()),
      this.toolbar(),
      h("div", { id: "middle" }, h("div", { id: "left" }, this.networks, this.legend), this.panel.element),
      remediesOf(this.runs, this.network, this.metrics, (chosen) => this.choose(chosen)),
      this.jobs.element,
      h("div", { id: "below" }, this.changes.element, this.series.element, this.seriesLegend()),
      this.about(), this.said);
    this.arrange();
    this.listen();
  }

  private explanation(): HTMLElement {
    const several = this.runs.length > 1 ? ` Two runs of the same network are shown at the same time: ${this.runs.map((run) => run.label).join(" and ")}.` : "";
    return h("p", {}, "A box is a switch and each cell in it is a port; the nodes, which send and receive, have cells of their own. ",
      "The stronger the colour of a cell, the more packets wait in the memory of the port. Coloured lines are a ", h("strong", {}, "congestion tree"),
      ": it begins at its root (the ring), most often a link that more packets want than it can carry, and grows backwards along the queues that have no room to go on; the more packets wait there, the thicker the line. ",
      "Packets that only share these queues, but do not go to the root, are its ", h("strong", {}, "victims"), `.${several}`);
  }

  private toolbar(): HTMLElement {
    for (const speed of kSpeeds) this.speed.append(h("option", { value: String(speed) }, `${speed} a second`));
    this.speed.value = "20";
    const mode = h("select", { id: "mode", "aria-label": "colour of ports" });
    const hasLines = this.runs.some((run) => run.hasLines);
    for (const { mode: value, name } of kModes)
      if (value !== "lines" || hasLines) mode.append(h("option", { value }, name));
    mode.addEventListener("change", () => { this.mode = mode.value as Mode; this.draw(); });
    const trees = h("input", { type: "checkbox", id: "trees" });
    trees.checked = true;
    trees.addEventListener("change", () => { this.showTrees = trees.checked; this.draw(); });
    const fit = this.button("fit", "Fit", "shows the whole network (key 0)", () => { this.fit(); this.draw(); });
    const png = this.button("save", "Save PNG", "a picture of this moment", () => void savePng(this));
    const svg = this.button("save-svg", "SVG", "a drawing of this moment", () => saveSvg(this));
    const bar = h("div", { id: "toolbar", role: "toolbar", "aria-label": "controls" },
      this.play, this.slider, this.clockText, this.speed, h("label", {}, "Colour ", mode), h("label", {}, trees, " trees"));
    if (this.runs.length > 1) {
      const view = h("select", { id: "view", "aria-label": "view" }, h("option", { value: "both" }, "both runs"), h("option", { value: "difference" }, "difference"));
      view.addEventListener("change", () => { this.difference = view.value === "difference"; this.arrange(); this.fit(); this.draw(); });
      bar.append(view);
    }
    bar.append(this.search, this.found, fit, png, svg);
    return bar;
  }
  private button(id: string, text: string, tip: string, act: () => void): HTMLButtonElement {
    const button = h("button", { type: "button", id, title: tip }, text);
    button.addEventListener("click", act);
    return button;
  }

  private seriesLegend(): HTMLElement {
    const item = (colour: string, text: string, tip = ""): HTMLElement => {
      const swatch = h("span", { class: "swatch" });
      swatch.style.background = colour;
      return h("span", { title: tip }, swatch, text);
    };
    const legend = h("p", { class: "legend" });
    if (this.runs.length > 1) this.runs.forEach((run, i) => legend.append(item(kRunColours[i], run.label)));
    legend.append("Packets wait for: ");
    for (const { metric, name, colour } of classesOf(this.runs)) legend.append(item(colour, name, this.metrics["series"]?.[metric]?.help ?? ""));
    legend.append(`Dotted: offered load.${this.changes.legend}`);
    return legend;
  }

  private about(): HTMLElement {
    const footer = h("footer");
    if (this.runs.length > 1) {
      const body = h("tbody");
      for (const { key, values } of differences(this.runs.map((run) => run.data)))
        body.append(h("tr", {}, h("th", { scope: "row" }, plain(key)), ...values.map((value) => h("td", {}, value === null ? "–" : plain(value)))));
      footer.append(h("table", { id: "differences" }, h("caption", {}, "What differs in the two specs"),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "key"), ...this.runs.map((run) => h("th", { scope: "col" }, run.label)))), body));
    }
    for (const run of this.runs) {
      const { data, snapshots } = run;
      const thinned = data.every > 1 ? ` To stay small, the page has one of every ${data.every} snapshots of the run.` : "";
      const seeds = data.seeds > 1 ? ` Snapshots and trees are of this seed; series and other tables are over ${data.seeds} seeds.` : "";
      footer.append(h("p", {}, `${run.label}: ${plain(data.name)}, point ${data.point}, seed ${data.seed}, status ${data.status.replace("_", " ")}${data.detail === "" ? "" : ` (${plain(data.detail, 400)})`}. `,
        `${snapshots.frames} snapshots, one per ${time(snapshots.timesNs[snapshots.frames - 1] / snapshots.frames)} on average, at random instants.${thinned}${seeds}`));
    }
    footer.append(h("p", {}, "Keys: space plays, ← and → go one snapshot (with Shift ten), Home and End, + and − zoom, 0 shows the whole network, / finds, Esc closes. Drag to move, scroll to zoom, click for numbers. A tooltip explains each number."),
      h("p", {}, `Made by Headway ${plain(this.runs[0].data.headway)}. Ports are numbered as in its results.`));
    return footer;
  }

  private listen(): void {
    this.play.addEventListener("click", () => this.toggle());
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    this.search.addEventListener("keydown", (event) => { if (event.key === "Enter") this.find(); });
    this.search.addEventListener("search", () => this.find());
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("resize", () => { this.fit(); this.draw(); });
    window.addEventListener("beforeprint", () => { this.theme = themeNow(); this.drawNow(); });
    window.addEventListener("afterprint", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    for (const view of this.views) this.follow(view);
  }

  private follow(view: NetworkView): void {
    const canvas = view.moving;
    let from: { x: number; y: number; camera: Camera } | null = null, moved = false;
    canvas.addEventListener("pointerdown", (event) => { from = { x: event.clientX, y: event.clientY, camera: { ...this.camera } }; moved = false; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      if (from === null) { this.hover(view, event); return; }
      const dx = event.clientX - from.x, dy = event.clientY - from.y;
      if (Math.hypot(dx, dy) > 4) moved = true;
      if (moved) { this.camera = { zoom: from.camera.zoom, x: from.camera.x + dx, y: from.camera.y + dy }; this.draw(); }
    });
    canvas.addEventListener("pointerup", (event) => {
      from = null;
      if (!moved) this.choose(view.at(event));
    });
    canvas.addEventListener("pointercancel", () => { from = null; });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
  }
  private hover(view: NetworkView, event: PointerEvent): void {
    const at = view.at(event);
    view.moving.title = at === null ? "" : this.panel.titleOf(at);
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") { this.search.blur(); this.choose(null); return; }
    if (target.tagName === "SELECT" || target === this.search) return;
    const step = event.shiftKey ? 10 : 1;
    const acts: Record<string, () => void> = {
      " ": () => this.toggle(),
      ArrowRight: () => this.goTo(this.frame + step), ArrowLeft: () => this.goTo(this.frame - step),
      Home: () => this.goTo(0), End: () => this.goTo(this.clock.snapshots.frames - 1),
      "+": () => this.zoomMiddle(kZoom), "=": () => this.zoomMiddle(kZoom), "-": () => this.zoomMiddle(1 / kZoom),
      "0": () => { this.fit(); this.draw(); }, "/": () => this.search.focus(),
    };
    const act = acts[event.key];
    if (act === undefined || (event.key === " " && ["BUTTON", "SUMMARY"].includes(target.tagName) && target !== this.play)) return;
    event.preventDefault();
    act();
  }

  // Two networks are beside each other; in narrow windows, page.css puts one above the other.
  private arrange(): void {
    const shown = this.shownViews;
    replace(this.networks, ...shown.map((view) => view.element));
    this.networks.className = shown.length === 1 ? "one" : "two";
    shown.forEach((view, i) => {
      const run = this.runs[i];
      replace(view.title, ...(this.difference ? [`${this.runs[1].label} minus ${this.runs[0].label}`]
        : [run.label, h("small", {}, ` ${run.data.scheme_help}`)]));
      view.title.title = this.difference ? "orange: more in the second run, blue: less" : plain(run.data.name);
    });
  }
  get shownViews(): NetworkView[] { return this.difference ? this.views.slice(0, 1) : this.views; }

  begin(): void {
    this.fit();
    this.goTo(this.interesting());
    this.drawNow();
  }
  // The first frame shown: when the congestion trees have almost their largest size.
  private interesting(): number {
    const { series } = this.runs[0].data, packets = series["tree_packets"] ?? [];
    const most = Math.max(0, ...packets.map((value) => value ?? 0));
    const row = packets.findIndex((value) => (value ?? 0) >= 0.9 * most);
    return most === 0 || row < 0 ? 0 : this.clock.snapshots.frameAt(series["time_ns"][row] ?? 0);
  }

  private fit(): void {
    const { width, height } = this.views[0].size;
    this.geometry = new Geometry(this.network, (width - 80) / (height - 30));
    this.camera = fitted(this.geometry, width, height);
  }
  private zoom(factor: number, x: number, y: number): void {
    const zoom = Math.max(0.005, Math.min(60, this.camera.zoom * factor)), f = zoom / this.camera.zoom;
    this.camera = { zoom, x: x - (x - this.camera.x) * f, y: y - (y - this.camera.y) * f };
    this.draw();
  }
  private zoomMiddle(factor: number): void {
    const { width, height } = this.views[0].size;
    this.zoom(factor, width / 2, height / 2);
  }

  toggle(): void {
    this.playing = !this.playing;
    this.play.textContent = this.playing ? "Pause" : "Play";
    window.clearTimeout(this.timer);
    if (!this.playing) { this.draw(); return; }
    if (this.frame >= this.clock.snapshots.frames - 1) this.goTo(0);
    const tick = (): void => {
      if (!this.playing) return;
      if (this.frame >= this.clock.snapshots.frames - 1) { this.toggle(); return; }
      this.goTo(this.frame + 1);
      this.timer = window.setTimeout(tick, 1000 / Number(this.speed.value));
    };
    tick();
  }

  goTo(frame: number): void {
    this.frame = Math.max(0, Math.min(this.clock.snapshots.frames - 1, frame));
    this.slider.value = String(this.frame);
    this.draw();
  }

  choose(chosen: Chosen): void {
    this.chosen = chosen;
    this.draw();
  }

  private find(): void {
    if (this.search.value.trim() === "") { this.found.textContent = ""; return; }
    const found = find(this.network, this.search.value);
    this.found.textContent = found === null ? "not found" : "";
    if (found === null) return;
    const port = found.kind === "port" ? found.port : found.kind === "node" ? this.network.switchPorts + found.node : this.network.firstPort[found.sw];
    const { width, height } = this.views[0].size, zoom = Math.max(this.camera.zoom, 6);
    const node = this.network.isNode(port);
    this.camera = { zoom, x: width / 2 - (node ? this.geometry.outX : this.geometry.inX)[port] * zoom, y: height / 2 - (node ? this.geometry.outY : this.geometry.inY)[port] * zoom };
    this.choose(found);
  }

  // Draws at most once per screen frame, for any number of changes.
  draw(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.drawNow(); });
  }

  get timeNs(): number { return this.clock.snapshots.timesNs[this.frame]; }
  // [run] null if it has ended.
  get frames(): (number | null)[] {
    return this.runs.map((run) => (run === this.clock ? this.frame : run.frameAt(this.timeNs)));
  }

  drawNow(): void {
    this.theme = themeNow();
    const frames = this.frames;
    this.sceneOf(frames).forEach((scene, i) => {
      const view = this.shownViews[i];
      view.draw(scene, this.geometry, this.camera, this.theme);
      view.moving.setAttribute("aria-label", this.describe(i, frames));
    });
    this.clockText.textContent = time(this.timeNs);
    this.slider.setAttribute("aria-valuetext", time(this.timeNs));
    this.drawLegend();
    this.series.draw(this.timeNs, this.theme);
    this.changes.tell(this.timeNs);
    this.jobs.draw(this.timeNs, this.theme);
    this.panel.show(this.chosen, frames, this.playing);
    if (!this.playing) this.said.textContent = this.describe(0, frames);
  }

  // A text description of a picture.
  private describe(index: number, frames: (number | null)[]): string {
    const run = this.runs[index], frame = frames[index];
    if (frame === null) return `${run.label} at ${time(this.timeNs)}: ${ended(run)}`;
    const [largest] = run.treesAt(frame), trees = run.treesAt(frame).length;
    const text = largest === undefined ? "no congestion tree"
      : `${trees} congestion tree${trees === 1 ? "" : "s"}, the largest at ${plain(this.network.rootName(largest.root))} with ${largest.packets} packets`;
    return `${run.label} at ${time(this.timeNs)}: ${text}`;
  }

  sceneOf(frames: (number | null)[]): Scene[] {
    this.runs.forEach((run, i) => {
      const frame = frames[i];
      if (frame !== null) valuesOf(run, this.mode === "link" && this.difference ? "occupancy" : this.mode, run.snapshots.at(frame), this.values[i]);
    });
    const scene = { mode: this.mode, difference: this.difference, selected: this.selected(), ended: "" };
    if (this.difference) {
      const over = this.runs.find((_, i) => frames[i] === null);
      const values = this.values[0].map((value, port) => this.values[1][port] - value);
      return [{ ...scene, values, trees: [], ended: over === undefined ? "" : `No difference: ${over.label} ${ended(over)}` }];
    }
    return this.runs.map((run, i) => {
      const frame = frames[i];
      if (frame === null) return { ...scene, values: this.values[i], trees: [], ended: `Ended at ${time(run.endNs)}` };
      return { ...scene, values: this.values[i], trees: this.showTrees || this.chosen?.kind === "tree" ? this.drawnTrees(run, frame) : [] };
    });
  }
  private drawnTrees(run: Run, frame: number): DrawnTree[] {
    const only = this.chosen?.kind === "tree" ? this.chosen.key : null;
    return run.treesAt(frame).filter((tree) => only === null || tree.key === only).map((tree) => ({
      colour: this.colours.of(tree.key), branches: tree.branches, root: tree.root.port, packets: tree.packets,
      name: `root: ${plain(this.network.rootName(tree.root), 60)}`,
    }));
  }
  private selected(): number[] {
    if (this.chosen?.kind === "port") return [this.chosen.port];
    if (this.chosen?.kind === "node") return [this.network.switchPorts + this.chosen.node];
    if (this.chosen?.kind !== "switch") return [];
    const { firstPort } = this.network, { sw } = this.chosen;
    return Array.from({ length: firstPort[sw + 1] - firstPort[sw] }, (_, i) => firstPort[sw] + i);
  }

  // [text, colour]
  legendItems(): { text: string; colour: string; metric: string; table: string }[] {
    if (this.mode === "link" && !this.difference)
      return kLinkClasses.map(({ name, colour, metric }) => ({ text: name, colour, metric, table: "per_link" }));
    const colours = scale(this.theme, this.difference), { name, metric } = kModes.find(({ mode }) => mode === this.mode) ?? kModes[0];
    const ends = this.difference ? ["all less", "equal", "all more"] : this.mode === "lines" ? ["none", "", "most"] : ["0 %", "50 %", "100 % of the memory"];
    const at = [0, Math.floor(colours.length / 2), colours.length - 1];
    return ends.map((text, i) => ({ text: i === 0 ? `${name}: ${text}` : text, colour: colours[at[i]], metric, table: "snapshot" })).filter(({ text }) => text !== "");
  }
  private drawLegend(): void {
    const shown = `${this.mode} ${this.difference} ${this.theme.dark}`;
    if (shown === this.legendShown) return;
    this.legendShown = shown;
    const items = this.legendItems().map(({ text, colour, metric, table }) => {
      const swatch = h("span", { class: "swatch" });
      swatch.style.background = colour;
      return h("span", { title: this.metrics[table]?.[metric]?.help ?? "" }, swatch, text);
    });
    const other = h("span", { class: "swatch" });
    other.style.background = kOtherTrees;
    replace(this.legend, ...items, ...(this.difference ? [] : [h("span", {}, other, "small congestion trees (large ones have a colour each)")]));
  }
}

function ended(run: Run): string { return `ended at ${time(run.endNs)}`; }
