// SPDX-License-Identifier: Apache-2.0
// Draws the network at one instant, on a canvas or as SVG (svg.ts has the same functions).
import type { Geometry, Network } from "./network";
import { kLevels, kLinkClasses, Mode, scale, Theme } from "./values";

// The part of CanvasRenderingContext2D that is used.
export interface Pen {
  fillStyle: string | CanvasGradient | CanvasPattern;
  strokeStyle: string | CanvasGradient | CanvasPattern;
  lineWidth: number;
  globalAlpha: number;
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  lineCap: CanvasLineCap;
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void;
  stroke(): void;
  fillRect(x: number, y: number, w: number, h: number): void;
  strokeRect(x: number, y: number, w: number, h: number): void;
  arc(x: number, y: number, r: number, from: number, to: number): void;
  fillText(text: string, x: number, y: number): void;
  strokeText(text: string, x: number, y: number): void;
}

export interface Camera { zoom: number; x: number; y: number }  // pixels = layout * zoom + x

export interface DrawnTree { colour: string; branches: number[]; root: number; name: string; packets: number }

export interface Scene {
  ended: string;  // what is said instead of what waits, if a run has ended; otherwise empty
  mode: Mode;
  difference: boolean;
  values: Float32Array;  // [port]
  trees: DrawnTree[];    // the largest first
  selected: number[];    // ports
}

export type Selection =
  | { kind: "port"; port: number }
  | { kind: "switch"; sw: number }
  | { kind: "node"; node: number };

// Below this size of a cell in pixels, a switch is one box of a heat map.
const kDetail = 1.5;
const kOutlined = 6;  // pixels; from this side length on, such a box has an edge
const kMostLines = 20_000;
const kWidths = [0.8, 1.4, 2.2, 3.2];  // of branches, by the fill of the port; run.ts has as many

export class Drawing {
  constructor(readonly network: Network, readonly geometry: Geometry, readonly theme: Theme,
              readonly camera: Camera, readonly width: number, readonly height: number) {}

  private px(x: number): number { return x * this.camera.zoom + this.camera.x; }
  private py(y: number): number { return y * this.camera.zoom + this.camera.y; }
  get detailed(): boolean { return this.camera.zoom >= kDetail; }

