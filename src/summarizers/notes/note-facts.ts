// The facts of a set of notes. Each note is read by itself: in a conversation a later value takes the place of an
// earlier one, but the port of one note is not the port of another.
import { extractFactsInTurns } from "../../facts/extract-facts.ts";
import type { FactInput } from "../../facts/fact-message.ts";
import { EMPTY_LEDGER, type IdentifierFact, type Ledger } from "../../facts/ledger.ts";
import type { SummarizedNote } from "./summarized-note.ts";

/** Headings of a note, in the languages that notes are kept in: what stands behind them is no value of theirs. */
const HEADINGS = new Set(
  "what why where how who when learned note notes summary context status stack files qué que por dónde donde cómo como aprendido".split(
    " ",
  ),
);

/** Sources are `step` and the note's id. `redact` is applied to what the facts quote. Other work runs in between. */
export async function noteFacts(
  notes: readonly SummarizedNote[],
  step: number,
  redact: (text: string) => string,
  signal?: AbortSignal,
): Promise<Ledger> {
  let ledger = EMPTY_LEDGER;
  for (const note of notes) {
    signal?.throwIfAborted();
    const own = await extractFactsInTurns([inputOf(note, step)], redact);
    ledger = {
      ...ledger,
      rules: [...ledger.rules, ...own.rules],
      decisions: [...ledger.decisions, ...own.decisions],
      files: [...ledger.files, ...own.files],
      commands: [...ledger.commands, ...own.commands],
      errors: [...ledger.errors, ...own.errors],
      plans: [...ledger.plans, ...own.plans],
      values: [...ledger.values, ...own.values.filter(({ key }) => !HEADINGS.has(key.trim().toLowerCase()))],
      identifiers: [...ledger.identifiers, ...own.identifiers],
      statements: [...ledger.statements, ...own.statements],
    };
  }
  return { ...ledger, identifiers: once(ledger.identifiers) };
}

/**
 * What a summarizer is told of documents. Choices, rules, names, next steps and what they open with are written by code;
 * values, which are parted from their sentences, say little of a month and may have been corrected in the next sentence.
 */
export function documentFacts(ledger: Ledger): Ledger {
  return { ...ledger, decisions: [], rules: [], plans: [], values: [], identifiers: [], statements: [] };
}

/** Named in several notes: once, with the last of them. */
function once(identifiers: readonly IdentifierFact[]): readonly IdentifierFact[] {
  const byValue = new Map<string, IdentifierFact>();
  for (const identifier of identifiers) {
    const key = `${identifier.form} ${identifier.value}`;
    const mentions = identifier.mentions + (byValue.get(key)?.mentions ?? 0);
    byValue.set(key, { ...identifier, mentions });
  }
  return [...byValue.values()];
}

/** Notes are an agent's own words: nothing in them is a user's wish or a tool's finding. */
function inputOf(note: SummarizedNote, step: number): FactInput {
  return {
    view: {
      role: "assistant",
      parts: [{ kind: "text", text: note.text }],
      isProtected: false,
      isIrreplaceable: false,
      joinsNext: false,
    },
    source: { step, message: note.id },
  };
}
