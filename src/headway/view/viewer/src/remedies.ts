// SPDX-License-Identifier: Apache-2.0
// What changes of the spec gain, if `headway why --try` has measured it. The bars are those of `headway plot --table remedies`.
import { BadPage, type BarData, type MetricData, type RemedyData } from "./data";
import { h, number, plain } from "./dom";
import type { Network } from "./network";
import type { Chosen } from "./panel";
import type { Run } from "./run";

type Choose = (chosen: Chosen) => void;

const kHeads: Record<string, string> = {
  cause: "Causes: what is there, taken away", bound: "Bounds: better than can be", remedy: "Remedies", pair: "Pairs of these", own: "Your own changes",
};
const kColumns = 4;
const kLeastEnd = 1.5;  // of the axis, so that small gains look small
const kBeyond = 1.02;   // power of the largest gain: end of the axis

export function remediesOf(runs: Run[], network: Network, metrics: MetricData, choose: Choose): HTMLElement {
  const section = h("section", { id: "remedies", "aria-label": "what helps" }, h("h2", {}, "What helps"));
  section.hidden = true;
  for (const run of runs) {
    const { remedies } = run.data;
    if (remedies === undefined) continue;
    section.hidden = false;
    if (runs.length > 1) section.append(h("h3", {}, run.label));
    section.append(new Remedies(remedies, network, metrics, choose).element);
  }
  return section;
}

// The logarithmic axis of gains, in percent of the width of the bars.
class Axis {
  private readonly from: number;
  private readonly to: number;

  constructor(bars: BarData[]) {
    const gains = bars.flatMap(({ gain, low, high }) => [gain, low, high]).filter((gain): gain is number => gain !== null && gain > 0);
    this.from = Math.min(1, ...gains) ** kBeyond;
    this.to = Math.max(kLeastEnd, ...gains) ** kBeyond;
  }
  at(gain: number): number { return (100 * Math.log(gain / this.from)) / Math.log(this.to / this.from); }

