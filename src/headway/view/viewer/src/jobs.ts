// SPDX-License-Identifier: Apache-2.0
// The jobs of the runs: what ranks do over time, the critical path and its waits. The picture is that of `headway plot --timeline`.
import type { JobData } from "./data";
import { h, number, plain, replace, time } from "./dom";
import type { Selection } from "./draw";
import { type Network, rootKey } from "./network";
import type { Chosen } from "./panel";
import type { Run } from "./run";
import { type Step, Timeline } from "./timeline";
import type { Theme } from "./values";

// Okabe and Ito's colours for what ranks do; the last one, waiting, is that of the page's theme.
const kDoingColours = ["#009E73", "#E69F00", "#56B4E9"];
const kLeft = 40, kAxis = 18;  // pixels beside and below the rows
const kNear = 4;               // pixels between a click and a wait, in both directions
const kShown = 8;              // waits of a list

// A job of one of the runs, with its picture.
interface View {
  readonly run: Run;
  readonly job: JobData;
  readonly timeline: Timeline | null;
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly cursor: HTMLElement;
  readonly reading: HTMLElement;
  readonly chosen: HTMLElement;  // the wait that was clicked
}

export class Jobs {
  readonly element = h("section", { id: "jobs", "aria-label": "jobs" });
  private readonly select = h("select", { id: "job", "aria-label": "job" });
  private readonly body = h("div");
  private views: View[] = [];
  private wait: Step | null = null;
  private now = 0;
  private drawn = "";

  constructor(private readonly runs: Run[], private readonly network: Network,
              private readonly seek: (timeNs: number) => void, private readonly choose: (chosen: Chosen) => void) {
    const all = runs.flatMap((run) => run.data.jobs ?? []);
    for (const job of new Set(all.map((each) => each.job))) this.select.append(h("option", { value: job }, plain(job, 40)));
    this.select.value = (all.find((each) => (each.timeline?.path["row"] ?? []).length > 0) ?? all[0])?.job ?? "";
    this.select.addEventListener("change", () => { this.open(); this.draw(this.now, this.theme); });
    this.element.hidden = all.length === 0;
    this.element.append(h("h2", {}, "What the ranks of ", h("label", {}, "job ", this.select), " do"), this.body);
    if (all.length > 0) this.open();
  }
  private theme!: Theme;

  // Shows the job that is selected, of each run that has it, on one time axis.
  private open(): void {
    this.wait = null;
    this.drawn = "";
    this.views = this.runs.flatMap((run) => (run.data.jobs ?? []).filter(({ job }) => job === this.select.value).map((job) => this.viewOf(run, job)));
    replace(this.body, ...this.views.map((view) => view.element));
  }
  private get fromNs(): number { return Math.min(...this.views.map(({ timeline }) => timeline?.data.from_ns ?? Infinity)); }
  private get toNs(): number { return Math.max(...this.views.map(({ timeline }) => timeline?.data.to_ns ?? 0)); }

  private viewOf(run: Run, job: JobData): View {
    const timeline = job.timeline === null ? null : new Timeline(job.timeline, this.network);
    const canvas = h("canvas", { role: "img", tabindex: "0" }), cursor = h("div", { class: "cursor" });
    const reading = h("span", { class: "reading" }), chosen = h("p", { class: "wait", "aria-live": "polite" });
    const caption = h("figcaption", {}, h("h3", {}, this.runs.length > 1 ? run.label : "Its last iteration"), reading);
    const element = h("figure", {}, timeline === null && this.runs.length === 1 ? null : caption);
    const view: View = { run, job, timeline, element, canvas, cursor, reading, chosen };
    if (timeline !== null) {
      canvas.style.height = `${rowHeight(timeline) * timeline.data.ranks.length + kAxis}px`;
      canvas.setAttribute("aria-label", `Timeline of job ${plain(job.job, 60)}: ${timeline.data.ranks.length} ranks from ${time(timeline.data.from_ns)} to ${time(timeline.data.to_ns)}, with ${timeline.waits.length} waits on the critical path`);
      element.append(h("div", { class: "rows" }, canvas, cursor), this.legend(timeline), chosen, this.listOf(view));
      this.follow(view);
    }
    const notes = [job.note, ...leftOut(job, run)].filter((note) => note !== "");
    for (const note of notes) element.append(h("p", { class: "quiet" }, plain(note, 400)));
    return view;
  }

  private legend(timeline: Timeline): HTMLElement {
    const item = (name: string, text: string): HTMLElement => h("span", {}, h("span", { class: `swatch ${name}` }), text);
    const legend = h("p", { class: "legend" });
    timeline.data.doings.forEach((doing, i) => legend.append(item(`doing-${i}`, plain(doing, 40))));
    if (timeline.steps.length > 0) legend.append(item("path", "critical path"));
    if (timeline.waits.length > 0) legend.append(item("waits", "waits on it: click on one to see where its packets are"));
    return legend;
  }

