// SPDX-License-Identifier: Apache-2.0
// Finds a node, switch or port by its number or name: "123", "node 123", "switch 5", "switch 5 port 2", a name.
import type { Selection } from "./draw";
import type { Network } from "./network";

export function find(network: Network, words: string): Selection | null {
  const text = words.trim().toLowerCase();
  const of = (pattern: RegExp): number[] | null => pattern.exec(text)?.slice(1).map(Number) ?? null;
  const port = of(/^s(?:witch)? *(\d+)[, ]+p(?:ort)? *(\d+)$/);
  if (port !== null && port[0] < network.switches && port[1] < network.data.radix[port[0]])
    return { kind: "port", port: network.firstPort[port[0]] + port[1] };
  const flat = of(/^p(?:ort)? *(\d+)$/);
  if (flat !== null && flat[0] < network.switchPorts) return { kind: "port", port: flat[0] };
  const names = network.data, bare = text.replace(/^(node|switch) +/, "");
  const byName = (list: string[]): number => {
    const whole = list.findIndex((name) => name.toLowerCase() === bare);
    return whole >= 0 || bare === "" ? whole : list.findIndex((name) => name.toLowerCase().includes(bare));
  };
  if (!text.startsWith("switch ")) {
    const node = byName(names.node_names);
    if (node >= 0) return { kind: "node", node };
  }
  const sw = byName(names.switch_names);
  if (sw >= 0) return { kind: "switch", sw };
  const byNumber = of(/^s(?:witch)? *(\d+)$/);
  if (byNumber !== null && byNumber[0] < network.switches) return { kind: "switch", sw: byNumber[0] };
  const node = of(/^(?:n(?:ode)? *)?(\d+)$/);
  return node !== null && node[0] < network.nodes ? { kind: "node", node: node[0] } : null;
}
