// What users said: every message quoted, equal ones once; rules with their polarity. Words that something later
// replaced say so, and a message that a host wrote into the user's place is named as such.
import { cite, type Ledger, type Source, type UserMessageFact } from "../../facts/ledger.ts";
import { highlightLines, isSaid, QUOTED_UNITS, quoteBlocks } from "../../facts/ledger-text.ts";
import { type DigestLine, orderOf, RANK } from "./digest-line.ts";

/** Quote lengths, longest first. As the room shrinks, the oldest words get shorter first. */
const QUOTE_LIMITS: readonly number[] = [QUOTED_UNITS, 160, 60];
/** Share of the room that quotes may take together; the rest is for what was changed and what recurs. */
const QUOTED_SHARE = 0.85;

/** All user messages, each at the longest quote for which there is room; when even short ones find none, old ones count less. */
export function requestLines(ledger: Ledger, room: number, count: (text: string) => number): readonly DigestLine[] {
  const marks = { replaced: replacedSources(ledger), answers: answerSources(ledger) };
  const said = groupEqual(ledger.userMessages);
  const lengths = quoteLengths(said, room * QUOTED_SHARE, (group, limit) =>
    quoteLines(group, limit, marks).reduce((sum, line) => sum + (line.rank === RANK.words ? count(line.text) : 0), 0),
  );
  const lines = said.flatMap((group) => quoteLines(group, lengths.get(group) ?? 0, marks));
  return demoteOldest(lines, room * QUOTED_SHARE, count);
}

/** Shortens step by step, oldest first, until all fit or all are at their shortest. */
function quoteLengths(
  said: readonly SaidGroup[],
  room: number,
  sizeOf: (group: SaidGroup, limit: number) => number,
): ReadonlyMap<SaidGroup, number> {
  const lengths = new Map<SaidGroup, number>(said.map((group) => [group, QUOTED_UNITS]));
  let size = said.reduce((sum, group) => sum + sizeOf(group, QUOTED_UNITS), 0);
  const persons = said.filter(({ fact }) => isSaid(fact));
  for (const limit of QUOTE_LIMITS.slice(1)) {
    for (const group of persons) {
      if (size <= room) return lengths;
      size += sizeOf(group, limit) - sizeOf(group, lengths.get(group) ?? 0);
      lengths.set(group, limit);
    }
  }
  return lengths;
}

function demoteOldest(
  lines: readonly DigestLine[],
  room: number,
  count: (text: string) => number,
): readonly DigestLine[] {
  let left = room;
  const newestFirst = [...lines].sort((a, b) => b.order - a.order);
  return newestFirst.map((line) => {
    if (line.rank !== RANK.words) return line;
    left -= count(line.text);
    return left >= 0 ? line : { ...line, rank: RANK.state };
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
      rank: rule.supersededBy === undefined ? RANK.words : RANK.outcomes,
      order: orderOf(rule.source),
      text,
    };
  });
}

/** By citation, what a quote carries besides its words. */
interface Marks {
  readonly replaced: ReadonlyMap<string, string>;
  readonly answers: ReadonlyMap<string, string>;
}

interface SaidGroup {
  readonly fact: UserMessageFact;
  readonly sources: Source[];
}

/** The same words said again are one line with all their sources. */
function groupEqual(facts: readonly UserMessageFact[]): readonly SaidGroup[] {
  const groups = new Map<string, SaidGroup>();
  for (const fact of facts) {
    const key = `${fact.author} ${fact.blocks.join("\n")}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { fact, sources: [fact.source] });
    else known.sources.push(fact.source);
  }
  return [...groups.values()];
}

function quoteLines({ fact, sources }: SaidGroup, limit: number, { replaced, answers }: Marks): readonly DigestLine[] {
  const cited = sources.map(cite).join(", ");
  const order = orderOf(fact.source);
  if (limit === 0) return [];
  const answer = sources.map((source) => answers.get(cite(source))).find((mark) => mark !== undefined) ?? "";
  const by = fact.author === "host" ? " (written by the host, not by a person)" : answer;
  const gone = sources.map((source) => replaced.get(cite(source)) ?? "").join("");
  const quote = {
    section: "requests",
    rank: isSaid(fact) ? RANK.words : RANK.reports,
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

/** By citation: the mark that a quote carries when something it says is no longer so. */
function replacedSources({ values, decisions, rules }: Ledger): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const fact of [...values, ...decisions, ...rules]) {
    if (fact.supersededBy === undefined) continue;
    const what = fact.kind === "value" ? `${fact.key} ${fact.value}: ` : "";
    const mark = ` (${what}superseded, see [${cite(fact.supersededBy)}])`;
    const key = cite(fact.source);
    if (!marks.get(key)?.includes(mark)) marks.set(key, (marks.get(key) ?? "") + mark);
  }
  return marks;
}

/** Corrections and refusals are easily read over: they say what they are, and what they answer. */
function answerSources({ responses }: Ledger): ReadonlyMap<string, string> {
  const marks = responses.flatMap(({ form, about, source }) => {
    if (form === "approval") return [];
    return [[cite(source), ` (${form}${about === undefined ? "" : ` of [${cite(about)}]`})`] as const];
  });
  return new Map(marks);
}
