// SPDX-License-Identifier: Apache-2.0
// The meaning of the ports' colours.
import type { Run } from "./run";
import { State, Track } from "./snapshots";

export type Mode = "occupancy" | "link" | "room" | "hol" | "victims" | "lines";

export const kModes: { mode: Mode; name: string; metric: string }[] = [
  { mode: "occupancy", name: "how full the ports are", metric: "occupancy" },
  { mode: "link", name: "what the links do", metric: "link_state" },
  { mode: "room", name: "waiting for room", metric: "room_packets" },
  { mode: "hol", name: "head-of-line blocking", metric: "port_hol_packets" },
  { mode: "victims", name: "victims of congestion", metric: "port_victim_packets" },
  { mode: "lines", name: "isolation lines (CFQs, SAQs)", metric: "lines" },
];

// Classes of link time, as in docs/waiting.md. The colours are those of Okabe and Ito, which the colour-blind can
// distinguish.
export const kLinkClasses: { name: string; metric: string; colour: string }[] = [
  { name: "busy", metric: "busy", colour: "#009E73" },
  { name: "feedback", metric: "feedback", colour: "#56B4E9" },
  { name: "unwanted", metric: "unwanted", colour: "#b9bfc7" },
  { name: "starved", metric: "starved", colour: "#7d8590" },
  { name: "lost by head-of-line blocking", metric: "lost_hol", colour: "#E69F00" },
  { name: "lost to busy inputs", metric: "lost_input", colour: "#F0E442" },
  { name: "lost for lack of room", metric: "lost_room", colour: "#D55E00" },
  { name: "throttled", metric: "throttled", colour: "#CC79A7" },
  { name: "down", metric: "down", colour: "#6A3D9A" },
];

export const kWaiting: Record<number, { name: string; metric: string }> = {
  0: { name: "nothing", metric: "" },
  2: { name: "room in the next queue", metric: "wait_room_packets" },
  3: { name: "its output", metric: "wait_output_packets" },
  4: { name: "its output, by which its own input sends", metric: "wait_serial_packets" },
  5: { name: "its input, which sends elsewhere", metric: "wait_input_packets" },
  8: { name: "room in a lane that has paused it", metric: "wait_paused_packets" },
};

// The classes of heads that wait for room.
const kForRoom = [2, 8];

// The number of packets that a mode counts.
function packetsOf(mode: Mode, state: State, queue: number): number {
  switch (mode) {
    case "room": return kForRoom.includes(state.of(Track.waiting)[queue]) ? state.of(Track.packets)[queue] : 0;
    case "hol": return state.of(Track.hol)[queue];
    case "victims": return state.of(Track.victims)[queue];
    default: return state.of(Track.packets)[queue];
  }
}

export function countOf(run: Run, mode: Mode, state: State, port: number): number {
  const { firstQueue } = run.snapshots.header;
  let sum = 0;
  for (let queue = firstQueue[port]; queue < firstQueue[port + 1]; ++queue) sum += packetsOf(mode, state, queue);
  return sum;
}

// The count for the queues of one lane of a port. All lanes have the same number of queues.
export function countOfLane(run: Run, state: State, port: number, lane: number): number {
  const { firstQueue } = run.snapshots.header, each = (firstQueue[port + 1] - firstQueue[port]) / run.data.lanes;
  let sum = 0;
  for (let queue = firstQueue[port] + lane * each; queue < firstQueue[port] + (lane + 1) * each; ++queue) sum += state.of(Track.packets)[queue];
  return sum;
}

// [port] from 0 to 1; for links, the number of the class.
export function valuesOf(run: Run, mode: Mode, state: State, into: Float32Array): void {
  const ports = run.network.ports;
  if (mode === "link") {
    into.set(state.of(Track.link));
    return;
  }
  if (mode === "lines") {
    const lines = state.of(Track.lines);
    for (let port = 0; port < ports; ++port) into[port] = Math.min(1, lines[port] / run.mostLines);
    return;
  }
  const { firstQueue } = run.snapshots.header;
  for (let port = 0; port < ports; ++port) {
    let sum = 0;
    for (let queue = firstQueue[port]; queue < firstQueue[port + 1]; ++queue) sum += packetsOf(mode, state, queue);
    into[port] = sum === 0 ? 0 : Math.min(1, sum / Math.max(1, run.capacity[port]));
  }
}

export interface Theme { dark: boolean; text: string; faint: string; link: string; box: string; back: string }

export function themeNow(): Theme {
  const dark = !matchMedia("print").matches && matchMedia("(prefers-color-scheme: dark)").matches;
  return dark
    ? { dark, text: "#e6e8eb", faint: "#98a1ad", link: "#39424e", box: "#4b5664", back: "#14181d" }
    : { dark, text: "#1c2127", faint: "#5d6673", link: "#d3d8de", box: "#a7afb9", back: "#ffffff" };
}

function mix(stops: [number, number, number][], value: number): string {
  const at = Math.max(0, Math.min(0.9999, value)) * (stops.length - 1), i = Math.floor(at), f = at - i;
  const part = (c: number): number => Math.round(stops[i][c] + (stops[i + 1][c] - stops[i][c]) * f);
  return `rgb(${part(0)},${part(1)},${part(2)})`;
}

// Lightness alone shows the order, so the scale works for the colour-blind and in black-and-white prints.
const kLight: [number, number, number][] = [[238, 241, 245], [150, 178, 212], [52, 92, 152], [12, 26, 60]];
const kDark: [number, number, number][] = [[30, 36, 44], [46, 84, 132], [122, 168, 214], [244, 248, 255]];
// Blue: less than in the other run; orange: more.
const kLightDiff: [number, number, number][] = [[0, 74, 130], [120, 180, 220], [240, 241, 243], [240, 176, 80], [170, 60, 0]];
const kDarkDiff: [number, number, number][] = [[110, 190, 250], [40, 90, 140], [34, 40, 48], [150, 90, 20], [255, 176, 60]];

export const kLevels = 32;
export function scale(theme: Theme, difference: boolean): string[] {
  const stops = difference ? (theme.dark ? kDarkDiff : kLightDiff) : theme.dark ? kDark : kLight;
  return Array.from({ length: kLevels + 1 }, (_, level) => mix(stops, level / kLevels));
}
