// Tells a guess of the assistant from a finding: words that hedge, and what later output says about the thing that was
// guessed about. A guess stays in the record, marked, and with the place of the evidence that overtook it.
import type { FactMessage } from "../fact-message.ts";
import { findIdentifiers } from "../identifiers/find-identifiers.ts";
import type { Source } from "../ledger.ts";

const HEDGE =
  /\b(?:probably|presumably|i (?:think|guess|assume|suspect)|might be|may be|perhaps|most likely|likely|seems? (?:to|like)|should probably|i'm not sure|probablemente|creo que|quizás|provavelmente|acho que|vermutlich|wahrscheinlich|ich glaube|probablement|je pense que|peut-être)\b|可能|大概|也许|たぶん|おそらく|と思います/i;
/** Names that a search in output can settle: long enough not to stand there by chance. */
const LEAST_NAME = 4;

export interface Guess {
  /** Later output that names what the guess is about. */
  readonly evidence?: { readonly name: string; readonly source: Source };
}

/** Undefined when the text does not hedge. `later`: the messages behind it. */
export function readGuess(text: string, later: readonly FactMessage[]): Guess | undefined {
  const opening = text.slice(0, 400);
  if (!HEDGE.test(opening)) return undefined;
  const names = findIdentifiers(opening, "spoken").flatMap(({ value }) => (value.length >= LEAST_NAME ? [value] : []));
  for (const { results, source } of later) {
    for (const name of names) {
      if (results.some((result) => result.text.includes(name))) return { evidence: { name, source } };
    }
  }
  return {};
}
