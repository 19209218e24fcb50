// SPDX-License-Identifier: Apache-2.0
// The series of the runs, on the time axis of the slider.
import type { Changes } from "./changes";
import { type MetricData, namesIn } from "./data";
import { h, number, plain } from "./dom";
import type { Run } from "./run";
import type { Theme } from "./values";

interface Line { run: Run; metric: string; colour: string; dashed: boolean }
// `names`: of the lines, if they are flows; each is shown in the colour of its line.
interface Plot { title: string; metric: string; lines: Line[]; stacked: boolean; factor: number; unit: string; names?: string[] }

// Classes of packets (docs/waiting.md), the worst first. Okabe and Ito's colours.
const kClasses: { metric: string; name: string; colour: string }[] = [
  { metric: "wait_room_packets", name: "room", colour: "#D55E00" },
  { metric: "wait_paused_packets", name: "room in a paused lane", colour: "#CC79A7" },
  { metric: "hol_packets", name: "head-of-line blocking", colour: "#E69F00" },
  { metric: "wait_output_packets", name: "output", colour: "#0072B2" },
  { metric: "wait_serial_packets", name: "own transfers", colour: "#56B4E9" },
  { metric: "wait_input_packets", name: "input", colour: "#009E73" },
  { metric: "transit_packets", name: "under way", colour: "#b9bfc7" },
];
// The classes that one of the runs has.
export const classesOf = (runs: Run[]) =>
  kClasses.filter(({ metric }) => runs.some((run) => run.data.series[metric] !== undefined));
export const kRunColours = ["#0072B2", "#D55E00"];

const kFlowColours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];

// A plot of a column of the table flow_series, with a line for each of the first flows.
function plotOfFlows(run: Run, title: string, column: string, factor: number, unit: string): Plot {
  const names = namesIn(run.data.per_flow, "flow").slice(0, kFlowColours.length);
  return {
    title, metric: `flow.${column}`, factor, unit, stacked: false, names,
    lines: names.map((name, i) => ({ run, metric: `${name}.${column}`, colour: kFlowColours[i], dashed: false })),
  };
}

function plotsOf(runs: Run[]): Plot[] {
  const of = (title: string, metric: string, factor = 1, unit = ""): Plot => ({
    title, metric, factor, unit, stacked: false,
    lines: runs.map((run, i) => ({ run, metric, colour: kRunColours[i], dashed: i > 0 })),
  });
  const load = of("Accepted load", "network_efficiency", 1, "of link rate");
  load.lines.push({ run: runs[0], metric: "offered_efficiency", colour: "", dashed: true });
  const plots = [load, of("Mean latency", "latency_mean_ns", 1e-3, "µs")];
  for (const run of runs)
    plots.push({
      title: `What packets wait for${runs.length > 1 ? `: ${run.label}` : ""}`, metric: "wait_room_packets",
      factor: 1, unit: "packets", stacked: true,
      lines: classesOf([run]).map(({ metric, colour }) => ({ run, metric, colour, dashed: false })),
    });
  for (const run of runs) {
    const title = runs.length > 1 ? ` in ${run.label}` : "";
    plots.push(plotOfFlows(run, `Accepted load of flows${title}`, "accepted_load", 1, "of link rate"),
               plotOfFlows(run, `Mean latency of flows${title}`, "latency_mean_ns", 1e-3, "µs"),
               plotOfFlows(run, `Victims among flows${title}`, "victim_packets", 1, "packets"));
  }
  plots.push(of("Marked packets", "marks", 1, "packets"), of("Limited flows", "limited_flows", 1, "flows"),
             of("Mean rate of limited flows", "limited_rate_mean", 1, "of link rate"),
             of("Paused lanes", "paused_lanes", 1, "lanes"), of("Lost packets", "packets_lost", 1, "packets"));
  plots.push(of("Packets in trees", "tree_packets"), of("Congestion trees", "trees"), of("Victims", "victim_packets"));
  return plots.filter((plot) => plot.lines.some(({ run, metric }) => run.data.series[metric] !== undefined));
}

export class Series {
  readonly element = h("div", { class: "series", role: "group", "aria-label": "series over time" });
  private readonly plots: Plot[];
  private readonly canvases: HTMLCanvasElement[] = [];
  private readonly readings: HTMLElement[] = [];
  private readonly cursors: HTMLElement[] = [];
  private now = 0;
  private drawn = "";

  constructor(runs: Run[], metrics: MetricData, private readonly endNs: number,
              private readonly changes: Changes, private readonly seek: (timeNs: number) => void) {
    this.plots = plotsOf(runs);
    for (const plot of this.plots) {
      const meaning = metrics["series"]?.[plot.metric];
      const canvas = h("canvas", { role: "img", "aria-label": `${plot.title} over time` });
      const reading = h("span", { class: "reading" }), cursor = h("div", { class: "cursor" });
      this.cursors.push(cursor);
      this.canvases.push(canvas);
      this.readings.push(reading);
      const unit = plot.unit || meaning?.unit || "";
      const title = h("h3", { title: meaning === undefined ? "" : `${plot.metric}: ${meaning.help}` }, plot.title, h("small", {}, ` ${unit}`));
      for (const [i, name] of (plot.names ?? []).entries()) {
        const label = h("small", {}, ` ${plain(name, 24)}`);
        label.style.color = plot.lines[i].colour;
        title.append(label);
      }
      this.element.append(h("figure", { "data-metric": plot.metric }, h("figcaption", {}, title, reading), h("div", { class: "plot" }, canvas, cursor)));
      this.follow(canvas);
    }
  }

