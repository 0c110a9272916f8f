// Values in force, and the identifiers that no other line names: those with a context in a line that says what
// they are, the rest in a compact index by kind.
import { cite, type IdentifierFact, type Ledger } from "../../facts/ledger.ts";
import { isHardFact, isPlainName, oneLine } from "../../facts/ledger-text.ts";
import { heldTexts } from "../../text/held-texts.ts";
import { type DigestLine, orderOf, RANK } from "./digest-line.ts";

/** Forms that say nothing by themselves; a path or a URL does. */
const NEEDS_CONTEXT: ReadonlySet<IdentifierFact["form"]> = new Set([
  "hash",
  "uuid",
  "ticket",
  "version",
  "date",
  "quantity",
  "person",
  "handle",
  "host",
]);
/** Share of the room that recurring identifiers may take with the words around them. */
const EXPLAINED_SHARE = 0.25;
/** Identifiers on one line of the index. */
const INDEX_LENGTH = 12;

export function valueLines({ values }: Ledger): readonly DigestLine[] {
  return values
    .filter(({ supersededBy }) => supersededBy === undefined)
    .map((fact) => {
      const rank = fact.by === "user" ? RANK.state : RANK.decisions;
      const text = `- ${fact.key} = ${fact.value} [${cite(fact.source)}]`;
      return { section: "values", rank, order: orderOf(fact.source), text };
    });
}

/**
 * What no line worth more names (while an identifier would stay, such a line does). Those that recur get a line that
 * says what they are; those named once are an index, one line a message.
 */
export function identifierLines(
  { identifiers }: Ledger,
  chosen: readonly DigestLine[],
  room: number,
  count: (text: string) => number,
): readonly DigestLine[] {
  const named = namedAbove(identifiers, chosen);
  const unnamed = identifiers.filter((fact) => !named.get(rankOf(fact))?.has(fact.value));
  const recurring = unnamed.filter(({ mentions }) => mentions > 1);
  const once = unnamed.filter(({ mentions }) => mentions === 1);
  const hard = once.filter((fact) => rankOf(fact) < RANK.rare);
  const rare = once.filter((fact) => rankOf(fact) === RANK.rare);
  return [...recurringLines(recurring, room, count), ...indexLines(hard), ...indexLines(rare)];
}

/** By rank, the identifiers that a line worth more names. */
function namedAbove(
  identifiers: readonly IdentifierFact[],
  chosen: readonly DigestLine[],
): ReadonlyMap<number, ReadonlySet<string>> {
  const byRank = new Map<number, string[]>();
  for (const fact of identifiers) {
    const rank = rankOf(fact);
    const values = byRank.get(rank) ?? [];
    byRank.set(rank, values);
    values.push(fact.value);
  }
  return new Map([...byRank].map(([rank, values]) => [rank, heldTexts(textAbove(chosen, rank), values)]));
}

function textAbove(lines: readonly DigestLine[], rank: number): string {
  return lines.flatMap((line) => (line.rank < rank ? [line.text] : [])).join("\n");
}

/** Each with the words around it, while the room is large enough for that. */
function recurringLines(
  facts: readonly IdentifierFact[],
  room: number,
  count: (text: string) => number,
): readonly DigestLine[] {
  const explained = facts.map((fact) => recurringLine(fact, contextOf(fact)));
  const tokens = explained.reduce((sum, { text }) => sum + count(text), 0);
  return tokens <= room * EXPLAINED_SHARE ? explained : facts.map((fact) => recurringLine(fact, ""));
}

function contextOf({ form, context }: IdentifierFact): string {
  return context !== undefined && NEEDS_CONTEXT.has(form) ? ` (${oneLine(context, 100)})` : "";
}

function recurringLine(fact: IdentifierFact, what: string): DigestLine {
  const text = `- ${fact.value}${what} [${cite(fact.source)}]`;
  return { section: "identifiers", rank: rankOf(fact), order: orderOf(fact.source), text };
}

/** `[1.4] a, b, c`: what one message names and no other does, so many to a line. */
function indexLines(facts: readonly IdentifierFact[]): readonly DigestLine[] {
  const rank = facts[0] === undefined ? RANK.rare : rankOf(facts[0]);
  const lines: { readonly source: IdentifierFact["source"]; readonly values: string[] }[] = [];
  const open = new Map<string, string[]>();
  for (const { source, value } of facts) {
    const values = open.get(cite(source));
    if (values !== undefined && values.length < INDEX_LENGTH) {
      values.push(value);
      continue;
    }
    const line = { source, values: [value] };
    lines.push(line);
    open.set(cite(source), line.values);
  }
  return lines.map(({ source, values }) => {
    const text = `- [${cite(source)}] ${values.join(", ")}`;
    return { section: "identifiers", rank, order: orderOf(source), text };
  });
}

function rankOf(fact: IdentifierFact): number {
  const { form, mentions } = fact;
  if (form === "handle") return RANK.state;
  if (mentions >= 3) return RANK.recurring;
  if (mentions === 2 && isPlainName(fact)) return RANK.repeated;
  return mentions === 2 || isHardFact(fact) ? RANK.decisions : RANK.rare;
}
