// Merges what a model wrote with what the ledger knows better: a changed file stands under its full path, a step or an error
// that later messages settled is told as settled, and nothing is said twice.
import { cite, type Ledger, type Source } from "../facts/ledger.ts";
import { findNames, stemsOf } from "./answer/claims.ts";
import type { CheckedStatement } from "./answer/read-answer.ts";
import type { GivenLine } from "./shapes.ts";
import type { Doubt } from "./summarizer.ts";

export function mergeAnswer(
  statements: readonly CheckedStatement[],
  ledger: Ledger,
): { readonly lines: readonly GivenLine[]; readonly doubts: readonly Doubt[] } {
  const doubts: Doubt[] = [];
  const settled = settledOf(ledger);
  const said = new Set<string>();
  const lines = statements.flatMap((statement): GivenLine[] => {
    const { section } = statement;
    const key = statement.text.replace(/\s+/gu, " ").toLowerCase();
    // Its other copy stays, in the section that names it first.
    if (said.has(key)) return [];
    said.add(key);
    if (section === "written") return [{ section, text: withFullPath(statement.text, ledger) }];
    if (section !== "state" && section !== "errors") return [{ section, text: statement.text }];
    const text = withLaterState(statement, settled);
    if (text !== statement.text) doubts.push({ kind: "claim", text: statement.text, why: "later messages settled it" });
    return [{ section, text }];
  });
  return { lines, doubts };
}

/** `rows.ts` becomes `src/import/rows.ts` where one changed file alone ends so. */
function withFullPath(text: string, { files }: Ledger): string {
  const changed = files.filter(({ operation }) => operation !== "read").map(({ path }) => path);
  const names = [...findNames(text)].sort((a, b) => text.indexOf(a.value) - text.indexOf(b.value));
  for (const { stem } of names) {
    const ends = changed.filter((path) => path === stem || path.endsWith(`/${stem.replace(/^\.\//u, "")}`));
    const [path] = ends;
    if (ends.length === 1 && path !== undefined) return text.includes(path) ? text : text.replace(stem, () => path);
  }
  return text;
}

/** A step that is done, or an error that is fixed. */
interface Settled {
  readonly section: "state" | "errors";
  readonly stems: readonly string[];
  readonly at: Source;
}

function settledOf({ plans, errors }: Ledger): readonly Settled[] {
  const settle = (section: Settled["section"], text: string, at: Source) => ({ section, stems: stemsOf(text), at });
  return [
    ...plans.flatMap(({ items, source }) =>
      items.flatMap(({ status, text, evidence = source }) =>
        status === "done" ? [settle("state", text, evidence)] : [],
      ),
    ),
    ...errors.flatMap(({ status, text, from, source, fixedAt = source }) =>
      status === "fixed" ? [settle("errors", `${text} ${from}`, fixedAt)] : [],
    ),
  ];
}

const OPEN = /^([*_`[(]{0,3})(?:not started|in progress|open|pending|to ?do|current step|unresolved|next)\b/iu;
/** Shares of the words of the settled thing, and of the statement, that both have. */
const SAME = { settled: 0.75, statement: 0.5 } as const;

/** An open step or error whose words are those of a settled one, and which rests on older messages. */
function withLaterState({ section, text, ids }: CheckedStatement, settled: readonly Settled[]): string {
  if (!OPEN.test(text)) return text;
  const stems = stemsOf(text.replace(OPEN, "").replace(/\[[^\]\n]{0,100}\]/gu, ""));
  const later = settled.find((thing) => {
    if (thing.section !== section || thing.stems.length === 0 || !ids.every((id) => isOlder(id, thing.at)))
      return false;
    const shared = thing.stems.filter((stem) => stems.includes(stem)).length;
    return shared >= thing.stems.length * SAME.settled && shared >= stems.length * SAME.statement;
  });
  if (later === undefined) return text;
  const end = text.search(/\s*\[[^\]\n]{1,100}\]\s*$/u);
  const body = (end < 0 ? text : text.slice(0, end)).replace(OPEN, `$1${section === "state" ? "Done" : "Fixed"}`);
  return `${body} [${[...new Set([...ids, cite(later.at)])].join(", ")}]`;
}

function isOlder(id: string, than: Source): boolean {
  const [step = 0, message = 0] = id.split(".").map(Number);
  return step < than.step || (step === than.step && message <= than.message);
}