  private follow(canvas: HTMLCanvasElement): void {
    const to = (event: PointerEvent): void => {
      const box = canvas.getBoundingClientRect();
      this.seek(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * this.endNs);
    };
    canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); to(event); });
    canvas.addEventListener("pointermove", (event) => { if (event.buttons & 1) to(event); });
  }

  draw(timeNs: number, theme: Theme): void {
    this.now = timeNs;
    const still = `${this.element.clientWidth} ${theme.dark} ${theme.text} ${window.devicePixelRatio}`;
    if (still !== this.drawn) this.plots.forEach((plot, i) => this.drawPlot(plot, this.canvases[i], theme));
    this.drawn = still;
    this.plots.forEach((plot, i) => {
      this.cursors[i].style.left = `${(100 * timeNs) / this.endNs}%`;
      this.readings[i].textContent = this.read(plot);
    });
  }

  private bin(line: Line): number {
    const times = line.run.data.series["time_ns"];
    const found = times.findIndex((end) => (end ?? 0) >= this.now);
    return found < 0 ? times.length - 1 : found;
  }

  private drawPlot(plot: Plot, canvas: HTMLCanvasElement, theme: Theme): void {
    const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
    const width = Math.max(60, box.width), height = Math.max(40, box.height);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    // Plots of the same metric share a scale.
    const most = Math.max(...this.plots.filter((other) => other.stacked === plot.stacked && other.metric === plot.metric).map((other) => this.most(other)));
    const x = (ns: number): number => (ns / this.endNs) * width;
    const y = (value: number): number => height - 1 - (value / most) * (height - 14);
    this.changes.mark(pen, plot.lines.map(({ run }) => run), theme, x, height);
    if (plot.stacked) this.stack(pen, plot, x, y); else for (const line of plot.lines) this.line(pen, line, plot.factor, theme, x, y);
    pen.setLineDash([]);
    pen.fillStyle = theme.faint;
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "top";
    pen.fillText(number(Number(most.toPrecision(2))), 3, 1);
  }

  private read(plot: Plot): string {
    if (plot.stacked) return "";
    return plot.lines.filter((line) => line.colour !== "").map((line) => {
      const value = this.now > line.run.endNs ? null : line.run.data.series[line.metric]?.[this.bin(line)];
      return number(value === null || value === undefined ? null : Number((value * plot.factor).toPrecision(4)));
    }).join(" | ");
  }

  private most(plot: Plot): number {
    let most = 0;
    if (plot.stacked) {
      const rows = plot.lines[0].run.data.series["time_ns"].length;
      for (let row = 0; row < rows; ++row)
        most = Math.max(most, plot.lines.reduce((sum, { run, metric }) => sum + (run.data.series[metric]?.[row] ?? 0), 0));
    } else {
      for (const { run, metric } of plot.lines)
        for (const value of run.data.series[metric] ?? []) most = Math.max(most, (value ?? 0) * plot.factor);
    }
    return most || 1;
  }

  private line(pen: CanvasRenderingContext2D, line: Line, factor: number, theme: Theme, x: (ns: number) => number, y: (value: number) => number): void {
    const times = line.run.data.series["time_ns"], values = line.run.data.series[line.metric] ?? [];
    pen.strokeStyle = line.colour || theme.faint;
    pen.lineWidth = line.colour === "" ? 1 : 1.8;
    pen.setLineDash(line.colour === "" ? [2, 3] : line.dashed ? [5, 3] : []);
    pen.beginPath();
    let started = false;
    values.forEach((value, row) => {
      if (value === null) { started = false; return; }
      const before = row === 0 ? 0 : times[row - 1] ?? 0, middle = (before + (times[row] ?? 0)) / 2;
      if (started) pen.lineTo(x(middle), y(value * factor)); else pen.moveTo(x(middle), y(value * factor));
      // A bin between bins without a value is a stroke of its own.
      if (!started && (values[row + 1] ?? null) === null) pen.lineTo(x(middle) + 2, y(value * factor));
      started = true;
    });
    pen.stroke();
  }

  private stack(pen: CanvasRenderingContext2D, plot: Plot, x: (ns: number) => number, y: (value: number) => number): void {
    const times = plot.lines[0].run.data.series["time_ns"];
    const below = new Array<number>(times.length).fill(0);
    for (const { run, metric, colour } of plot.lines) {
      const values = run.data.series[metric] ?? [];
      pen.fillStyle = colour;
      times.forEach((end, row) => {
        const start = row === 0 ? 0 : times[row - 1] ?? 0, value = values[row] ?? 0;
        const top = y(below[row] + value);
        pen.fillRect(x(start), top, Math.max(1, x((end ?? 0) - start) + 0.4), y(below[row]) - top);
        below[row] += value;
      });
    }
  }
}
