// Lines that were written by a device or a form, not by somebody who thought about each: log lines, rows of a table,
// items that differ in their figures only. They are summed; those that are marked as faults are named.
import { oneLine } from "../../../facts/ledger-text.ts";

export interface Summed {
  readonly text: string;
  /** What it stands for: nothing in it is a choice or a rule. */
  readonly rows: readonly string[];
}

const CLOCK = /^[\s[(|*_`-]{0,8}(?:\d{4}-\d{2}-\d{2}[T ]?)?(\d{1,2}:\d{2}(?::\d{2})?)/u;
const DAY = /^[\s[(]{0,4}(\d{4}-\d{2}-\d{2})/u;
const FAULT =
  /\b(?:ERROR|FATAL|FAIL(?:ED|URE)?|CRITICAL|PANIC|ALARM|FAULT|errors?|failed|failure|fatal|fault|panic|alarm|crash(?:ed)?|Fehler|fehlgeschlagen|erreur|échec|error(?:es)?|fallo|erro|falha)\b|错误|失败|故障|异常|告警|エラー|失敗|異常/u;
/** A count of none is no fault. */
const NO_FAULT = /\b(?:0|no|without|zero) (?:errors?|failures?|faults?|alarms?)|0 ?(?:个)?(?:错误|失败|异常)/iu;
const LEAST_LINES = 5;
const LEAST_ITEMS = 6;
const LEAST_WORDS = 5;
/** Of the words of two neighbours, beside their figures. */
const ALIKE = 0.5;
const MOST_FAULTS = 3;
const ROW_UNITS = 140;

/** Lines of code or of a paragraph; undefined where they are no log. */
export function sumLog(lines: readonly string[]): Summed | undefined {
  const rows = lines.filter((line) => line.trim() !== "");
  const timed = rows.filter((line) => CLOCK.test(line));
  if (timed.length < LEAST_LINES || timed.length * 2 < rows.length) return undefined;
  return { text: `${countOf(timed.length)} log lines${spanOf(timed)}${faultsIn(timed)}`, rows };
}

/** Where runs of items that are alike begin and end, end exclusive. */
export function alikeRuns(items: readonly string[]): readonly (readonly [from: number, to: number])[] {
  const words = items.map(wordsOf);
  const runs: [number, number][] = [];
  let from = 0;
  for (let at = 1; at <= items.length; at += 1) {
    if (at < items.length && isAlike(words[at - 1], words[at])) continue;
    if (at - from >= LEAST_ITEMS) runs.push([from, at]);
    from = at;
  }
  return runs;
}

export function sumAlike(items: readonly string[]): Summed {
  const isLog = items.every((item) => CLOCK.test(item));
  const what = isLog ? `log lines${spanOf(items)}` : "entries of one form";
  const first = items[0] ?? "";
  return {
    text: `${countOf(items.length)} ${what}, the first: ${oneLine(first, ROW_UNITS)}${faultsIn(items)}`,
    rows: items,
  };
}

export function sumTable(names: readonly string[], rows: readonly (readonly string[])[]): Summed {
  const lines = rows.map((cells) => cells.filter((cell) => cell !== "").join(", "));
  const text = `table of ${countOf(rows.length)} rows: ${oneLine(names.filter((name) => name !== "").join(", "), ROW_UNITS)}`;
  return { text: `${text}${faultsIn(lines)}`, rows: lines };
}

export function isFault(line: string): boolean {
  return FAULT.test(line) && !NO_FAULT.test(line);
}

function spanOf(lines: readonly string[]): string {
  const times = lines.map((line) => CLOCK.exec(line)?.[1] ?? "");
  const days = lines.map((line) => DAY.exec(line)?.[1] ?? "");
  const at = (place: number) => [days.at(0) === days.at(-1) ? "" : days.at(place), times.at(place)].join(" ").trim();
  return at(0) === at(-1) ? ` of ${at(0)}` : ` from ${at(0)} to ${at(-1)}`;
}

function faultsIn(lines: readonly string[]): string {
  const faults = lines.filter(isFault);
  if (faults.length === 0 || faults.length * 2 > lines.length) return "";
  const shown = faults
    .slice(0, MOST_FAULTS)
    .map((line) => oneLine(line, ROW_UNITS))
    .join(" / ");
  return `; marked as faults: ${shown}${faults.length > MOST_FAULTS ? ` / ${countOf(faults.length - MOST_FAULTS)} more` : ""}`;
}

function isAlike(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): boolean {
  if (one === undefined || other === undefined || one.size < LEAST_WORDS || other.size < LEAST_WORDS) return false;
  let both = 0;
  for (const word of one) if (other.has(word)) both += 1;
  return both >= ALIKE * (one.size + other.size - both);
}

/** Of items without two figures at least: none, because somebody worded them. */
function wordsOf(item: string): ReadonlySet<string> | undefined {
  const start = item.slice(0, 400);
  if ((start.match(/\d+/gu)?.length ?? 0) < 2) return undefined;
  return new Set(start.toLowerCase().match(/\p{L}+/gu) ?? []);
}

function countOf(count: number): string {
  return count.toLocaleString("en-US");
}
