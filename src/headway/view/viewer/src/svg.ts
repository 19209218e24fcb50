// SPDX-License-Identifier: Apache-2.0
// A pen for draw.ts that writes an SVG file.
import type { Pen } from "./draw";

export class SvgPen implements Pen {
  fillStyle: string | CanvasGradient | CanvasPattern = "#000";
  strokeStyle: string | CanvasGradient | CanvasPattern = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "12px sans-serif";
  textAlign: CanvasTextAlign = "left";
  textBaseline: CanvasTextBaseline = "alphabetic";
  lineCap: CanvasLineCap = "butt";
  offset = 0;  // down
  private path = "";
  private readonly parts: string[] = [];

  constructor(width: number, height: number, back: string) {
    this.parts.push(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
      `<rect width="100%" height="100%" fill="${back}"/>`);
  }
  finish(): string { return [...this.parts, "</svg>"].join("\n"); }

  beginPath(): void { this.path = ""; }
  moveTo(x: number, y: number): void { this.path += `M${short(x)} ${short(y + this.offset)}`; }
  lineTo(x: number, y: number): void { this.path += `L${short(x)} ${short(y + this.offset)}`; }
  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.path += `C${short(ax)} ${short(ay + this.offset)} ${short(bx)} ${short(by + this.offset)} ${short(x)} ${short(y + this.offset)}`;
  }
  arc(x: number, y: number, r: number): void {
    this.path += `M${short(x - r)} ${short(y + this.offset)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  }
  stroke(): void {
    if (this.path !== "") this.parts.push(`<path d="${this.path}" fill="none" ${this.line()} opacity="${this.globalAlpha}" stroke-linecap="${this.lineCap}"/>`);
  }
  fillRect(x: number, y: number, w: number, h: number): void {
    this.parts.push(`<rect x="${short(x)}" y="${short(y + this.offset)}" width="${short(w)}" height="${short(h)}" fill="${String(this.fillStyle)}"/>`);
  }
  strokeRect(x: number, y: number, w: number, h: number): void {
    this.parts.push(`<rect x="${short(x)}" y="${short(y + this.offset)}" width="${short(w)}" height="${short(h)}" fill="none" ${this.line()}/>`);
  }
  fillText(text: string, x: number, y: number): void { this.text(text, x, y, `fill="${String(this.fillStyle)}"`); }
  strokeText(text: string, x: number, y: number): void { this.text(text, x, y, `fill="none" stroke-linejoin="round" ${this.line()}`); }

  private line(): string { return `stroke="${String(this.strokeStyle)}" stroke-width="${this.lineWidth}"`; }
  private text(text: string, x: number, y: number, style: string): void {
    const anchor = { left: "start", start: "start", center: "middle", right: "end", end: "end" }[this.textAlign];
    const [, weight, size] = /^(\d+ )?(\d+)px/.exec(this.font) ?? [];
    const base = this.textBaseline === "middle" ? ' dominant-baseline="central"' : "";
    this.parts.push(`<text x="${short(x)}" y="${short(y + this.offset)}" font-family="sans-serif" font-size="${size ?? 12}" font-weight="${(weight ?? "400").trim()}" text-anchor="${anchor}"${base} ${style}>${escaped(text)}</text>`);
  }
}

function short(value: number): string { return String(Math.round(value * 10) / 10); }
function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
