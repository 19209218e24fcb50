// SPDX-License-Identifier: Apache-2.0
// Saves a still picture of the current frame.
import { h, time } from "./dom";
import type { Scene } from "./draw";
import type { NetworkView } from "./network_view";
import { SvgPen } from "./svg";
import type { Theme } from "./values";

// What a picture needs of the page.
interface Page {
  readonly theme: Theme;
  readonly timeNs: number;
  readonly frames: (number | null)[];
  readonly views: NetworkView[];
  readonly shownViews: NetworkView[];
  drawNow(): void;
  sceneOf(frames: (number | null)[]): Scene[];
  legendItems(): { text: string; colour: string }[];
}

const kTitle = 30, kFoot = 26;

function offer(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function nameOf(page: Page, suffix: string): string { return `headway-${Math.round(page.timeNs)}ns.${suffix}`; }
function titleOf(page: Page, index: number): string { return `${page.shownViews[index].title.firstChild?.textContent ?? ""}, ${time(page.timeNs)}`; }

export async function savePng(page: Page): Promise<void> {
  page.drawNow();
  const ratio = window.devicePixelRatio || 1, { width, height } = page.views[0].size, views = page.shownViews;
  const canvas = h("canvas");
  canvas.width = width * ratio;
  canvas.height = ((height + kTitle) * views.length + kFoot) * ratio;
  const pen = canvas.getContext("2d")!;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = page.theme.back;
  pen.fillRect(0, 0, width, canvas.height);
  views.forEach((view, i) => {
    const top = i * (height + kTitle);
    pen.fillStyle = page.theme.text;
    pen.font = "600 16px system-ui, sans-serif";
    pen.fillText(titleOf(page, i), 8, top + 20);
    pen.drawImage(view.still, 0, top + kTitle, width, height);
    pen.drawImage(view.moving, 0, top + kTitle, width, height);
  });
  legend(pen, page, views.length * (height + kTitle) + 16);
  const blob = await new Promise<Blob | null>((made) => canvas.toBlob(made, "image/png"));
  if (blob !== null) offer(blob, nameOf(page, "png"));
}

function legend(pen: Pick<CanvasRenderingContext2D, "fillStyle" | "fillRect" | "fillText" | "font" | "textAlign">, page: Page, y: number): void {
  let x = 8;
  pen.font = "12px system-ui, sans-serif";
  pen.textAlign = "left";
  for (const { text, colour } of page.legendItems()) {
    pen.fillStyle = colour;
    pen.fillRect(x, y - 9, 12, 10);
    pen.fillStyle = page.theme.text;
    pen.fillText(text, x + 17, y);
    x += 40 + text.length * 6.5;
  }
}

export function saveSvg(page: Page): void {
  page.drawNow();
  const { width, height } = page.views[0].size, views = page.shownViews, scenes = page.sceneOf(page.frames);
  const pen = new SvgPen(width, (height + kTitle) * views.length + kFoot, page.theme.back);
  views.forEach((view, i) => {
    pen.offset = i * (height + kTitle);
    pen.fillStyle = page.theme.text;
    pen.font = "600 16px sans-serif";
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.fillText(titleOf(page, i), 8, 20);
    pen.offset += kTitle;
    view.drawing?.links(pen);
    view.drawing?.scene(pen, scenes[i]);
  });
  pen.offset = 0;
  pen.textBaseline = "alphabetic";
  legend(pen, page, views.length * (height + kTitle) + 16);
  offer(new Blob([pen.finish()], { type: "image/svg+xml" }), nameOf(page, "svg"));
}
