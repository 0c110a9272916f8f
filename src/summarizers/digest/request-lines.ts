// What users said: every message quoted, equal ones once; rules with their polarity. Words that something later
// replaced say so, and what stands in the user's place without being the user's words is named as such. Where a thousand
// messages compete for the room, "go on" leaves before what it was that should go on.
import { cite, type Ledger, type UserMessageFact } from "../../facts/ledger.ts";
import { highlightLines, isSaid, QUOTED_UNITS, quoteBlocks } from "../../facts/ledger-text.ts";
import type { Stepwise } from "../../tokens/turns/stepwise.ts";
import { type DigestLine, orderOf, RANK } from "./digest-line.ts";
import { answerMark, type EqualWords, type Marks, readMarks } from "./quote-marks.ts";

/** Quote lengths, longest first. As the room shrinks, the oldest words get shorter first. */
const QUOTE_LIMITS: readonly number[] = [QUOTED_UNITS, 160, 60];
/** Share of the room that quotes may take together; the rest is for what was changed and what recurs. */
const QUOTED_SHARE = 0.85;
/** A message as short as this that states nothing only keeps the work going. */
const PROD_UNITS = 40;

/**
 * All user messages, each at the longest quote for which there is room; when even short ones find none, those that only
 * keep the work going count less, then old ones.
 */
export function* requestLines(
  ledger: Ledger,
  room: number,
  count: (text: string) => number,
): Stepwise<readonly DigestLine[]> {
  const marks = readMarks(ledger);
  const said = weighWords(groupEqual(ledger.userMessages), ledger, marks);
  const lengths = yield* quoteLengths(said, room * QUOTED_SHARE, (group, limit) =>
    quoteLines(group, limit, marks).reduce((sum, line) => sum + (line.rank <= RANK.words ? count(line.text) : 0), 0),
  );
  const lines = said.flatMap((group) => quoteLines(group, lengths.get(group) ?? 0, marks));
  const prods = new Set(said.filter(({ weight }) => weight === "prod").map(({ fact }) => orderOf(fact.source)));
  return demoteLeast(lines, prods, room * QUOTED_SHARE, count);
}

/** Shortens step by step, oldest first, until all fit or all are at their shortest; demands only by each other. */
function* quoteLengths(
  said: readonly SaidGroup[],
  room: number,
  sizeOf: (group: SaidGroup, limit: number) => number,
): Stepwise<ReadonlyMap<SaidGroup, number>> {
  const lengths = new Map<SaidGroup, number>(said.map((group) => [group, QUOTED_UNITS]));
  const shorten = function* (groups: readonly SaidGroup[], left: number): Stepwise<number> {
    let size = yield* sizeOfAll(groups, sizeOf);
    for (const limit of QUOTE_LIMITS.slice(1)) {
      for (const group of groups) {
        if (size <= left) return size;
        size += sizeOf(group, limit) - sizeOf(group, lengths.get(group) ?? 0);
        lengths.set(group, limit);
        yield;
      }
    }
    return size;
  };
  const persons = said.filter(({ fact }) => isSaid(fact));
  const hosts = yield* sizeOfAll(
    said.filter(({ fact }) => !isSaid(fact)),
    sizeOf,
  );
  const isDemand = ({ weight }: SaidGroup) => weight === "demand";
  const demanded = yield* shorten(persons.filter(isDemand), room);
  yield* shorten(
    persons.filter((group) => !isDemand(group)),
    room - demanded - hosts,
  );
  return lengths;
}

function* sizeOfAll(
  groups: readonly SaidGroup[],
  sizeOf: (group: SaidGroup, limit: number) => number,
): Stepwise<number> {
  let size = 0;
  for (const group of groups) {
    size += sizeOf(group, QUOTED_UNITS);
    yield;
  }
  return size;
}

function demoteLeast(
  lines: readonly DigestLine[],
  prods: ReadonlySet<number>,
  room: number,
  count: (text: string) => number,
): readonly DigestLine[] {
  let left = room;
  const isProd = ({ order }: DigestLine) => prods.has(order);
  const mostFirst = [...lines].sort((a, b) => a.rank - b.rank || +isProd(a) - +isProd(b) || b.order - a.order);
  return mostFirst.map((line) => {
    if (line.rank > RANK.words) return line;
    left -= count(line.text);
    return left >= 0 || line.rank === RANK.demands ? line : { ...line, rank: RANK.state };
  });
}

export function ruleLines({ rules }: Ledger): readonly DigestLine[] {
  // A rule that lifts another is held as superseded by itself, so that it is never current.
  const standing = rules.filter(
    ({ supersededBy, source }) => supersededBy === undefined || cite(supersededBy) !== cite(source),
  );
  return standing.map((rule) => {
    const gone = rule.supersededBy === undefined ? "" : ` (superseded, see [${cite(rule.supersededBy)}])`;
    const polarity = rule.polarity === "must_not" ? "must not" : "must";
    const text = `- ${polarity}: "${rule.text}" [${cite(rule.source)}]${gone}`;
    return {
      section: "rules",
      rank: rule.supersededBy === undefined ? RANK.demands : RANK.outcomes,
      order: orderOf(rule.source),
      text,
    };
  });
}

interface SaidGroup extends EqualWords {
  readonly weight: "demand" | "words" | "prod";
}

/** The request that began it all and what users corrected or refused weigh most; least, what is short and states nothing. */
function weighWords(said: readonly EqualWords[], ledger: Ledger, { answers }: Marks): readonly SaidGroup[] {
  const first = said.find(({ fact }) => isSaid(fact));
  const stating = new Set([...ledger.rules, ...ledger.values, ...ledger.decisions].map(({ source }) => cite(source)));
  return said.map((group) => {
    if (group === first || answerMark(group, answers) !== undefined) return { ...group, weight: "demand" };
    const isShort = group.fact.blocks.reduce((sum, { length }) => sum + length, 0) <= PROD_UNITS;
    const isStating = group.sources.some((source) => stating.has(cite(source)));
    return { ...group, weight: isShort && !isStating ? "prod" : "words" };
  });
}

/** The same words said again are one line with all their sources. */
function groupEqual(facts: readonly UserMessageFact[]): readonly EqualWords[] {
  const groups = new Map<string, EqualWords>();
  for (const fact of facts) {
    const key = `${fact.author} ${fact.blocks.join("\n")}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { fact, sources: [fact.source] });
    else known.sources.push(fact.source);
  }
  return [...groups.values()];
}

function quoteLines(
  { fact, sources, weight }: SaidGroup,
  limit: number,
  { replaced, answers }: Marks,
): readonly DigestLine[] {
  const cited = sources.map(cite).join(", ");
  const order = orderOf(fact.source);
  if (limit === 0) return [];
  const answer = answerMark({ fact, sources }, answers) ?? "";
  const by = fact.author === "host" ? " (not the user's own words)" : answer;
  const gone = sources.map((source) => replaced.get(cite(source)) ?? "").join("");
  const quote = {
    section: "requests",
    rank: rankOf(fact, weight),
    order,
    text: `- [${cited}]${by} "${quoteBlocks(fact.blocks, limit)}"${gone}`,
  } as const;
  const more = fact.author === "host" ? [] : highlightLines(fact.blocks, limit);
  if (more.length === 0) return [quote];
  return [
    quote,
    { section: "requests", rank: RANK.state, order: order + 0.5, text: `  [${cited}] further on: ${more.join(" / ")}` },
  ];
}

function rankOf(fact: UserMessageFact, weight: SaidGroup["weight"]): number {
  if (!isSaid(fact)) return RANK.reports;
  return weight === "demand" ? RANK.demands : RANK.words;
}
