// What the readers of decision files are given and give: raw records as every log stores them, and what was left out; and
// what they share: the format of a file and the JSON values in it.
import { readJsonValues, skipSpace, skipValue } from "../../text/json.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { RawDecision } from "../decision.ts";
import { isMap } from "../record-values.ts";

/** `cstp`: CSTP records as YAML, JSON or JSON Lines. `adr`: Markdown (MADR 2 to 4, Nygard). `issues`: beads and GitHub. */
const DECISION_FORMATS = ["cstp", "adr", "issues"] as const;
export type DecisionFormat = (typeof DECISION_FORMATS)[number];

export interface DecisionFile {
  /** As the user knows it; folders apart by `/`. */
  readonly name: string;
  readonly text: string;
}

/** Something in a file that became no record, or not as it is written. */
export interface SourceFault {
  /** Name of the file, or id of the record. */
  readonly id: string;
  /**
   * `NOT_A_RECORD`: a page beside records (a README, a template). `UNREADABLE_FILE`, `UNREADABLE_LINE`, `TORN_LINE`,
   * `UNREADABLE_RECORD`: left out. `DUPLICATE_ID`: only one of them is taken. `UNREADABLE_DATE`, `UNREADABLE_PRESERVE`:
   * taken, and served in full.
   */
  readonly code:
    | "NOT_A_RECORD"
    | "UNREADABLE_FILE"
    | "UNREADABLE_LINE"
    | "TORN_LINE"
    | "UNREADABLE_RECORD"
    | "DUPLICATE_ID"
    | "UNREADABLE_DATE"
    | "UNREADABLE_PRESERVE";
  /** One sentence; never quotes the decision. */
  readonly message: string;
}

export interface ReadRecords {
  /** Each with an `id`, no two with one. */
  readonly records: readonly RawDecision[];
  readonly faults: readonly SourceFault[];
}

/** A record and where it stands, before ids are settled among files. */
export interface FoundRecord {
  readonly raw: Readonly<Record<string, unknown>>;
  /** Name of its file. */
  readonly file: string;
  /** 1-based; absent where the file is the record. */
  readonly line?: number;
}

export interface FileReading {
  readonly found: readonly FoundRecord[];
  readonly faults: readonly SourceFault[];
}

// Which format a file of decisions has: by the end of its name, and where that says too little by what stands in it.

/** Characters from which the contents are judged. */
const LOOKED_AT = 200_000;

