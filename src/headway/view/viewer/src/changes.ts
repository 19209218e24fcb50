// SPDX-License-Identifier: Apache-2.0
// Links and routes that change during the runs: the marks in the series, and what has changed last.
import { namesIn } from "./data";
import { h, plain, time } from "./dom";
import type { Run } from "./run";
import type { Theme } from "./values";

interface Change { fromNs: number; toNs: number; what: string; linksDown: number }

// Each holds until the next one.
function changesOf(run: Run): Change[] {
  const { changes } = run.data;
  if (changes === undefined) return [];
  const times = changes["time_ns"], down = changes["down"];
  return namesIn(changes, "what").map((what, row) =>
    ({ fromNs: times[row] ?? 0, toNs: times[row + 1] ?? run.endNs, what, linksDown: down[row] ?? 0 }));
}

export class Changes {
  readonly element = h("p", { id: "changes" });
  private readonly all: { run: Run; changes: Change[] }[];

  constructor(private readonly runs: Run[]) {
    this.all = runs.map((run) => ({ run, changes: changesOf(run) })).filter(({ changes }) => changes.length > 0);
  }

  get legend(): string { return this.all.length === 0 ? "" : " Grey: links are down. Thin lines: links or routes change."; }

  // In a plot of these runs.
  mark(pen: CanvasRenderingContext2D, runs: Run[], theme: Theme, x: (ns: number) => number, height: number): void {
    pen.fillStyle = theme.faint;
    for (const { run, changes } of this.all) {
      if (!runs.includes(run)) continue;
      for (const { fromNs, toNs, linksDown } of changes) {
        pen.globalAlpha = 0.18;
        if (linksDown > 0) pen.fillRect(x(fromNs), 0, Math.max(1, x(toNs - fromNs)), height);
        pen.globalAlpha = 0.6;
        pen.fillRect(x(fromNs), 0, 0.75, height);
      }
    }
    pen.globalAlpha = 1;
  }

  tell(nowNs: number): void {
    this.element.textContent = this.all.map(({ run, changes }) => {
      const last = changes.filter(({ fromNs }) => fromNs <= nowNs).pop();
      const text = last === undefined ? "no link or route has changed yet" : `${time(last.fromNs)}: ${plain(last.what)}`;
      return this.runs.length > 1 ? `${run.label}: ${text}` : `Last change: ${text}`;
    }).join(" | ");
  }
}
