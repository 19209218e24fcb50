// SPDX-License-Identifier: Apache-2.0
// The keys in which the specs of two runs differ.
import type { RunData } from "./data";

function flat(value: unknown, path: string, into: Map<string, string>): void {
  if (Array.isArray(value) && value.some((item) => typeof item === "object"))
    value.forEach((item, i) => flat(item, `${path}[${i}]`, into));
  else if (value !== null && typeof value === "object" && !Array.isArray(value))
    for (const [name, item] of Object.entries(value)) flat(item, path === "" ? name : `${path}.${name}`, into);
  else into.set(path, typeof value === "string" ? value : JSON.stringify(value));
}

export interface Difference { key: string; values: (string | null)[] }

export function differences(runs: RunData[]): Difference[] {
  const all = runs.map((run) => { const into = new Map<string, string>(); flat(run.spec, "", into); return into; });
  const keys = new Set(all.flatMap((map) => [...map.keys()]));
  return [...keys].map((key) => ({ key, values: all.map((map) => map.get(key) ?? null) }))
    .filter(({ values }) => values.some((value) => value !== values[0]));
}

const kMostKeys = 3;  // of a label

// Labels that distinguish the runs by as few keys as possible, like "1q" and "obqa"; else the scheme or the name of the directory.
export function labels(runs: RunData[]): string[] {
  const found = differences(runs);
  const named = (keys: number): string[] => runs.map((_, i) => found.slice(0, keys).flatMap(({ key, values }) => {
    const value = values[i];
    if (value === null) return [];
    return [key === "switch.scheme" ? value : `${key.slice(key.lastIndexOf(".") + 1)} ${value}`];
  }).join(", "));
  let names = named(1);
  for (let keys = 2; keys <= kMostKeys && (new Set(names).size < runs.length || names.includes("")); ++keys) names = named(keys);
  return names.map((name, i) => (runs.length > 1 && name !== "" ? name : scheme(runs[i]) ?? runs[i].name));
}
function scheme(run: RunData): string | null {
  const into = new Map<string, string>();
  flat(run.spec, "", into);
  return into.get("switch.scheme") ?? null;
}
