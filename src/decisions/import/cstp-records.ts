// CSTP records: one YAML document a record, several in a file behind `---`, a list of them; or JSON, or JSON Lines. The
// record is taken as it is written; only an id or date that its file's name gives is added.
import { MOST_BYTES, parseRecord } from "../folder/parse-record.ts";
import { isMap, text as textOf, textOrNumber } from "../record-values.ts";
import {
  brokenLines,
  type DecisionFile,
  type FileReading,
  type FoundRecord,
  faultAt,
  readJsonItems,
  type SourceFault,
} from "./decision-source.ts";

/** `2026-02-04-decision-f4d51d7d.yaml` */
const NAMED = /(?:^|\/)(\d{4}-\d{2}-\d{2})-decision-([\w.-]{1,100}?)\.ya?ml$/i;
const STEM = /([^/]{1,120}?)\.(?:ya?ml|json)(?:\.gz)?$/i;
const CAMEL: ReadonlyMap<string, string> = new Map(
  ["created_at", "reviewed_at", "review_date", "actual_result", "recorded_by", "superseded_by"].map((key) => [
    key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    key,
  ]),
);
const TOO_LONG = { problem: "The record is too large, so it is not read." } as const;
const DATES = ["date", "timestamp", "created_at"] as const;

export function readCstpRecords(file: DecisionFile): FileReading {
  const reading = isJson(file.text) ? readJsonFile(file) : readYamlFile(file);
  if (reading.found.length + reading.faults.length > 0) return reading;
  return { found: [], faults: [faultAt(file, 1, "there is no record in the file.", "NOT_A_RECORD")] };
}

function readJsonFile(file: DecisionFile): FileReading {
  const { items, faults } = readJsonItems(file.text);
  const values = items.map(({ value, line }) => ({ value, line, isAlone: items.length === 1 }));
  return take(file, values, brokenLines(file, faults));
}

function readYamlFile(file: DecisionFile): FileReading {
  const faults: SourceFault[] = [];
  const documents = splitDocuments(file.text);
  const values = documents.flatMap(({ text, line }) => {
    const parsed = text.length > MOST_BYTES ? TOO_LONG : parseRecord(text);
    if ("problem" in parsed) {
      faults.push(faultAt(file, line, problemFrom(parsed.problem, line)));
      return [];
    }
    const isAlone = documents.length === 1 && !isList(parsed.raw);
    return parsed.raw === null ? [] : listed(parsed.raw).map((value) => ({ value, line, isAlone }));
  });
  return take(file, values, faults);
}

interface Found {
  readonly value: unknown;
  readonly line: number;
  /** The file is the record, so its name tells of it. */
  readonly isAlone: boolean;
}

function take(file: DecisionFile, values: readonly Found[], faults: SourceFault[]): FileReading {
  const found: FoundRecord[] = [];
  for (const { value, line, isAlone } of values) {
    if (!isMap(value)) faults.push(faultAt(file, line, "the record is not a map of keys and values."));
    else if (isAlone) found.push({ raw: named(withKnownKeys(value), file.name), file: file.name });
    else found.push({ raw: withKnownKeys(value), file: file.name, line });
  }
  return { found, faults };
}

/** Programs in other languages write the same keys in camel case. */
function withKnownKeys(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isCamel = Object.keys(raw).some((key) => CAMEL.has(key));
  if (!isCamel) return raw;
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => {
      const known = CAMEL.get(key);
      return [known === undefined || known in raw ? key : known, value];
    }),
  );
}

function isJson(text: string): boolean {
  return /^\ufeff?\s{0,1000}(?:\{\s{0,1000}["}]|\[\s{0,1000}[{\]])/.test(text);
}

function isList(value: unknown): boolean {
  return Array.isArray(value) || (isMap(value) && Array.isArray(value.decisions) && value.id === undefined);
}

function listed(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isMap(value) && isList(value) ? (value.decisions as readonly unknown[]) : [value];
}

interface TextDocument {
  readonly text: string;
  /** 1-based line of its beginning. */
  readonly line: number;
}

/** At lines of `---`: inside a document none can stand at the margin. Comments and directives alone are no document. */
function splitDocuments(text: string): readonly TextDocument[] {
  const documents: TextDocument[] = [];
  let lines: string[] = [];
  let start = 1;
  const close = (next: number) => {
    const isWritten = lines.some((line) => !/^\s{0,1000}(?:#|%|$)/.test(line));
    if (isWritten) documents.push({ text: lines.join("\n"), line: start });
    lines = [];
    start = next;
  };
  const all = (text.startsWith("\ufeff") ? text.slice(1) : text).split(/\r\n|\n|\r/);
  for (const [at, line] of all.entries()) {
    if (/^\.\.\.\s{0,100}$/.test(line)) close(at + 2);
    else if (/^---(?:\s|$)/.test(line)) {
      close(at + 1);
      // What stands behind the mark belongs to the document.
      lines.push(`   ${line.slice(3)}`.trim() === "" ? "" : line.slice(3).trimStart());
    } else lines.push(line);
  }
  close(0);
  return documents;
}

/** Lines are counted from the beginning of the file. */
function problemFrom(problem: string, start: number): string {
  const line = /^Line (\d{1,9}) of the file/.exec(problem)?.[1];
  const said = line === undefined ? problem : problem.replace(line, String(Number(line) + start - 1));
  return `${said.slice(0, 1).toLowerCase()}${said.slice(1)}`;
}

function named(raw: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const [, date, id] = NAMED.exec(name) ?? [];
  if (id === undefined || date === undefined) return withStem(raw, name);
  return {
    ...raw,
    ...(textOrNumber(raw.id) === undefined ? { id } : {}),
    ...(DATES.some((key) => textOf(raw[key]) !== undefined || typeof raw[key] === "number") ? {} : { date }),
  };
}

/** A record without an id, alone in its file, has the file's name for one. */
function withStem(raw: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const [, stem] = STEM.exec(name) ?? [];
  const isRecord = textOf(raw.decision) !== undefined && textOrNumber(raw.id) === undefined;
  return isRecord && stem !== undefined ? { ...raw, id: stem } : raw;
}
