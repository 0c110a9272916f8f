// Which units of a list may not stay without others: both halves of a call that the provider answered in a later message,
// what a program of the provider's called, and calls of tools that a search had to find before they could be called.
import type { MessagePart, MessageView, ProviderStep } from "./format.ts";
import type { Unit } from "./units.ts";

/** Of each unit the positions of those that it needs. */
export function findNeeds(units: readonly Unit[], views: readonly MessageView[]): readonly ReadonlySet<number>[] {
  const needs = units.map(() => new Set<number>());
  const unitAt = new Map(units.flatMap(({ messages }, position) => messages.map((index) => [index, position])));
  const reader = new BondReader((from, to) => {
    if (to !== undefined && to !== from) needs[from]?.add(to);
  });
  for (const [index, { parts }] of views.entries()) {
    for (const part of parts) reader.read(part, unitAt.get(index) ?? -1);
  }
  return needs;
}

class BondReader {
  readonly #link: (from: number, to: number | undefined) => void;
  /** Units of the calls that the provider had not answered in the same part, by id. */
  readonly #asked = new Map<string, number>();
  /** Units that made a tool callable, the latest of each. */
  readonly #loaded = new Map<string, number>();

  constructor(link: (from: number, to: number | undefined) => void) {
    this.#link = link;
  }

  read(part: MessagePart, unit: number): void {
    if (part.kind === "call") this.#call(part.name, unit, part.callerId);
    else if (part.kind === "result") this.#load(part.loads, unit);
    else if (part.kind === "opaque" && part.ran !== undefined) this.#step(part.ran, unit);
  }

  #step({ call, result }: ProviderStep, unit: number): void {
    if (call !== undefined) this.#call(call.name, unit);
    if (call !== undefined && result === undefined) this.#asked.set(call.callId, unit);
    if (result === undefined) return;
    const other = call === undefined ? this.#asked.get(result.callId) : undefined;
    this.#link(unit, other);
    if (other !== undefined) this.#link(other, unit);
    this.#load(result.loads, unit);
  }

  #call(name: string, unit: number, callerId?: string): void {
    this.#link(unit, this.#loaded.get(name) ?? this.#loaded.get(toolOf(name)));
    if (callerId !== undefined) this.#link(unit, this.#asked.get(callerId));
  }

  #load(tools: readonly string[] = [], unit: number): void {
    for (const tool of tools) this.#loaded.set(tool, unit);
  }
}

/** `gh.lookup` is the tool `lookup` of a server. */
function toolOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** The positions that stay, with all that these need. */
export function withNeeded(stays: readonly boolean[], needsOf: (position: number) => Iterable<number>): boolean[] {
  const whole = [...stays];
  const open = [...stays.keys()].filter((position) => stays[position]);
  for (let position = open.pop(); position !== undefined; position = open.pop()) {
    for (const needed of needsOf(position)) {
      if (whole[needed]) continue;
      whole[needed] = true;
      open.push(needed);
    }
  }
  return whole;
}
