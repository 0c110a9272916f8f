// The names that nobody can word or guess (addresses, files, commits, versions), as an index by note. A line each would
// hold a third of them in the same room.
import type { IdentifierFact } from "../../facts/ledger.ts";
import { isPlainName } from "../../facts/ledger-text.ts";
import { heldTexts } from "../../text/held-texts.ts";
import type { SummarizedNote } from "./summarized-note.ts";

export interface NameLinesRequest {
  readonly notes: readonly SummarizedNote[];
  /** `source.message` is a note's id. */
  readonly identifiers: readonly IdentifierFact[];
  /** What is in the text already: a name in it is not said again. */
  readonly said: string;
  /** Tokens of all lines. */
  readonly room: number;
  readonly count: (text: string) => number;
}

const TITLE = "## Names";
/** They say nothing without their sentence. */
const BARE: ReadonlySet<IdentifierFact["form"]> = new Set(["quantity", "date", "flag"]);
/** A word of the sentence with a figure: "next 4 hours". */
const COUNTED = /^[a-z]{1,12} \d{1,6}$/u;
const FIRM: ReadonlySet<IdentifierFact["form"]> = new Set(["version", "ticket", "host", "cloud", "person", "variable"]);

/** A heading and a line for each note that names something; none where nothing is left to be said. */
export function nameLines({ notes, identifiers, said, room, count }: NameLinesRequest): readonly string[] {
  const named = identifiers.filter(({ form, value }) => !BARE.has(form) && !COUNTED.test(value));
  const held = heldTexts(
    said,
    named.map(({ value }) => value),
  );
  const unsaid = named.filter(({ value }) => !held.has(value));
  const kept = new Set<IdentifierFact>();
  const opened = new Set<number>();
  const labels = new Map(notes.map(({ id, label }) => [id, label]));
  let left = room - count(`\n\n${TITLE}\n`);
  for (const fact of unsaid.toSorted((a, b) => worth(b) - worth(a) || b.source.message - a.source.message)) {
    const { message } = fact.source;
    const tokens = count(`, ${fact.value}`) + (opened.has(message) ? 0 : count(`- [${labels.get(message)}] \n`));
    if (tokens > left) continue;
    kept.add(fact);
    opened.add(message);
    left -= tokens;
  }
  const lines = notes.flatMap(({ id, label }) => {
    const values = unsaid.filter((fact) => fact.source.message === id && kept.has(fact)).map(({ value }) => value);
    return values.length === 0 ? [] : [`- [${label}] ${values.join(", ")}`];
  });
  return lines.length === 0 ? [] : [TITLE, ...lines];
}

/** What means the same wherever it stands, then what is told apart by a figure or is somebody; the often named first. */
function worth(fact: IdentifierFact): number {
  const rank = isPlainName(fact) ? 2 : FIRM.has(fact.form) ? 1 : 0;
  return rank * 1000 + Math.min(fact.mentions, 999);
}