  // Links do not change with time.
  links(pen: Pen): void {
    const { network, geometry } = this, longest = network.data.layout.longest;
    const count = network.ports / (network.bothWays ? 2 : 1);
    pen.strokeStyle = this.theme.link;
    pen.lineWidth = this.camera.zoom >= 4 ? 1 : 0.5;
    pen.globalAlpha = this.detailed ? 1 : Math.max(0.08, Math.min(1, 1200 / count));
    const every = Math.max(1, Math.floor(count / kMostLines));
    pen.beginPath();
    for (let port = 0; port < network.ports; ++port) {
      const peer = network.peerOf(port);
      if (peer < 0 || (network.bothWays && peer < port)) continue;
      // Chosen by a hash: a regular choice would show a pattern that does not exist.
      if (!this.detailed && (Math.imul(port, 0x9e3779b1) >>> 8) % every !== 0) continue;
      const [ax, ay, bx, by] = [this.px(geometry.outX[port]), this.py(geometry.outY[port]), this.px(geometry.inX[peer]), this.py(geometry.inY[peer])];
      if (Math.max(ax, bx) < 0 || Math.min(ax, bx) > this.width || Math.max(ay, by) < 0 || Math.min(ay, by) > this.height) continue;
      const long = Math.hypot(geometry.inX[peer] - geometry.outX[port], geometry.inY[peer] - geometry.outY[port]);
      if (longest > 0 && long > longest) {
        const part = (0.2 * longest) / long;
        pen.moveTo(ax, ay); pen.lineTo(ax + (bx - ax) * part, ay + (by - ay) * part);
        pen.moveTo(bx, by); pen.lineTo(bx + (ax - bx) * part, by + (ay - by) * part);
      } else {
        pen.moveTo(ax, ay);
        this.linkTo(pen, port, peer);
      }
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  // Draws from a port's output, where the pen is, to the input at the other end of its link.
  private linkTo(pen: Pen, port: number, peer: number): void {
    const { geometry } = this, bow = geometry.bowOf(port, peer), { zoom } = this.camera;
    const x = this.px(geometry.inX[peer]), y = this.py(geometry.inY[peer]);
    if (bow.x === 0 && bow.y === 0) { pen.lineTo(x, y); return; }
    pen.bezierCurveTo(this.px(geometry.outX[port]) + bow.x * zoom, this.py(geometry.outY[port]) + bow.y * zoom,
                      x + bow.x * zoom, y + bow.y * zoom, x, y);
  }

  private names(pen: Pen): void {
    const { names, stretch } = this.network.data.layout, { pull } = this.geometry;
    pen.fillStyle = this.theme.faint;
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = stretch === "y" ? "right" : "center";
    pen.strokeStyle = this.theme.back;
    pen.lineWidth = 4;
    for (const name of names) {
      const x = this.px(name.x * pull.x), y = this.py(name.y * pull.y);
      const at = stretch === "y" ? { x: Math.max(x - 6, 58), y } : { x, y: Math.max(y, 10) };
      pen.strokeText(name.text, at.x, at.y);
      pen.fillText(name.text, at.x, at.y);
    }
  }

  scene(pen: Pen, scene: Scene): void {
    if (scene.ended !== "") { this.ended(pen, scene.ended); return; }
    if (this.detailed) this.boxes(pen); else this.overview(pen, scene);
    this.branches(pen, scene);
    if (this.detailed) {
      this.cells(pen, scene);
      this.sinks(pen);
      this.labels(pen);
    }
    this.roots(pen, scene);
    this.marks(pen, scene);
    this.names(pen);
  }

  private ended(pen: Pen, text: string): void {
    if (this.detailed) { this.boxes(pen); this.labels(pen); }
    pen.font = "600 15px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.strokeStyle = this.theme.back;
    pen.lineWidth = 8;
    pen.strokeText(text, this.width / 2, this.height / 2);
    pen.fillStyle = this.theme.text;
    pen.fillText(text, this.width / 2, this.height / 2);
  }

  private colours(scene: Scene): string[] {
    return scene.mode === "link" && !scene.difference ? kLinkClasses.map((c) => c.colour) : scale(this.theme, scene.difference);
  }
  private levelOf(scene: Scene, value: number): number {
    if (scene.mode === "link" && !scene.difference) return value;
    if (!scene.difference) return value === 0 ? 0 : Math.max(1, Math.round(value * kLevels));
    return Math.round((value + 1) * 0.5 * kLevels);
  }

  private boxes(pen: Pen): void {
    const { network, geometry } = this, { width, height } = network.data.layout.switches, zoom = this.camera.zoom;
    pen.strokeStyle = this.theme.box;
    pen.lineWidth = 1;
    for (let sw = 0; sw < network.switches; ++sw) {
      const x = this.px(geometry.switchX[sw] - width[sw] / 2), y = this.py(geometry.switchY[sw] - height[sw] / 2);
      const w = width[sw] * zoom, hh = height[sw] * zoom;
      if (x > this.width || y > this.height || x + w < 0 || y + hh < 0) continue;
      pen.fillStyle = this.theme.back;
      pen.fillRect(x, y, w, hh);
      pen.strokeRect(x, y, w, hh);
    }
  }

  // Names of switches, above the lines that cross their boxes.
  private labels(pen: Pen): void {
    const { network, geometry } = this, { width } = network.data.layout.switches, zoom = this.camera.zoom;
    if (zoom < 9) return;
    for (let sw = 0; sw < network.switches; ++sw) {
      const x = this.px(geometry.switchX[sw]), y = this.py(geometry.switchY[sw]), w = width[sw] * zoom;
      if (w > 26 && x + w > 0 && x - w < this.width && y > 0 && y < this.height) this.label(pen, String(network.data.switch_names[sw] ?? sw), x, y, w);
    }
  }

  // Draws all cells of one colour together.
  private cells(pen: Pen, scene: Scene): void {
    const { network, geometry } = this, zoom = this.camera.zoom;
    const buckets: number[][] = [];
    for (let port = 0; port < network.ports; ++port) {
      const x = this.px(geometry.inX[port]), y = this.py(geometry.inY[port]);
      if (x < -zoom || y < -zoom || x > this.width + zoom || y > this.height + zoom) continue;
      if (!network.isNode(port) && network.peerOf(port) < 0 && network.sourceOf[port] < 0) continue;
      const level = this.levelOf(scene, scene.values[port]);
      (buckets[level] = buckets[level] ?? []).push(port);
    }
    const side = Math.max(1, zoom * 0.84), colours = this.colours(scene);
    buckets.forEach((ports, level) => {
      pen.fillStyle = colours[level] ?? this.theme.faint;
      for (const port of ports) {
        const node = network.isNode(port), lies = node && geometry.lying[port - network.switchPorts] === 1;
        const x = this.px(node ? geometry.outX[port] : geometry.inX[port]), y = this.py(node ? geometry.outY[port] : geometry.inY[port]);
        pen.fillRect(x - side / 2, y - side / 2, lies ? side * 1.6 : side, node && !lies ? side * 1.6 : side);
      }
    });
  }
  // Draws the sink cells of nodes that send and receive at different places.
  private sinks(pen: Pen): void {
    const { network, geometry } = this, side = Math.max(1, this.camera.zoom * 0.84);
    if (network.data.layout.sinks === null) return;
    pen.strokeStyle = this.theme.box;
    pen.lineWidth = 1;
    for (let port = network.switchPorts; port < network.ports; ++port)
      pen.strokeRect(this.px(geometry.inX[port]) - side / 2, this.py(geometry.inY[port]) - side / 2, side, side);
  }
  private label(pen: Pen, text: string, x: number, y: number, width: number): void {
    pen.fillStyle = this.theme.faint;
    pen.font = "10px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.strokeStyle = this.theme.back;
    pen.lineWidth = 3;
    const shown = text.length * 6 > width ? `${text.slice(0, Math.max(1, Math.floor(width / 6) - 1))}…` : text;
    pen.strokeText(shown, x, y);
    pen.fillText(shown, x, y);
  }

  // A map of stages by positions. A switch is a box at least one pixel wide; of several on one pixel, the extreme value
  // is shown.
  private overview(pen: Pen, scene: Scene): void {
    const { network, geometry } = this, layout = network.data.layout, zoom = this.camera.zoom;
    const band = layout.stretch === "y" ? Math.max(4, Math.min(26, zoom * geometry.pull.y * 4)) : 0;
    const boxes = new Map<number, { value: number; w: number; h: number }>();
    const put = (x: number, y: number, w: number, hh: number, value: number): void => {
      const left = Math.round(x - w / 2), top = Math.round(y - hh / 2);
      if (left > this.width || top > this.height || left + w < 0 || top + hh < 0) return;
      const key = (top + 4096) * 65536 + left + 4096, old = boxes.get(key);
      if (old === undefined || Math.abs(value) > Math.abs(old.value)) boxes.set(key, { value, w, h: hh });
    };
    for (let sw = 0; sw < network.switches; ++sw) {
      let sum = 0, count = 0, most = 0;
      for (let port = network.firstPort[sw]; port < network.firstPort[sw + 1]; ++port) {
        if (network.peerOf(port) < 0 && network.sourceOf[port] < 0) continue;
        sum += scene.values[port];
        ++count;
        most = Math.max(most, scene.values[port]);
      }
      const value = scene.mode === "link" && !scene.difference ? most : count === 0 ? 0 : sum / count;
      put(this.px(geometry.switchX[sw]), this.py(geometry.switchY[sw]), Math.max(1, layout.switches.width[sw] * zoom), Math.max(band, layout.switches.height[sw] * zoom, 1), value);
    }
    for (let port = network.switchPorts; port < network.ports; ++port)
      put(this.px(geometry.outX[port]), this.py(geometry.outY[port]), Math.max(1, zoom), Math.max(band / 2, zoom), scene.values[port]);
    const colours = this.colours(scene);
    pen.strokeStyle = this.theme.box;
    pen.lineWidth = 0.5;
    for (const [key, box] of boxes) {
      pen.fillStyle = colours[this.levelOf(scene, box.value)] ?? this.theme.faint;
      const x = (key % 65536) - 4096, y = Math.floor(key / 65536) - 4096;
      pen.fillRect(x, y, box.w, box.h);
      if (Math.min(box.w, box.h) >= kOutlined) pen.strokeRect(x + 0.5, y + 0.5, box.w - 1, box.h - 1);
    }
  }

  // Draws a line from each queue that waits for room, through its switch and over the link to the queue it waits for.
  private branches(pen: Pen, scene: Scene): void {
    // Of lines on the same pixels only one is drawn; in large networks most lines coincide.
    const detailed = this.detailed, drawn = new Set<number>();
    pen.lineCap = detailed ? "round" : "butt";
    let left = kMostLines;
    for (let i = scene.trees.length - 1; i >= 0; --i) {  // the largest on top
      const tree = scene.trees[i];
      pen.strokeStyle = tree.colour;
      pen.globalAlpha = 0.85;
      for (let wide = 0; wide < kWidths.length; ++wide) {
        pen.lineWidth = kWidths[wide] * Math.max(0.4, Math.min(1.3, this.camera.zoom / 3.5));
        pen.beginPath();
        for (let at = 0; at < tree.branches.length && left > 0; at += 3) {
          if (tree.branches[at + 2] !== wide) continue;
          const from = tree.branches[at], to = tree.branches[at + 1];
          if (!detailed) {
            const key = this.pixelKey(from, to);
            if (drawn.has(key)) continue;
            drawn.add(key);
          }
          this.branch(pen, from, to);
          --left;
        }
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
  }

  private pixelKey(from: number, to: number): number {
    const { network, geometry } = this, { ports } = network;
    // In layouts of rows and columns lines run side by side; in other layouts they run in all directions.
    const wide = network.data.layout.stretch === "none" ? 3 : 1;
    const a = from % ports, b = to % ports, cell = (x: number, y: number): number => (Math.round(x / wide) & 0x1fff) * 4096 + (Math.round(y / 4) & 0xfff);
    return cell(this.px(geometry.outX[a]), this.py(geometry.outY[a])) * 0x2000000 + cell(this.px(geometry.inX[b]), this.py(geometry.inY[b]));
  }

  // Ports behind those of the graph are output units: the output unit of port p has number ports + p.
  private branch(pen: Pen, from: number, to: number): void {
    const { network, geometry } = this, { ports } = network;
    const start = from % ports, outside = from >= ports || network.isNode(start);
    pen.moveTo(this.px((outside ? geometry.outX : geometry.inX)[start]), this.py((outside ? geometry.outY : geometry.inY)[start]));
    if (to >= ports) {
      pen.lineTo(this.px(geometry.outX[to - ports]), this.py(geometry.outY[to - ports]));
      return;
    }
    const link = network.sourceOf[to];
    if (link < 0) { pen.lineTo(this.px(geometry.inX[to]), this.py(geometry.inY[to])); return; }
    pen.lineTo(this.px(geometry.outX[link]), this.py(geometry.outY[link]));
    this.linkTo(pen, link, to);
  }

  private roots(pen: Pen, scene: Scene): void {
    const { network, geometry } = this;
    for (let i = scene.trees.length - 1; i >= 0; --i) {
      const { root, colour, name } = scene.trees[i];
      if (root >= network.ports) continue;
      const peer = network.peerOf(root);
      const ax = this.px(geometry.outX[root]), ay = this.py(geometry.outY[root]);
      pen.strokeStyle = colour;
      pen.lineWidth = 2.5;
      if (peer >= 0 && i < 12) {
        pen.beginPath();
        pen.moveTo(ax, ay);
        this.linkTo(pen, root, peer);
        pen.stroke();
      }
      pen.beginPath();
      pen.arc(ax, ay, i === 0 ? 9 : i < 8 ? 5 : 2.5, 0, 2 * Math.PI);
      pen.stroke();
      if (i === 0) this.rootLabel(pen, name, colour, ax, ay);
    }
  }
  private rootLabel(pen: Pen, name: string, colour: string, x: number, y: number): void {
    // Below the ring, where there are no cells, unless the picture ends there.
    const size = 13, wide = 0.56 * size * name.length + 8, right = x + wide + 8 > this.width;
    const left = right ? Math.max(2, x - wide) : x, middle = y + 34 > this.height ? y - 24 : y + 24;
    pen.fillStyle = this.theme.back;
    pen.globalAlpha = 0.85;
    pen.fillRect(left, middle - 10, wide, 20);
    pen.globalAlpha = 1;
    pen.font = `600 ${size}px system-ui, sans-serif`;
    pen.textBaseline = "middle";
    pen.textAlign = "left";
    pen.fillStyle = this.theme.text;
    pen.fillText(name, left + 4, middle);
    pen.strokeStyle = colour;
  }

  private marks(pen: Pen, scene: Scene): void {
    const side = Math.max(8, this.camera.zoom + 4);
    pen.strokeStyle = this.theme.text;
    pen.lineWidth = 2;
    for (const port of scene.selected) {
      const node = this.network.isNode(port);
      const x = this.px(node ? this.geometry.outX[port] : this.geometry.inX[port]), y = this.py(node ? this.geometry.outY[port] : this.geometry.inY[port]);
      pen.strokeRect(x - side / 2, y - side / 2, side, side);
    }
  }

  // Returns the object drawn at a pixel or a few pixels beside it.
  at(x: number, y: number): Selection | null {
    const { network, geometry } = this, { width, height } = network.data.layout.switches;
    const lx = (x - this.camera.x) / this.camera.zoom, ly = (y - this.camera.y) / this.camera.zoom;
    const near = Math.max(0.75, 5 / this.camera.zoom);
    let best = -1, least = near;
    for (let port = 0; port < network.ports; ++port) {
      if (!this.detailed && !network.isNode(port)) continue;
      const node = network.isNode(port);
      // In networks with one-way links, nodes are drawn at two places.
      const far = Math.min(Math.max(Math.abs(geometry.inX[port] - lx), Math.abs(geometry.inY[port] - ly)),
                           node ? Math.max(Math.abs(geometry.outX[port] - lx), Math.abs(geometry.outY[port] - ly)) : Infinity);
      if (far < least) { least = far; best = port; }
    }
    if (best >= 0) return network.isNode(best) ? { kind: "node", node: best - network.switchPorts } : { kind: "port", port: best };
    const band = this.detailed ? 0 : 10 / this.camera.zoom;
    let nearest = -1, distance = Infinity;
    for (let sw = 0; sw < network.switches; ++sw) {
      const dx = Math.abs(geometry.switchX[sw] - lx) - width[sw] / 2, dy = Math.abs(geometry.switchY[sw] - ly) - height[sw] / 2;
      if (dx > near || dy > band + near) continue;
      if (Math.max(dx, dy) < distance) { distance = Math.max(dx, dy); nearest = sw; }
    }
    return nearest >= 0 ? { kind: "switch", sw: nearest } : null;
  }
}
