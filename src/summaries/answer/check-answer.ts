// Holds an answer against its sources: citations that name nothing and names that the input lacks are struck, statements
// without a citation get one where code can tell, or say that they have none.
import { neutraliseBlocks } from "../../text/neutralise.ts";
import { createTurns } from "../turns.ts";
import { checkCitations, withoutCitations } from "./citations.ts";
import { locateDates } from "./find-dates.ts";
import type { Reading } from "./find-names.ts";
import { guardSection } from "./guard-section.ts";
import { locateNames } from "./locate-names.ts";
import type { Sources } from "./source-texts.ts";
import type { CheckedAnswer, CheckedStatement, Statement } from "./statement.ts";
import { isKnown, type LocatedThings, type NamedStatement, nameStatement, strikeNames } from "./strike-names.ts";

/** Stands where no message can be named. Short: it may stand in every line. */
export const UNCITED = "[uncited]";
/** More statements than any summary has. */
const MOST_STATEMENTS = 5_000;

interface Draft extends NamedStatement {
  readonly ids: readonly string[];
}

export async function checkAnswer(statements: readonly Statement[], sources: Sources): Promise<CheckedAnswer> {
  const isKnownId = (id: string) => sources.ids.has(id);
  const turns = createTurns(8);
  const drafts: Draft[] = [];
  let struck = 0;
  for (const { section, text } of statements.slice(0, MOST_STATEMENTS)) {
    // In a line that is taken over from an earlier record the mark stands already.
    const cited = checkCitations(neutraliseBlocks(text).replaceAll(UNCITED, "").trimEnd(), isKnownId);
    struck += cited.struck;
    drafts.push({
      ...nameStatement(section, cited.text, withoutCitations(cited.text, isKnownId)),
      ids: cited.ids,
    });
    const pause = turns.tick();
    if (pause !== undefined) await pause;
  }
  const located = await locate(drafts, sources);
  const checked: CheckedStatement[] = [];
  for (const draft of drafts) {
    const result = strikeNames(draft, located);
    struck += result.struck;
    if (result.text === undefined) continue;
    const ids = draft.ids.length > 0 ? draft.ids : guessIds(draft, located, sources);
    const statement = guardSection({ section: draft.section, text: result.text, ids }, draft.names, sources);
    if (statement !== undefined) checked.push(withCitation(statement, draft.ids.length > 0));
  }
  return { statements: checked, struck };
}

/** Most names stand as the input has them; only for the others their other spellings are looked for. */
async function locate(drafts: readonly Draft[], { texts }: Sources): Promise<LocatedThings> {
  const things = drafts.flatMap(({ names }) => names);
  const first = await locateReadings(
    things.flatMap(({ readings }) => readings.slice(0, 1)),
    texts,
  );
  const others = things.filter((thing) => !isKnown(thing, first)).flatMap(({ readings }) => readings.slice(1));
  if (others.length === 0) return first;
  const second = await locateReadings(others, texts);
  return {
    names: new Map([...second.names, ...first.names]),
    numbers: new Set([...first.numbers, ...second.numbers]),
    dates: new Set([...first.dates, ...second.dates]),
    lines: new Set([...first.lines, ...second.lines]),
  };
}

async function locateReadings(readings: readonly Reading[], texts: Sources["texts"]): Promise<LocatedThings> {
  const names = new Set<string>(readings.flatMap((reading) => reading.names));
  const numbers = new Set<string>(readings.flatMap((reading) => reading.numbers));
  const dates = new Set<string>(readings.flatMap((reading) => reading.dates ?? []));
  const lines = new Set<string>(readings.flatMap((reading) => reading.lines ?? []));
  return { ...(await locateNames(names, { numbers, lines }, texts)), dates: await locateDates(dates, texts) };
}

/** The message that holds most of what the statement names; of equals the newest. */
function guessIds({ names }: Draft, located: LocatedThings, { texts }: Sources): readonly string[] {
  const votes = new Map<number, number>();
  for (const { value } of names) {
    const index = located.names.get(value);
    if (index !== undefined && texts[index]?.id !== undefined) votes.set(index, (votes.get(index) ?? 0) + 1);
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const id = best === undefined ? undefined : texts[best[0]]?.id;
  return id === undefined ? [] : [id];
}

function withCitation(statement: CheckedStatement, isCited: boolean): CheckedStatement {
  if (isCited) return statement;
  const mark = statement.ids.length === 0 ? UNCITED : `[${statement.ids.join(", ")}]`;
  const { text } = statement;
  const end = text.indexOf("\n");
  const first = end < 0 ? text : text.slice(0, end);
  return { ...statement, text: `${first.trimEnd()} ${mark}${end < 0 ? "" : text.slice(end)}` };
}