  private listOf(view: View): HTMLElement {
    const { waits } = view.timeline!;
    if (waits.length === 0) return h("div");
    const list = h("ul", { class: "trees" });
    for (const wait of waits.slice(0, kShown)) {
      const button = h("button", { type: "button", class: "plain" }, `${time(wait.waitsNs)}: ${wait.text}`);
      button.addEventListener("click", () => this.chooseWait(view, wait, wait.fromNs + wait.waitsNs / 2));
      list.append(h("li", {}, button, ...(wait.at === null ? [] : [h("small", {}, ` ${plain(this.nameOf(wait.at), 60)}`)])));
    }
    if (waits.length > kShown) list.append(h("li", { class: "quiet" }, `and ${waits.length - kShown} shorter ones`));
    return h("details", {}, h("summary", {}, "The longest waits on the critical path"), list);
  }
  private nameOf(at: Selection): string {
    if (at.kind === "node") return this.network.nodeName(at.node);
    return at.kind === "port" ? this.network.portName(at.port) : this.network.switchName(at.sw);
  }

  private follow(view: View): void {
    const { canvas } = view;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      const ns = this.timeAt(view, event), wait = this.waitAt(view, event);
      if (wait === null) this.seek(ns); else this.chooseWait(view, wait, ns);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.seek(this.timeAt(view, event));
      else canvas.title = this.titleAt(view, event);
    });
  }

  // Moves the slider to the wait and selects the place where its packet waits longest.
  private chooseWait(view: View, wait: Step, atNs: number): void {
    this.wait = wait;
    this.drawn = "";
    const button = (text: string, chosen: Chosen): HTMLButtonElement => {
      const made = h("button", { type: "button", class: "plain" }, plain(text));
      made.addEventListener("click", () => this.choose(chosen));
      return made;
    };
    for (const other of this.views) replace(other.chosen);
    const { at, root } = wait, { snapshots } = view.run;
    view.chosen.append(`The ${wait.text} waits for ${time(wait.waitsNs)}`);
    if (at !== null) view.chosen.append(`, ${wait.longestNs < wait.waitsNs ? `${time(wait.longestNs)} of it ` : ""}at `, button(this.nameOf(at), at));
    if (root !== null) view.chosen.append(" for ", button(this.network.rootName(root), { kind: "tree", key: rootKey(root), root }));
    const near = snapshots.timesNs[snapshots.nearest(atNs)];
    view.chosen.append(near >= wait.fromNs && near <= wait.toNs ? "." : `. No snapshot was taken during this step; the nearest one is at ${time(near)}.`);
    if (at === null) view.chosen.append(" The results do not say where.");
    this.seek(atNs);
    this.choose(at);
  }

  private timeAt({ canvas }: View, event: MouseEvent): number {
    const box = canvas.getBoundingClientRect(), share = (event.clientX - box.left - kLeft) / Math.max(1, box.width - kLeft);
    return this.fromNs + Math.max(0, Math.min(1, share)) * (this.toNs - this.fromNs);
  }
  private rowAt({ canvas, timeline }: View, event: MouseEvent): number {
    return Math.floor((event.clientY - canvas.getBoundingClientRect().top) / rowHeight(timeline!));
  }
  // The wait nearest to the mouse, if one is near.
  private waitAt(view: View, event: MouseEvent): Step | null {
    const { left, top, width } = view.canvas.getBoundingClientRect(), pitch = rowHeight(view.timeline!);
    const ns = this.timeAt(view, event), pixelsPerNs = (width - kLeft) / (this.toNs - this.fromNs);
    if (event.clientX < left + kLeft - kNear) return null;
    let best: Step | null = null, least = Infinity;
    for (const wait of view.timeline!.waits) {
      const across = Math.max(0, wait.fromNs - ns, ns - wait.fromNs - wait.waitsNs) * pixelsPerNs;
      const down = Math.abs(event.clientY - top - (wait.row + 0.5) * pitch);
      if (across > kNear || down > Math.max(kNear, pitch / 2) || across + down >= least) continue;
      best = wait;
      least = across + down;
    }
    return best;
  }
  private titleAt(view: View, event: MouseEvent): string {
    const { data, stretches } = view.timeline!, row = this.rowAt(view, event), ns = this.timeAt(view, event);
    const wait = this.waitAt(view, event);
    if (wait !== null) return `the ${wait.text} waits for ${time(wait.waitsNs)}${wait.at === null ? "" : `, at ${plain(this.nameOf(wait.at), 60)}`}`;
    if (row < 0 || row >= data.ranks.length) return "";
    const found = stretches.find((one) => one.row === row && one.fromNs <= ns && ns <= one.toNs);
    return `rank ${data.ranks[row]}${found === undefined ? "" : ` ${plain(data.doings[found.doing], 40)}`}, ${time(ns)}`;
  }

  draw(timeNs: number, theme: Theme): void {
    this.now = timeNs;
    this.theme = theme;
    if (this.element.hidden) return;
    const still = `${this.element.clientWidth} ${theme.dark} ${theme.text} ${window.devicePixelRatio}`;
    if (still !== this.drawn) for (const view of this.views) if (view.timeline !== null) this.drawView(view, view.timeline, theme);
    this.drawn = still;
    const share = (timeNs - this.fromNs) / (this.toNs - this.fromNs), inside = share >= 0 && share <= 1;
    for (const { run, timeline, cursor, reading } of this.views) {
      if (timeline === null) continue;
      const { from_ns: from, to_ns: to } = timeline.data;
      cursor.hidden = !inside || timeNs > run.endNs;
      cursor.style.left = `calc(${kLeft}px + ${share} * (100% - ${kLeft}px))`;
      cursor.style.bottom = `${kAxis}px`;
      reading.textContent = `${time(from)} to ${time(to)}${timeNs < from ? "; the slider is before it" : timeNs > run.endNs ? "; it has ended" : timeNs > to ? "; the slider is after it" : ""}`;
    }
  }

  private drawView({ canvas }: View, timeline: Timeline, theme: Theme): void {
    const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
    const width = Math.max(kLeft + 60, box.width), pitch = rowHeight(timeline), bottom = pitch * timeline.data.ranks.length;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round((bottom + kAxis) * ratio);
    const pen = canvas.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const perNs = (width - kLeft) / (this.toNs - this.fromNs);
    const x = (ns: number): number => kLeft + (ns - this.fromNs) * perNs, y = (row: number): number => (row + 0.5) * pitch;
    for (const { row, doing, fromNs, toNs } of timeline.stretches) {
      pen.fillStyle = kDoingColours[doing] ?? (theme.dark ? "#2c343d" : "#dddddd");
      pen.fillRect(x(fromNs), row * pitch + 0.1 * pitch, Math.max(0.3, (toNs - fromNs) * perNs), 0.8 * pitch);
    }
    const line = (fromNs: number, row: number, toNs: number, lastRow: number): void => { pen.moveTo(x(fromNs), y(row)); pen.lineTo(x(toNs), y(lastRow)); };
    const stroke = (colour: string, wide: number, draw: () => void): void => {
      pen.strokeStyle = colour;
      pen.lineWidth = wide;
      pen.beginPath();
      draw();
      pen.stroke();
    };
    stroke(theme.text, 1.5, () => timeline.steps.forEach((step) => line(step.fromNs + step.waitsNs, step.row, step.toNs, step.lastRow)));
    stroke(theme.dark ? "#ff6b5e" : "#d00000", 3, () => timeline.waits.forEach((wait) => line(wait.fromNs, wait.row, wait.fromNs + wait.waitsNs, wait.row)));
    const { wait } = this;
    if (wait !== null && timeline.waits.includes(wait)) stroke(theme.text, 2, () => pen.rect(x(wait.fromNs) - 2, wait.row * pitch, Math.max(4, wait.waitsNs * perNs + 4), pitch));
    this.drawAxes(pen, timeline, theme, width, x, y);
  }
  private drawAxes(pen: CanvasRenderingContext2D, timeline: Timeline, theme: Theme, width: number, x: (ns: number) => number, y: (row: number) => number): void {
    const { ranks } = timeline.data, bottom = rowHeight(timeline) * ranks.length, each = Math.ceil(12 / rowHeight(timeline));
    pen.fillStyle = theme.faint;
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (let row = 0; row < ranks.length; row += each) pen.fillText(String(ranks[row]), kLeft - 5, y(row));
    pen.textBaseline = "top";
    const ticks = Math.max(1, Math.floor((width - kLeft) / 160));
    for (let i = 0; i <= ticks; ++i) {
      const ns = this.fromNs + ((this.toNs - this.fromNs) * i) / ticks;
      pen.textAlign = i === 0 ? "left" : i === ticks ? "right" : "center";
      pen.fillText(time(ns), x(ns), bottom + 4);
    }
  }
}

function rowHeight({ data }: Timeline): number { return Math.max(4, Math.min(16, 420 / data.ranks.length)); }

// What a large run has and the page has not.
function leftOut({ timeline }: JobData, run: Run): string[] {
  const notes: string[] = [], jobs = run.data.jobs_left_out ?? 0;
  if (timeline !== null && timeline.ranks.length < timeline.all_ranks)
    notes.push(`${timeline.ranks.length} of ${timeline.all_ranks} ranks are shown: those on the critical path first, then the lowest.`);
  if (timeline !== null && timeline.slot_ns > 0) notes.push(`To stay small, the page shows what a busy rank does for most of the time in each slot of ${time(timeline.slot_ns)}.`);
  if (timeline !== null && timeline.steps_left_out > 0) notes.push(`The ${number(timeline.steps_left_out)} shortest steps of the critical path are not in this page.`);
  if (jobs > 0) notes.push(`${number(jobs)} more job${jobs === 1 ? " of the run is" : "s of the run are"} not in this page.`);
  return notes;
}
