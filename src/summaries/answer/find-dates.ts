// Days and times of a text, whatever their spelling: `2031-04-17`, `17 April 2031`, `April 17` and `4月17日` are one day. A
// date is no set of loose numbers: each of them stands somewhere in a long session.
import { createTurns } from "../turns.ts";
import type { SourceText } from "./source-texts.ts";

/** Texts are searched in slices of this length, with pauses between; no date is as long as the overlap. */
const SLICE = 32_000;
const OVERLAP = 60;
const MONTHS: readonly string[] = [
  "jan|ene|gen",
  "feb|fev|fév",
  "mar|mär",
  "apr|abr|avr",
  "may|mai|mayo|mag",
  "jun|juin|giu",
  "jul|juil|lug",
  "aug|ago|aoû",
  "sep|set",
  "oct|okt|out|ott",
  "nov",
  "dec|dez|dic|déc",
];
const MONTH = MONTHS.map((names) => `(${names})`).join("|");
const NAMED = new RegExp(
  `(?<![\\p{L}\\d])(?:(\\d{1,2})(?:st|nd|rd|th|\\.|º)?[ -](?:de )?)?(?:${MONTH})\\p{L}{0,8}\\.?(?:[ -](\\d{1,2})(?!\\d))?`,
  "giu",
);
const NUMBERED = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)|(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.]\d{2,4}(?!\d)/g;
const COMPACT = /(?<!\d)(?:19|20|21)\d{2}(0[1-9]|1[0-2])([0-3]\d)(?!\d)/g;
const IDEOGRAPHIC = /(\d{1,2})月(\d{1,2})[日号]/g;
const CLOCK = /(?<!\d)(\d{1,2})[:：时時hH](\d{2})?(?!\d)(?:(?::\d{2})?(?:\.\d{1,9})? ?([ap])\.?m)?/gi;

/** `4-17` for a day, `6:30` for a time. Where day and month may be either, both readings. Linear. */
export function findDates(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const day = (month: number, date: number) => {
    if (month >= 1 && month <= 12 && date >= 1 && date <= 31) found.add(`${month}-${date}`);
  };
  for (const match of text.matchAll(NUMBERED)) {
    if (match[1] !== undefined) day(Number(match[2]), Number(match[3]));
    else {
      day(Number(match[4]), Number(match[5]));
      day(Number(match[5]), Number(match[4]));
    }
  }
  for (const match of text.matchAll(COMPACT)) day(Number(match[1]), Number(match[2]));
  for (const match of text.matchAll(IDEOGRAPHIC)) day(Number(match[1]), Number(match[2]));
  for (const match of text.matchAll(NAMED)) {
    const month = match.slice(2, 14).findIndex((name) => name !== undefined) + 1;
    for (const date of [match[1], match[14]]) if (date !== undefined) day(month, Number(date));
  }
  for (const match of text.matchAll(CLOCK)) addClock(match, found);
  return found;
}

function addClock([, hours = "", minutes = "00", half]: RegExpMatchArray, found: Set<string>): void {
  const hour = Number(hours);
  if (hour > 24) return;
  const late = half?.toLowerCase() === "p" && hour < 12 ? 12 : 0;
  found.add(`${hour + late}:${minutes}`);
}

/** All days and times of the texts; none when none are wanted, because the search costs more than that of a name. */
export async function locateDates(
  wanted: ReadonlySet<string>,
  texts: readonly SourceText[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (wanted.size === 0) return found;
  const turns = createTurns(1);
  for (const { text } of texts) {
    for (let at = 0; at < text.length; at += SLICE) {
      for (const date of findDates(text.slice(at, at + SLICE + OVERLAP))) found.add(date);
      const pause = turns.tick();
      if (pause !== undefined) await pause;
    }
  }
  return found;
}