  // The numbers below the bars, far enough from each other.
  ticks(): number[] {
    const near = 9;  // percent
    const steps = this.to / this.from < 10 ? [20, 10, 5, 2, 1].map((parts) => Array.from({ length: Math.ceil(this.to * parts) }, (_, i) => (i + 1) / parts)) : [];
    const decades = Array.from({ length: 13 }, (_, i) => i - 6);
    for (const digits of [[1, 2, 5], [1, 3], [1]]) steps.push(decades.flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`))));
    const fits = (ticks: number[]): boolean => ticks.every((tick, i) => i === 0 || this.at(tick) - this.at(ticks[i - 1]) >= near);
    const inside = steps.map((all) => all.filter((tick) => tick >= this.from && tick <= this.to));
    return inside.find((ticks) => ticks.length > 1 && fits(ticks)) ?? [1];
  }
}

class Remedies {
  readonly element = h("div");
  private readonly axis: Axis;

  constructor(private readonly data: RemedyData, private readonly network: Network, private readonly metrics: MetricData, private readonly choose: Choose) {
    if (!Array.isArray(data.bars)) throw new BadPage("The remedies of this page are damaged.");
    this.axis = new Axis(data.bars);
    const table = h("table");
    const others = data.bars.filter((bar) => !bar.main).length;
    table.append(h("colgroup", {}, h("col", { class: "change" }), data.base_ends ? h("col", { class: "bar" }) : null, h("col", { class: data.base_ends ? "gain" : "words" }), h("col")), this.head(), ...this.groups());
    this.element.append(h("p", {}, this.intro()), table);
    if (others > 0) this.element.append(this.toggle(table, others));
    if (data.skipped.length > 0)
      this.element.append(h("details", {}, h("summary", {}, "Changes that were not run"), h("ul", {}, ...data.skipped.map((sentence) => h("li", {}, plain(sentence, 1000))))));
  }

  private intro(): string {
    const metric = plain(this.data.metric, 60);
    if (!this.data.base_ends) return `Each line is a run with one change of the spec. Without changes, the run is deadlocked or does not end, so that no change has a gain in ${metric}.`;
    return `Each line is a run with one change of the spec. A bar says how many times better ${metric} is than without the change: to the right of the line at 1 it is ${this.data.better}, to the left ${this.data.worse}. ` +
      `Effects below ${number(100 * this.data.effect)} % are none. A thin line goes from the smallest to the largest gain over seeds. Click on a change for its options of headway run.`;
  }

  private head(): HTMLElement {
    const ticks = h("div", { class: "track", "aria-hidden": "true" });
    for (const tick of this.axis.ticks()) {
      const mark = h("span", { class: "tick" }, String(tick));
      mark.style.left = `${this.axis.at(tick)}%`;
      ticks.append(mark);
    }
    return h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "change"), this.data.base_ends ? h("td", { class: "bar" }, ticks) : null,
      h("th", { scope: "col", title: this.meaning("gain") }, this.data.base_ends ? "gain" : "outcome"), h("th", { scope: "col" }, this.data.base_ends ? "over seeds; costs" : "costs")));
  }

  private groups(): HTMLElement[] {
    return [...new Set(this.data.bars.map(({ kind }) => kind))].map((kind) => {
      const bars = this.data.bars.filter((bar) => bar.kind === kind), group = h("tbody");
      group.append(h("tr", { class: bars.some((bar) => bar.main) ? "" : "other" }, h("th", { scope: "rowgroup", colspan: String(kColumns) }, kHeads[kind] ?? plain(kind, 24))));
      for (const bar of bars) group.append(this.line(bar));
      this.hideOthers(group, true);
      return group;
    });
  }

  private line(bar: BarData): HTMLElement {
    const button = h("button", { type: "button", class: "plain", "aria-expanded": "false" }, plain(bar.change));
    const notes = [bar.range, bar.costs].filter((note) => note !== "").map((note) => plain(note));
    const row = h("tr", { class: bar.main ? "" : "other" }, h("th", { scope: "row" }, button), this.data.base_ends ? h("td", { class: "bar" }, this.track(bar)) : null,
      h("td", {}, plain(bar.text)), h("td", {}, notes.join("; ")));
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) row.nextElementSibling!.remove(); else row.after(this.details(bar));
    });
    return row;
  }

  private track(bar: BarData): HTMLElement {
    const track = h("div", { class: "track", "aria-hidden": "true" });
    const part = (name: string, from: number, to: number): void => {
      const element = h("span", { class: name });
      element.style.left = `${this.axis.at(from)}%`;
      if (to > from) element.style.width = `${this.axis.at(to) - this.axis.at(from)}%`;
      track.append(element);
    };
    if (bar.gain !== null && bar.gain > 0) part(`fill ${bar.kind}`, Math.min(1, bar.gain), Math.max(1, bar.gain));
    part("one", 1, 1);
    if (bar.low !== null && bar.high !== null && bar.low > 0 && bar.high > 1.02 * bar.low) part("range", bar.low, bar.high);
    return track;
  }

  // What else is known of a change, and how to run it by hand.
  private details(bar: BarData): HTMLElement {
    const code = h("code", {}, plain(bar.settings, 2000)), copy = h("button", { type: "button" }, "Copy"), said = h("span", { role: "status" });
    copy.addEventListener("click", () => void copied(bar.settings, code).then((done) => { said.textContent = done; }));
    const cell = h("td", { colspan: String(kColumns) }, "Options of headway run: ", code, copy, said);
    if (bar.others_worst !== null)
      cell.append(h("p", { title: this.meaning("others_worst") }, `The smallest gain of another flow or job is ${number(bar.others_worst)}.`));
    const links = linksOf(bar.settings, this.network);
    if (links.length > 0) cell.append(h("p", {}, "Show ", ...links.flatMap((port, i) => [i === 0 ? "" : ", ", this.place(port)])));
    return h("tr", { class: `more${bar.main ? "" : " other"}` }, cell);
  }
  private place(port: number): HTMLElement {
    const button = h("button", { type: "button", class: "plain" }, plain(this.network.portName(port)));
    button.addEventListener("click", () => this.choose({ kind: "port", port }));
    return button;
  }
  private toggle(table: HTMLElement, others: number): HTMLElement {
    const text = (open: boolean): string => (open ? "Show the best changes only" : `Show ${others} more change${others === 1 ? "" : "s"}`);
    const button = h("button", { type: "button", class: "plain", "aria-expanded": "false" }, text(false));
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(open));
      button.textContent = text(open);
      this.hideOthers(table, !open);
    });
    return h("p", {}, button);
  }
  private hideOthers(within: HTMLElement, hidden: boolean): void {
    for (const row of within.querySelectorAll<HTMLElement>("tr.other")) row.hidden = hidden;
  }

  private meaning(column: string): string { return this.metrics["remedies"]?.[column]?.help ?? ""; }
}

// Says what was done. A browser that forbids the clipboard selects the text instead.
async function copied(text: string, code: HTMLElement): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    window.getSelection()?.selectAllChildren(code);
    return "selected";
  }
}

// The ports of the links that a change gives another rate: "SWITCH:PORT" in what_if.usual_rates.
function linksOf(settings: string, network: Network): number[] {
  const list = /what_if\.usual_rates=\[([^\]]*)\]/.exec(settings)?.[1] ?? "";
  return [...list.matchAll(/"([^"]*):(\d+)"/g)].flatMap(([, name, port]) => {
    const named = network.data.switch_names.indexOf(name), sw = named >= 0 ? named : /^\d+$/.test(name) ? Number(name) : -1;
    if (sw < 0 || sw >= network.switches || Number(port) >= network.data.radix[sw]) return [];
    return [network.firstPort[sw] + Number(port)];
  });
}
