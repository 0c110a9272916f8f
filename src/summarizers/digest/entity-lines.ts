// Values in force, and the identifiers that no other line names: those with a context in a line that says what
// they are, the rest in a compact index by kind.
import { cite, type IdentifierFact, type Ledger } from "../../facts/ledger.ts";
import { isHardFact, isLooseName, isPlainName, oneLine, withoutEndings } from "../../facts/ledger-text.ts";
import { heldTexts } from "../../text/held-texts.ts";
import type { Stepwise } from "../../tokens/turns/stepwise.ts";
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
/** Share of the room that what was said once may take before the assistant's reports; the rest comes behind them. */
const SAID_SHARE = 0.1;
/** Said once, they are gone for good with the sentence that holds them. */
const EXACT_FORMS: ReadonlySet<IdentifierFact["form"]> = new Set(["hash", "url"]);
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
export function* identifierLines(
  { identifiers }: Ledger,
  chosen: readonly DigestLine[],
  room: number,
  count: (text: string) => number,
): Stepwise<readonly DigestLine[]> {
  const named = yield* namedAbove(identifiers, chosen);
  const unnamed = identifiers.filter((fact) => !named.get(identifierRank(fact))?.has(fact.value));
  const kept = withoutEndings(unnamed, identifierRank);
  yield;
  // A handle without its label and its status is nothing that anybody could wait for.
  const isExplained = ({ form, mentions }: IdentifierFact) => mentions > 1 || form === "handle";
  const recurring = kept.filter(isExplained);
  const once = kept.filter((fact) => !isExplained(fact));
  const hard = once.filter((fact) => identifierRank(fact) < RANK.said);
  const said = once.filter((fact) => identifierRank(fact) === RANK.said);
  const rare = once.filter((fact) => identifierRank(fact) === RANK.rare);
  return [
    ...recurringLines(recurring, room, count),
    ...indexLines(hard),
    ...saidLines(said, room, count),
    ...indexLines(rare),
  ];
}

/** The newest within their share; what is beyond it is as rare as other names. */
function saidLines(
  facts: readonly IdentifierFact[],
  room: number,
  count: (text: string) => number,
): readonly DigestLine[] {
  let left = room * SAID_SHARE;
  return [...indexLines(facts)].reverse().map((line) => {
    left -= count(`${line.text}\n`);
    return left >= 0 ? line : { ...line, rank: RANK.rare };
  });
}

/** About what the recurring names take that stay longer than most and do not stand in `text`, without words around them. */
export function recurringTokens({ identifiers }: Ledger, text: string, count: (text: string) => number): number {
  const stay = identifiers.filter((fact) => identifierRank(fact) <= RANK.repeated);
  const held = heldTexts(
    text,
    stay.map(({ value }) => value),
  );
  const named = withoutEndings(
    stay.filter(({ value }) => !held.has(value)),
    identifierRank,
  );
  return named.reduce((sum, { value }) => sum + count(`${value}, `), 0);
}

/** By rank, the identifiers that a line worth more names. */
function* namedAbove(
  identifiers: readonly IdentifierFact[],
  chosen: readonly DigestLine[],
): Stepwise<ReadonlyMap<number, ReadonlySet<string>>> {
  const byRank = new Map<number, string[]>();
  for (const fact of identifiers) {
    const rank = identifierRank(fact);
    const values = byRank.get(rank) ?? [];
    byRank.set(rank, values);
    values.push(fact.value);
  }
  const named = new Map<number, ReadonlySet<string>>();
  for (const [rank, values] of byRank) {
    named.set(rank, heldTexts(textAbove(chosen, rank), values));
    yield;
  }
  return named;
}

function textAbove(lines: readonly DigestLine[], rank: number): string {
  return lines.flatMap((line) => (line.rank < rank ? [line.text] : [])).join("\n");
}

/** Those that say nothing by themselves with the words around them, while the room is large enough for that. */
function recurringLines(
  facts: readonly IdentifierFact[],
  room: number,
  count: (text: string) => number,
): readonly DigestLine[] {
  const needing = facts.filter((fact) => contextOf(fact) !== "");
  const explained = explainedLines(needing);
  const tokens = explained.reduce((sum, { text }) => sum + count(text), 0);
  const isRoom = tokens <= room * EXPLAINED_SHARE;
  const plain = isRoom ? facts.filter((fact) => contextOf(fact) === "") : facts;
  const byRank = [...new Set(plain.map(identifierRank))].map((rank) =>
    plain.filter((fact) => identifierRank(fact) === rank),
  );
  return [...(isRoom ? explained : []), ...byRank.flatMap(indexLines)];
}

function contextOf({ form, context }: IdentifierFact): string {
  return context !== undefined && NEEDS_CONTEXT.has(form) ? oneLine(context, 100) : "";
}

interface Explained {
  readonly first: IdentifierFact;
  readonly context: string;
  readonly values: string[];
}

/** `- a, b (words around both) [1.4]`: what the words around one name, too, stands with it. */
function explainedLines(facts: readonly IdentifierFact[]): readonly DigestLine[] {
  const groups: Explained[] = [];
  const open = new Map<string, Explained[]>();
  for (const fact of facts) {
    const key = `${identifierRank(fact)} ${cite(fact.source)}`;
    const near = open.get(key) ?? [];
    const group = near.find(({ context }) => context.includes(fact.value));
    if (group !== undefined) {
      group.values.push(fact.value);
      continue;
    }
    const added = { first: fact, context: contextOf(fact), values: [fact.value] };
    groups.push(added);
    open.set(key, [...near, added]);
  }
  return groups.map(({ first, context, values }) => {
    const text = `- ${values.join(", ")} (${context}) [${cite(first.source)}]`;
    return { section: "identifiers", rank: identifierRank(first), order: orderOf(first.source), text };
  });
}

/** `[1.4] a, b, c`: what one message names and no other does, so many to a line. */
function indexLines(facts: readonly IdentifierFact[]): readonly DigestLine[] {
  const rank = facts[0] === undefined ? RANK.rare : identifierRank(facts[0]);
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

/** What a name is worth by itself. */
export function identifierRank(fact: IdentifierFact): number {
  const { form, mentions } = fact;
  if (form === "handle") return RANK.state;
  if (mentions >= 3) return isLooseName(fact) ? RANK.repeated + 0.5 : RANK.recurring;
  if (mentions === 2 && isPlainName(fact)) return RANK.repeated;
  if (mentions === 2 || isHardFact(fact)) return RANK.decisions;
  return isExact(fact) ? RANK.said : RANK.rare;
}

/** Said by a person or the assistant, and of no use when a character of it is missing. */
function isExact({ form, value, context }: IdentifierFact): boolean {
  if (context === undefined) return false;
  return (
    EXACT_FORMS.has(form) ||
    (form === "path" && /:\d{1,7}$/.test(value)) ||
    (form === "quantity" && value.includes("="))
  );
}
