// SPDX-License-Identifier: Apache-2.0
// One picture of the network on the page: two canvases, of which only the upper one changes with time.
import { h } from "./dom";
import { Camera, Drawing, Scene, Selection } from "./draw";
import { Geometry, Network } from "./network";
import type { Theme } from "./values";

export class NetworkView {
  readonly element: HTMLElement;
  readonly title = h("h2");
  readonly still = h("canvas", { "aria-hidden": "true" });
  readonly moving = h("canvas", { role: "img", tabindex: "0" });
  drawing: Drawing | null = null;
  private drawn = "";

  constructor(readonly network: Network) {
    this.element = h("section", { class: "network" }, this.title, h("div", { class: "canvases" }, this.still, this.moving));
  }

  // The size of the picture in screen pixels.
  get size(): { width: number; height: number } {
    const box = this.moving.parentElement!.getBoundingClientRect();
    return { width: Math.max(80, box.width), height: Math.max(80, box.height) };
  }

  draw(scene: Scene, geometry: Geometry, camera: Camera, theme: Theme): void {
    const { width, height } = this.size, ratio = window.devicePixelRatio || 1;
    const drawing = new Drawing(this.network, geometry, theme, camera, width, height);
    this.drawing = drawing;
    const still = `${width} ${height} ${ratio} ${camera.zoom} ${camera.x} ${camera.y} ${theme.dark} ${geometry.pull.x} ${geometry.pull.y}`;
    if (still !== this.drawn) {
      this.drawn = still;
      for (const canvas of [this.still, this.moving]) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      const pen = this.still.getContext("2d")!;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawing.links(pen);
    }
    const pen = this.moving.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    drawing.scene(pen, scene);
  }

  at(event: MouseEvent): Selection | null {
    const box = this.moving.getBoundingClientRect();
    return this.drawing === null ? null : this.drawing.at(event.clientX - box.left, event.clientY - box.top);
  }
}

export function fitted(geometry: Geometry, width: number, height: number): Camera {
  const level = geometry.network.data.layout.stretch === "y";
  const left = level ? 64 : 16, right = 16, top = 18, bottom = 12;
  const wide = geometry.right - geometry.left, tall = geometry.bottom - geometry.top;
  const zoom = Math.min((width - left - right) / wide, (height - top - bottom) / tall);
  return {
    zoom,
    x: left + (width - left - right - wide * zoom) / 2 - geometry.left * zoom,
    y: top + (height - top - bottom - tall * zoom) / 2 - geometry.top * zoom,
  };
}
