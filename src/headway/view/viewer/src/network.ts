// SPDX-License-Identifier: Apache-2.0
// The network: ports, their names and their places in the picture.
import { NetworkData } from "./data";
import type { Root } from "./snapshots";

export class Network {
  readonly nodes: number;
  readonly switches: number;
  readonly switchPorts: number;
  readonly ports: number;
  readonly firstPort: Uint32Array;  // [switch], and one past the last
  readonly switchOf: Uint32Array;   // [switch port]
  readonly sourceOf: Int32Array;    // [input] the output that feeds it, or -1
  readonly bothWays: boolean;

  constructor(readonly data: NetworkData) {
    this.nodes = data.nodes;
    this.switches = data.radix.length;
    this.firstPort = new Uint32Array(this.switches + 1);
    for (let sw = 0; sw < this.switches; ++sw) this.firstPort[sw + 1] = this.firstPort[sw] + data.radix[sw];
    this.switchPorts = this.firstPort[this.switches];
    this.ports = this.switchPorts + this.nodes;
    this.switchOf = new Uint32Array(this.switchPorts);
    for (let sw = 0; sw < this.switches; ++sw) this.switchOf.fill(sw, this.firstPort[sw], this.firstPort[sw + 1]);
    this.sourceOf = new Int32Array(this.ports).fill(-1);
    let bothWays = true;
    for (let port = 0; port < this.ports; ++port)
      if (data.peers[port] >= 0) {
        this.sourceOf[data.peers[port]] = port;
        bothWays = bothWays && data.peers[data.peers[port]] === port;
      }
    this.bothWays = bothWays;
  }

  peerOf(port: number): number { return this.data.peers[port]; }
  isNode(port: number): boolean { return port >= this.switchPorts; }
  switchName(sw: number): string { return `switch ${this.data.switch_names[sw] ?? sw}`; }
  nodeName(node: number): string { return `node ${this.data.node_names[node] ?? node}`; }
  deviceName(port: number): string {
    return this.isNode(port) ? this.nodeName(port - this.switchPorts) : this.switchName(this.switchOf[port]);
  }
  portName(port: number): string {
    if (this.isNode(port)) return this.deviceName(port);
    return `${this.deviceName(port)}, port ${port - this.firstPort[this.switchOf[port]]}`;
  }
  // The wording of `headway why`; docs/waiting.md lists the kinds.
  rootName(root: Root): string {
    const peer = this.peerOf(root.port);
    const link = `the link from ${this.deviceName(root.port)}${peer < 0 ? "" : ` to ${this.deviceName(peer)}`}`;
    switch (root.kind) {
      case "link": return link;
      case "crossbar": return `the crossbar of ${this.deviceName(root.port)} towards ${peer < 0 ? "no device" : this.deviceName(peer)}`;
      case "input": return `the input of ${this.portName(root.port)}`;
      case "window": return `the credits of ${this.portName(root.port)}`;
      case "outage": return `${link}, which is down`;
      case "limiter": return `${this.deviceName(root.port)}, which has slowed its flows down`;
      case "receiver": return `${this.deviceName(root.port)}, which consumes packets slowly`;
      default: return `a cycle of queues at ${this.portName(root.port)}`;
    }
  }
}

export function rootKey(root: Root): string { return `${root.kind}:${root.port}`; }

export interface Point { x: number; y: number }

const kLeastBow = 0.3;  // fraction of the longest bow
const kOut: Record<string, [number, number]> = { t: [0, -1], b: [0, 1], l: [-1, 0], r: [1, 0] };

// The places of ports, with rows or columns spread to fill a window with a given aspect ratio.
export class Geometry {
  readonly inX: Float32Array;  // [port] cell of its input side
  readonly inY: Float32Array;
  readonly outX: Float32Array;  // [port] where its link begins
  readonly outY: Float32Array;
  readonly switchX: Float32Array;
  readonly switchY: Float32Array;
  readonly lying: Uint8Array;  // [node] its cell is wider than high because others may be above and below it
  readonly pull: Point;  // factors of the layout's coordinates
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;

