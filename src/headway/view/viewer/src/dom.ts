// SPDX-License-Identifier: Apache-2.0
// Elements of the page. Text is never parsed as HTML.

type Child = Node | string | null;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

// Shows control characters and marks that change the text direction by their numbers, and cuts long text.
export function plain(text: string, most = 120): string {
  const seen = [...text].map((c) => {
    const code = c.codePointAt(0) ?? 0;
    const hidden = code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x061c || (code >= 0x200b && code <= 0x200f) ||
      (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code === 0xfeff;
    return hidden ? `\\u${code.toString(16).padStart(4, "0")}` : c;
  });
  return seen.length <= most ? seen.join("") : `${seen.slice(0, most).join("")}…`;
}

// Four digits, and groups of three.
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return value.toLocaleString("en", { maximumSignificantDigits: 4 });
}

export function time(ns: number): string {
  if (ns >= 1e6) return `${(ns / 1e6).toLocaleString("en", { maximumFractionDigits: 3 })} ms`;
  if (ns >= 1e3) return `${(ns / 1e3).toLocaleString("en", { maximumFractionDigits: 1, minimumFractionDigits: 1 })} µs`;
  return `${number(ns)} ns`;
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter((child): child is Node | string => child !== null));
}
