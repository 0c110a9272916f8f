// What a choice of layers takes out of the list: which messages, the facts they held, and the passages a
// summarizer may quote. What stays is read too, but only to know which of these facts it has overtaken.
import { extractFactsInTurns, mergeLedgers, overtake } from "../../facts/extract-facts.ts";
import type { FactInput } from "../../facts/fact-message.ts";
import type { Ledger } from "../../facts/ledger.ts";
import type { Passage } from "../../summaries/summarizer.ts";
import { mapInTurns } from "../../tokens/turns/pacer.ts";
import { readPassages } from "../summary/passages.ts";
import type { Fit } from "./fit.ts";
import type { LayersInput } from "./layers.ts";
import { withNamedImages, withoutBinary } from "./quotable-view.ts";
import type { ReadConversation } from "./read-conversation.ts";

export interface Removal {
  /** Indices into the read messages. */
  readonly removed: readonly number[];
  readonly ledger: Ledger;
  readonly shown: Ledger;
  readonly passages: readonly Passage[];
}

/** `shortened`: messages that stay, but not whole; what they name is carried like what leaves. */
export async function describeRemoval(
  choice: LayersInput,
  chosen: Fit,
  shortened: ReadonlySet<unknown> = new Set(),
): Promise<Removal> {
  const { read, redact } = choice;
  const carried = read.carried.ledger;
  const { removed, pinned, recent } = layersOf(read, chosen);
  const leaving = await factInputs(choice, removed);
  const cut = await factInputs(
    choice,
    recent.filter((index) => shortened.has(read.messages[index])),
  );
  const found = [...leaving, ...cut];
  const { policy, redactsPassages } = choice.parts;
  const added = found.length === 0 ? undefined : await extractFactsInTurns(found, redact, policy);
  const ledger = added === undefined ? carried : mergeLedgers(carried, added);
  // Without a summary nobody asks what it might say: what stays need not be read.
  if (removed.length === 0) return { removed, ledger, shown: ledger, passages: [] };
  const staying = await extractFactsInTurns(await factInputs(choice, [...pinned, ...recent]), redact, policy);
  const asRead = redactsPassages ? redact : (text: string) => text;
  const shown = overtake(ledger, staying);
  const passages = (await mapInTurns(leaving, (input) => readPassages([nameImages(input)], asRead))).flat();
  return { removed, ledger, shown, passages };
}

async function factInputs({ read, step }: LayersInput, indices: readonly number[]): Promise<readonly FactInput[]> {
  const inputs = await mapInTurns(indices, (index) => {
    const view = read.views[index];
    if (view === undefined || read.replaced.has(index)) return [];
    return [{ view: withoutBinary(view), source: { step, message: read.numbers[index] ?? 1 } }];
  });
  return inputs.flat();
}

function nameImages({ view, source }: FactInput): FactInput {
  return { view: withNamedImages(view, source.message), source };
}

export function layersOf({ units }: ReadConversation, { stays }: Fit) {
  const pinned: number[] = [];
  const recent: number[] = [];
  const removed: number[] = [];
  for (const [position, unit] of units.entries()) {
    const layer = unit.standing === "pinned" ? pinned : stays[position] ? recent : removed;
    for (const index of unit.messages) layer.push(index);
  }
  const ascending = (indices: number[]) => indices.sort((a, b) => a - b);
  return { pinned: ascending(pinned), recent: ascending(recent), removed: ascending(removed) };
}