/** Undefined for any other file. */
export function detectDecisionFormat(name: string, text: string): DecisionFormat | undefined {
  const bare = name.toLowerCase().replace(/\.gz$/, "");
  if (/\.(?:md|markdown|mdx)$/.test(bare)) return "adr";
  if (/\.ya?ml$/.test(bare)) return "cstp";
  if (/\.(?:jsonl?|ndjson)$/.test(bare)) return formatOfJson(text);
  const start = text.slice(0, LOOKED_AT).replace(/^\ufeff?\s{1,1000}|^\ufeff/, "");
  if (/^[[{]/.test(start)) return formatOfJson(text);
  if (/^(?:#{1,6} \S|[^\n]{1,200}\n={3,}\s{0,100}\n)/.test(start)) return "adr";
  if (/^---\s/.test(start) && /^---\s{0,100}$/m.test(start.slice(4)) && /^#{1,6} \S/m.test(start)) return "adr";
  return /^(?:- )?(?:id|summary|decision|timestamp|date|category):/m.test(start) ? "cstp" : undefined;
}

/** Records of decisions are known by their text, issues by a title. */
function formatOfJson(text: string): DecisionFormat | undefined {
  const whole = firstValue(text.slice(0, LOOKED_AT)) ?? firstValue(text);
  if (whole === undefined) return undefined;
  if ("decision" in whole || ("summary" in whole && !("title" in whole))) return "cstp";
  const isIssue = "title" in whole && ["id", "number", "status", "state", "issue_type"].some((key) => key in whole);
  return isIssue ? "issues" : undefined;
}

function firstValue(text: string): Readonly<Record<string, unknown>> | undefined {
  return readJsonItems(text)
    .items.map(({ value }) => value)
    .find(isMap);
}

// The JSON values of a text, however they stand in it: lines, one array, arrays one after another as paginated answers
// come, an object spread over lines. What is broken is told by line, and everything else is read.

export interface JsonItem {
  readonly value: unknown;
  /** 1-based. */
  readonly line: number;
}

interface JsonItems {
  readonly items: readonly JsonItem[];
  readonly faults: readonly { readonly line: number; readonly isTorn: boolean }[];
}

/** Arrays are opened, one level. */
export function readJsonItems(text: string): JsonItems {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const whole = text[start] === "[" || text[start] === "{" ? parse(text.slice(start)) : undefined;
  if (whole !== undefined) return { items: opened(whole.value, createLineCounter(text)(start)), faults: [] };
  return text[start] === "[" || isSpread(text, start) ? readInARow(text, start) : readLines(text);
}

function readLines(text: string): JsonItems {
  const { values, faults } = readJsonValues(text);
  return {
    items: values.flatMap(({ value, line }) => opened(value, line)),
    faults: faults.map(({ line, reason }) => ({ line, isTorn: reason === "torn" })),
  };
}

/** An object whose first line is none by itself. */
function isSpread(text: string, start: number): boolean {
  const end = text.indexOf("\n", start);
  return text[start] === "{" && end >= 0 && text.slice(start + 1, end).trim() === "";
}

/** Values one after another, those of arrays one by one: what a torn array holds whole is read. */
function readInARow(text: string, start: number): JsonItems {
  const items: JsonItem[] = [];
  const faults: { line: number; isTorn: boolean }[] = [];
  const lines = createLineCounter(text);
  for (let at = start; at < text.length; at = skipSpace(text, at)) {
    if ("[],".includes(text[at] ?? "")) {
      at += 1;
      continue;
    }
    const end = skipValue(text, at);
    const found = end === undefined ? undefined : parse(text.slice(at, end));
    if (found !== undefined) items.push(...opened(found.value, lines(at)));
    else faults.push({ line: lines(at), isTorn: end === undefined });
    // What follows a value that does not end, or no value at all, cannot be told apart: on with the next line.
    const next = end ?? nextLine(text, at);
    at = next > at ? next : at + 1;
  }
  return { items, faults };
}

function nextLine(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : newline + 1;
}

/** Of offsets that only grow: each line is counted once. */
function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let from = 0;
  return (offset) => {
    for (let at = text.indexOf("\n", from); at >= 0 && at < offset; at = text.indexOf("\n", from)) {
      line += 1;
      from = at + 1;
    }
    return line;
  };
}

/** Answers wrap their list: `{"issues": […]}`, `{"items": […]}`, `{"decisions": […]}`. */
const WRAPPERS = ["issues", "items", "decisions", "data"] as const;

function opened(value: unknown, line: number): readonly JsonItem[] {
  const isWrapped = isMap(value) && !("id" in value) && !("title" in value);
  const list = isWrapped ? WRAPPERS.map((key) => value[key]).find(Array.isArray) : value;
  return (Array.isArray(list) ? list : [value]).map((item: unknown) => ({ value: item, line }));
}

function parse(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(json) };
  } catch {
    return undefined;
  }
}

/** What is wrong at a line of a file. */
export function faultAt(
  { name }: DecisionFile,
  line: number,
  what: string,
  code: SourceFault["code"] = "UNREADABLE_RECORD",
) {
  return { id: name, code, message: `Line ${line} of ${name}: ${what}` } satisfies SourceFault;
}

/** Of broken lines of JSON. */
export function brokenLines(file: DecisionFile, faults: JsonItems["faults"]): SourceFault[] {
  return faults.map(({ line, isTorn }) =>
    isTorn
      ? faultAt(file, line, "it ends in the middle of a value.", "TORN_LINE")
      : faultAt(file, line, "it is no JSON.", "UNREADABLE_LINE"),
  );
}