  constructor(readonly network: Network, aspect: number) {
    const layout = network.data.layout;
    this.pull = Geometry.pullOf(network, aspect);
    const ports = network.ports;
    this.inX = new Float32Array(ports);
    this.inY = new Float32Array(ports);
    this.switchX = Float32Array.from(layout.switches.x, (x) => x * this.pull.x);
    this.switchY = Float32Array.from(layout.switches.y, (y) => y * this.pull.y);
    for (let sw = 0; sw < network.switches; ++sw) this.placePorts(sw);
    for (let node = 0; node < network.nodes; ++node) {
      const at = layout.sinks ?? layout.nodes, port = network.switchPorts + node, inside = this.portOfInside(port);
      this.inX[port] = inside < 0 ? at.x[node] * this.pull.x : this.inX[inside];
      this.inY[port] = inside < 0 ? at.y[node] * this.pull.y : this.inY[inside];
    }
    this.outX = this.inX.slice();
    this.outY = this.inY.slice();
    for (let port = 0; port < ports; ++port) this.placeOutput(port);
    this.lying = Uint8Array.from({ length: network.nodes }, (_, node) => Number(this.lies(network.switchPorts + node)));
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    const see = (x: number, y: number, w: number, h: number): void => {
      left = Math.min(left, x - w / 2); right = Math.max(right, x + w / 2);
      top = Math.min(top, y - h / 2); bottom = Math.max(bottom, y + h / 2);
    };
    for (let sw = 0; sw < network.switches; ++sw)
      see(this.switchX[sw], this.switchY[sw], layout.switches.width[sw], layout.switches.height[sw]);
    for (let port = network.switchPorts; port < ports; ++port) {
      see(this.inX[port], this.inY[port], 1, 1);
      see(this.outX[port], this.outY[port], 1, 1);
    }
    if (layout.stretch === "none")  // otherwise names are in the margin
      for (const name of layout.names) see(name.x, name.y, 1, 1);
    [this.left, this.right, this.top, this.bottom] = [left, right, top, bottom];
  }

  // Gives the drawing the window's aspect ratio, if its rows or columns can be spread.
  static pullOf(network: Network, aspect: number): Point {
    const layout = network.data.layout;
    const extent = (values: number[][]): number => {
      let least = Infinity, most = -Infinity;
      for (const list of values) for (const value of list) { least = Math.min(least, value); most = Math.max(most, value); }
      return Math.max(most - least, 1);
    };
    const sinks = layout.sinks ?? layout.nodes;
    const width = extent([layout.switches.x, layout.nodes.x, sinks.x]) + 1;
    const height = extent([layout.switches.y, layout.nodes.y, sinks.y]) + 1;
    if (layout.stretch === "y") return { x: 1, y: Math.max(1, width / aspect / height) };
    if (layout.stretch === "x") return { x: Math.max(1, (height * aspect) / width), y: 1 };
    return { x: 1, y: 1 };
  }

  private lies(port: number): boolean {
    const { stretch } = this.network.data.layout, peer = this.network.peerOf(port);
    if (stretch !== "none" || peer < 0) return stretch === "x";
    return Math.abs(this.inX[peer] - this.outX[port]) > Math.abs(this.inY[peer] - this.outY[port]);
  }

  // How far and in which direction a link curves away from the sides of its two boxes.
  bowOf(from: number, to: number): Point {
    const { network } = this, { arc, longest, sides } = network.data.layout;
    if (arc === 0 || network.isNode(from) || network.isNode(to) || sides[from] !== sides[to]) return { x: 0, y: 0 };
    const long = Math.hypot(this.inX[to] - this.outX[from], this.inY[to] - this.outY[from]);
    const bow = arc * (kLeastBow + (1 - kLeastBow) * Math.min(1, long / longest)), [x, y] = kOut[sides[from]];
    return { x: x * bow, y: y * bow };
  }

  // Of a node inside of a switch, the port of the switch that leads to it; otherwise -1.
  private portOfInside(port: number): number {
    const peer = this.network.peerOf(port);
    return peer >= 0 && this.network.data.layout.sides[peer] === "m" ? peer : -1;
  }

  private placePorts(sw: number): void {
    const { network } = this, { sides, switches } = network.data.layout;
    const first = network.firstPort[sw], end = network.firstPort[sw + 1];
    const count: Record<string, number> = {}, seen: Record<string, number> = {};
    for (let port = first; port < end; ++port) count[sides[port]] = (count[sides[port]] ?? 0) + 1;
    const x = this.switchX[sw], y = this.switchY[sw];
    const halfW = switches.width[sw] / 2 - 0.5, halfH = switches.height[sw] / 2 - 0.5;
    for (let port = first; port < end; ++port) {
      const side = sides[port];
      const along = (seen[side] = (seen[side] ?? 0) + 1) - 0.5 - count[side] / 2;
      if (side === "m") {
        this.inX[port] = x + along * Math.min(1, switches.width[sw] / count[side]);
        this.inY[port] = y;
        continue;
      }
      const level = side === "t" || side === "b";
      this.inX[port] = level ? x + along : side === "r" ? x + halfW : x - halfW;
      this.inY[port] = level ? (side === "t" ? y - halfH : y + halfH) : y + along;
    }
  }
  private placeOutput(port: number): void {
    const { network } = this, layout = network.data.layout;
    if (network.isNode(port) && this.portOfInside(port) < 0) {
      this.outX[port] = layout.nodes.x[port - network.switchPorts] * this.pull.x;
      this.outY[port] = layout.nodes.y[port - network.switchPorts] * this.pull.y;
    } else if (layout.sides[port] === "x") {
      this.outX[port] = this.inX[port] + layout.switches.width[network.switchOf[port]] - 1;
    }
  }
}
