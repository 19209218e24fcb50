// SPDX-License-Identifier: Apache-2.0
// Reads a file of snapshots (src/headway/observe/snapshot_format.h) by the rules of snapshot_reader.cpp beside it.
import { BadPage, inflate } from "./data";

export enum Track { link, lines, packets, waiting, root, next, hol, victims, backlog, sent, received }
const kTracks = 11;
const kRootKinds = ["link", "crossbar", "input", "window", "cycle", "receiver", "limiter", "outage"];

export interface Root { kind: string; port: number }
export interface Header {
  tickNs: number;
  packetBytes: number;
  nodes: number;
  graphPorts: number;
  queues: Uint32Array;    // [port of the graph, then output unit]
  capacity: Uint32Array;
  firstQueue: Uint32Array;  // [port], and one past the last
}

const kMagic = "headway snapshots 1\n";

function damaged(): never { throw new BadPage("The snapshots of this page are damaged."); }

class Numbers {
  at = 0;
  constructor(readonly bytes: Uint8Array) {}
  get ended(): boolean { return this.at >= this.bytes.length; }
  next(): number {
    let value = 0, factor = 1;
    for (let i = 0; i < 8; ++i) {
      if (this.at >= this.bytes.length) throw new BadPage("The snapshots of this page are cut off.");
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    return damaged();
  }
  below(limit: number): number {
    const value = this.next();
    if (value >= limit) damaged();
    return value;
  }
  signed(): number {
    const value = this.next();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  // A double, stored as an integer with the same bits.
  double(): number {
    let bits = BigInt(0);
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.ended) damaged();
      const byte = this.bytes[this.at++];
      bits |= BigInt(byte & 0x7f) << BigInt(shift);
      if (byte < 0x80) break;
    }
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, bits);
    return view.getFloat64(0);
  }
}

export class State {
  frame = -1;
  tracks: (Int32Array | Float64Array)[];  // of nodes: doubles, because bytes and backlogs exceed 32 bits
  constructor(header: Header) {
    const queues = header.firstQueue[header.queues.length];
    this.tracks = [];
    for (let track = 0; track < kTracks; ++track)
      this.tracks.push(track >= Track.backlog ? new Float64Array(header.nodes)
        : new Int32Array(track <= Track.lines ? header.graphPorts : queues));
  }
  assign(other: State): void {
    this.frame = other.frame;
    for (let track = 0; track < kTracks; ++track) this.tracks[track].set(other.tracks[track]);
  }
  of(track: Track): Int32Array { return this.tracks[track] as Int32Array; }  // of ports or queues
  ofNodes(track: Track): Float64Array { return this.tracks[track] as Float64Array; }
}

function readHeader(numbers: Numbers): Header {
  const kMost = 2 ** 32;
  const tickNs = numbers.double();
  const packetBytes = numbers.below(kMost), nodes = numbers.below(kMost), graphPorts = numbers.below(kMost);
  const ports = numbers.below(numbers.bytes.length);
  if (graphPorts > ports || nodes > ports) damaged();
  const queues = new Uint32Array(ports), capacity = new Uint32Array(ports), firstQueue = new Uint32Array(ports + 1);
  for (let port = 0; port < ports; ++port) queues[port] = numbers.below(65536);
  for (let port = 0; port < ports; ++port) capacity[port] = numbers.below(65536);
  for (let port = 0; port < ports; ++port) firstQueue[port + 1] = firstQueue[port] + queues[port];
  return { tickNs, packetBytes, nodes, graphPorts, queues, capacity, firstQueue };
}

// Keyframes cost memory; frames between them cost time.
const kMostKeyframeBytes = 256e6;
const kFramesPerKeyframe = 16;

export class Snapshots {
  readonly header: Header;
  readonly timesNs: number[] = [];  // [frame]
  readonly roots: Root[] = [];
  private readonly numbers: Numbers;
  private readonly offsets: number[] = [];          // [frame]
  private readonly contentsAt: number[] = [];       // [frame]
  private readonly keyframes: State[] = [];
  private readonly state: State;

  static async read(file: Uint8Array): Promise<Snapshots> {
    const name = new TextDecoder("latin1").decode(file.subarray(0, kMagic.length));
    if (name !== kMagic)
      throw new BadPage(name.startsWith("headway snapshots ")
        ? "The snapshots are of another version of Headway; the program in this page reads version 1."
        : "The data of this page are damaged: the page contains no valid snapshots.");
    return new Snapshots(await inflate(file.subarray(kMagic.length)));
  }

  private constructor(bytes: Uint8Array) {
    this.numbers = new Numbers(bytes);
    this.header = readHeader(this.numbers);
    this.state = new State(this.header);
    this.index();
  }

