// SPDX-License-Identifier: Apache-2.0
// Saves a still picture of the current frame.
import type { App } from "./app";
import { h, time } from "./dom";
import { SvgPen } from "./svg";

const kTitle = 30, kFoot = 26;

function offer(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function nameOf(app: App, suffix: string): string { return `headway-${Math.round(app.timeNs)}ns.${suffix}`; }
function titleOf(app: App, index: number): string { return `${app.shownViews[index].title.firstChild?.textContent ?? ""}, ${time(app.timeNs)}`; }

export async function savePng(app: App): Promise<void> {
  app.drawNow();
  const ratio = window.devicePixelRatio || 1, { width, height } = app.views[0].size, views = app.shownViews;
  const canvas = h("canvas");
  canvas.width = width * ratio;
  canvas.height = ((height + kTitle) * views.length + kFoot) * ratio;
  const pen = canvas.getContext("2d")!;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = app.theme.back;
  pen.fillRect(0, 0, width, canvas.height);
  views.forEach((view, i) => {
    const top = i * (height + kTitle);
    pen.fillStyle = app.theme.text;
    pen.font = "600 16px system-ui, sans-serif";
    pen.fillText(titleOf(app, i), 8, top + 20);
    pen.drawImage(view.still, 0, top + kTitle, width, height);
    pen.drawImage(view.moving, 0, top + kTitle, width, height);
  });
  legend(pen, app, views.length * (height + kTitle) + 16);
  const blob = await new Promise<Blob | null>((made) => canvas.toBlob(made, "image/png"));
  if (blob !== null) offer(blob, nameOf(app, "png"));
}

function legend(pen: Pick<CanvasRenderingContext2D, "fillStyle" | "fillRect" | "fillText" | "font" | "textAlign">, app: App, y: number): void {
  let x = 8;
  pen.font = "12px system-ui, sans-serif";
  pen.textAlign = "left";
  for (const { text, colour } of app.legendItems()) {
    pen.fillStyle = colour;
    pen.fillRect(x, y - 9, 12, 10);
    pen.fillStyle = app.theme.text;
    pen.fillText(text, x + 17, y);
    x += 40 + text.length * 6.5;
  }
}

export function saveSvg(app: App): void {
  app.drawNow();
  const { width, height } = app.views[0].size, views = app.shownViews, scenes = app.sceneOf(app.frames);
  const pen = new SvgPen(width, (height + kTitle) * views.length + kFoot, app.theme.back);
  views.forEach((view, i) => {
    pen.offset = i * (height + kTitle);
    pen.fillStyle = app.theme.text;
    pen.font = "600 16px sans-serif";
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.fillText(titleOf(app, i), 8, 20);
    pen.offset += kTitle;
    view.drawing?.links(pen);
    view.drawing?.scene(pen, scenes[i]);
  });
  pen.offset = 0;
  pen.textBaseline = "alphabetic";
  legend(pen, app, views.length * (height + kTitle) + 16);
  offer(new Blob([pen.finish()], { type: "image/svg+xml" }), nameOf(app, "svg"));
}
