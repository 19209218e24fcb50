// SPDX-License-Identifier: Apache-2.0
// The data of the page (src/headway/view/page_data.cpp writes them).

export interface Places { x: number[]; y: number[] }
export interface Layout {
  switches: Places & { width: number[]; height: number[] };
  nodes: Places;
  sinks: Places | null;
  sides: string;
  longest: number;
  arc: number;
  stretch: "none" | "x" | "y";
  names: { text: string; x: number; y: number }[];
}
export interface NetworkData {
  format: number;
  kind: string;
  nodes: number;  // with all links of nodes that have several, and of aggregators
  nodes_of_spec: number;
  radix: number[];
  peers: number[];
  bytes_per_ns: number[];
  switch_names: string[];
  node_names: string[];
  layout: Layout;
}
export type Table = Record<string, (number | null)[]>;  // a few columns have names instead: namesIn()
export function namesIn(table: Table, column: string): string[] { return (table[column] ?? []) as unknown as string[]; }
// The last iteration of a job (src/headway/run/timeline.h). Stretches and steps have rows of `ranks`.
export interface TimelineData {
  doings: string[];  // names of what ranks do, by the column doing
  ranks: number[];
  all_ranks: number;
  from_ns: number;
  to_ns: number;
  stretches: Table;
  slot_ns: number;  // 0, or the time for which a stretch at least lasts in rows that have too many
  path: Table;  // the table critical_path, with rows and times as drawn
  steps_left_out: number;
}
export interface JobData { job: string; note: string; timeline: TimelineData | null }
// Measured causes and remedies (src/headway/remedies/chart.h), in their order.
export interface BarData {
  kind: string;
  change: string;
  settings: string;  // options of headway run
  gain: number | null;
  low: number | null;
  high: number | null;
  text: string;   // the gain, or what is said instead
  range: string;
  costs: string;
  others_worst: number | null;
  main: boolean;  // one of the best of its kind
}
export interface RemedyData {
  metric: string;
  better: string;  // "faster"
  worse: string;
  base_ends: boolean;
  effect: number;
  skipped: string[];  // sentences
  bars: BarData[];
}
export interface RunData {
  headway: string;
  name: string;
  point: number;
  seed: number;   // of the run that the snapshots and trees are of
  seeds: number;  // that the series and the other tables are over
  status: string;
  detail: string;
  spec: Record<string, unknown>;
  scheme_help: string;
  pooled: boolean;
  lanes: number;
  every: number;
  metrics: Record<string, number | null>;
  series: Table;
  per_destination: Table;
  per_link: Table;
  per_flow: Table;
  changes?: Table;  // of links and routes, with events
  trees: Table;
  trees_left_out: number;
  roots: Table;
  culprits: Table;
  jobs?: JobData[];  // of a run with jobs
  jobs_left_out?: number;
  remedies?: RemedyData;  // if they were measured
}
export type MetricData = Record<string, Record<string, { unit: string; help: string }>>;

// The page cannot be shown; the message says why.
export class BadPage extends Error {}

const kFormat = 1;

// Not in the types of TypeScript 4.8.
declare class DecompressionStream {
  constructor(format: "deflate");
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<BufferSource>;
}

export async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  if (typeof DecompressionStream === "undefined")
    throw new BadPage("This browser cannot decompress data; use one of 2023 or later.");
  try {
    const stream = new Blob([bytes]).stream() as ReadableStream<Uint8Array>;
    return new Uint8Array(await new Response(stream.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
  } catch {
    throw new BadPage("The data of this page are damaged or cut off. Make it again with headway view.");
  }
}

export function bytesOf(id: string): Uint8Array {
  const element = document.getElementById(id);
  if (element === null) throw new BadPage(`The data of this page are cut off: ${id} is missing.`);
  let text = "";
  try {
    text = atob(element.textContent ?? "");
  } catch {
    throw new BadPage(`The data of this page are damaged: ${id} is not base64.`);
  }
  element.textContent = "";  // the browser need not keep it twice
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function jsonOf<T>(id: string): Promise<T> {
  const text = new TextDecoder().decode(await inflate(bytesOf(id)));
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new BadPage(`The data of this page are damaged: ${id} is not JSON.`);
  }
}

export interface Page { network: NetworkData; metrics: MetricData; runs: RunData[]; files: Uint8Array[] }

export async function readPage(): Promise<Page> {
  const network = await jsonOf<NetworkData>("network");
  if (network.format !== kFormat)
    throw new BadPage(`The data have format ${network.format}, and the program in this page reads ${kFormat}.`);
  const metrics = await jsonOf<MetricData>("metrics");
  const runs: RunData[] = [];
  const files: Uint8Array[] = [];
  for (let i = 0; i === 0 || document.getElementById(`run-${i}`) !== null; ++i) {
    runs.push(await jsonOf<RunData>(`run-${i}`));
    files.push(bytesOf(`snapshots-${i}`));
  }
  return { network, metrics, runs, files };
}