  get frames(): number { return this.timesNs.length; }

  // The state at a frame; the next call changes it.
  at(frame: number): State {
    const key = this.keyframes[Math.min(Math.floor(frame / this.spacing), this.keyframes.length - 1)];
    if (this.state.frame > frame || key.frame > this.state.frame) this.state.assign(key);
    while (this.state.frame < frame) this.advance(this.state);
    return this.state;
  }
  // The last frame at or before a time.
  frameAt(timeNs: number): number {
    let low = 0, high = this.frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.timesNs[middle] <= timeNs) low = middle; else high = middle - 1;
    }
    return low;
  }
  nearest(timeNs: number): number {
    const before = this.frameAt(timeNs), after = Math.min(before + 1, this.frames - 1);
    return Math.abs(this.timesNs[after] - timeNs) < Math.abs(timeNs - this.timesNs[before]) ? after : before;
  }
  // The values of a function for all frames.
  history(see: (state: State) => number): number[] {
    const state = new State(this.header);
    const seen: number[] = [];
    while (seen.length < this.frames) {
      this.advance(state);
      seen.push(see(state));
    }
    return seen;
  }
  // Packets of a queue by destination; null if they are not kept.
  contentsOf(queue: number, frame: number): Map<number, number> | null {
    let counts: Map<number, number> | null = null;
    for (let i = 0; i <= frame; ++i) {
      this.numbers.at = this.contentsAt[i];
      this.readContents((of, destination, change) => {
        if (of !== queue) return;
        if (destination < 0) { counts = null; return; }
        counts = counts ?? new Map<number, number>();
        const now = (counts.get(destination) ?? 0) + change;
        if (now > 0) counts.set(destination, now); else counts.delete(destination);
      });
    }
    return counts;
  }

  private spacing = kFramesPerKeyframe;

  private index(): void {
    const bytes = this.state.tracks.reduce((sum, track) => sum + track.byteLength, 0);
    const state = new State(this.header);
    let ticks = 0;
    while (!this.numbers.ended) {
      this.offsets.push(this.numbers.at);
      ticks += this.numbers.next();
      this.timesNs.push(ticks * this.header.tickNs);
      for (let fresh = this.numbers.next(); fresh > 0; --fresh)
        this.roots.push({ kind: kRootKinds[this.numbers.below(kRootKinds.length)], port: this.numbers.below(this.header.graphPorts) });
      this.readTracks(state);
      this.contentsAt.push(this.numbers.at);
      this.readContents(() => undefined);
      state.frame = this.frames - 1;
      if (state.frame % this.spacing !== 0) continue;
      const copy = new State(this.header);
      copy.assign(state);
      this.keyframes.push(copy);
      if (this.keyframes.length * bytes > kMostKeyframeBytes && this.keyframes.length > 1) this.thin();
    }
    if (this.frames === 0) throw new BadPage("The run kept no snapshots: it ended before the first one.");
    this.state.assign(this.keyframes[0]);
  }
  private thin(): void {
    this.spacing *= 2;
    const kept = this.keyframes.filter((key) => key.frame % this.spacing === 0);
    this.keyframes.splice(0, this.keyframes.length, ...kept);
  }

  private advance(state: State): void {
    this.numbers.at = this.offsets[state.frame + 1];
    this.numbers.next();
    for (let fresh = this.numbers.next(); fresh > 0; --fresh) { this.numbers.next(); this.numbers.next(); }
    this.readTracks(state);
    ++state.frame;
  }
  private readTracks(state: State): void {
    const numbers = this.numbers;
    for (const values of state.tracks) {
      let index = -1;
      for (let left = numbers.next(); left > 0; --left) {
        index += numbers.next() + 1;
        if (index >= values.length) damaged();
        values[index] += numbers.signed();
        if (values[index] < 0) damaged();
      }
    }
  }
  // A destination of -1 means that the queue's contents are no longer kept.
  private readContents(see: (queue: number, destination: number, change: number) => void): void {
    const numbers = this.numbers, queues = this.header.firstQueue[this.header.queues.length];
    let queue = -1;
    for (let left = numbers.next(); left > 0; --left) {
      queue += numbers.next() + 1;
      if (queue >= queues) damaged();
      const changes = numbers.next();
      if (changes === 0) see(queue, -1, 0);
      let destination = -1;
      for (let i = 0; i < changes; ++i) {
        destination += numbers.next() + 1;
        if (destination >= this.header.nodes) damaged();
        see(queue, destination, numbers.signed());
      }
    }
  }
}
