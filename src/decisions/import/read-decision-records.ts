// Files of decisions, whatever each of them is, as raw records with ids of their own and a list of what was left out.
// Nothing that a file holds stops the others.
import { isNestedDeeper } from "../../text/json.ts";
import { toWellFormed } from "../../text/quote.ts";
import type { RawDecision } from "../decision.ts";
import { canonicalJson, text, textOrNumber } from "../record-values.ts";
import { type FoundAdr, readAdr, resolveAdrs, splitLog } from "./adr-records.ts";
import { readCstpRecords } from "./cstp-records.ts";
import {
  type DecisionFile,
  type DecisionFormat,
  detectDecisionFormat,
  type FileReading,
  type FoundRecord,
  type ReadRecords,
  type SourceFault,
} from "./decision-source.ts";
import { readIssueRecords } from "./issue-records.ts";

export interface ReadRecordsOptions {
  /** Of all files. Default: each by its name and contents. */
  readonly format?: DecisionFormat | undefined;
}

/** Never throws for what a file holds. Records in the order of the files, ADRs first. */
export function readDecisionRecords(files: readonly DecisionFile[], { format }: ReadRecordsOptions = {}): ReadRecords {
  const adrs: FoundAdr[] = [];
  const found: FoundRecord[] = [];
  const faults: SourceFault[] = [];
  for (const file of files) {
    const reading = readFile(file, format ?? detectDecisionFormat(file.name, file.text));
    found.push(...reading.found);
    for (const adr of reading.adrs ?? []) adrs.push(adr);
    for (const fault of reading.faults) faults.push(fault);
  }
  return uniqueRecords([...resolveAdrs(adrs), ...found], faults);
}

function readFile(
  file: DecisionFile,
  format: DecisionFormat | undefined,
): FileReading & { readonly adrs?: readonly FoundAdr[] } {
  try {
    if (format === "adr") return readAdrs({ ...file, text: cleanText(file.text) });
    if (format === "cstp") return readCstpRecords(file);
    if (format === "issues") return readIssueRecords(file);
    const message = `${file.name} is left out: it is neither a CSTP record nor an ADR nor a list of issues.`;
    return { found: [], faults: [{ id: file.name, code: "NOT_A_RECORD", message }] };
  } catch {
    // Nested deeper than the stack, or longer than a string can be.
    const message = `${file.name} is left out: it cannot be read safely.`;
    return { found: [], faults: [{ id: file.name, code: "UNREADABLE_FILE", message }] };
  }
}

function readAdrs(file: DecisionFile): FileReading & { readonly adrs: readonly FoundAdr[] } {
  const read = splitLog(file).map(readAdr);
  return {
    found: [],
    adrs: read.flatMap(({ adr }) => (adr === undefined ? [] : [adr])),
    faults: read.flatMap(({ faults }) => faults),
  };
}

/** Of records with one id the last is taken: logs are appended to. */
function uniqueRecords(found: readonly FoundRecord[], faults: SourceFault[]): ReadRecords {
  const records = new Map<string, { readonly raw: RawDecision; readonly place: string }>();
  for (const record of found) {
    const place = record.line === undefined ? record.file : `line ${record.line} of ${record.file}`;
    const raw = cleanRecord(record.raw);
    const id = textOrNumber(record.raw.id);
    const reject = (what: string) =>
      faults.push({ id: id ?? record.file, code: "UNREADABLE_RECORD", message: `${place}: ${what}` });
    if (raw === undefined) reject("the record is nested too deeply.");
    else if (id === undefined) reject("the record has no id.");
    else if ((text(raw.decision) ?? text(raw.summary)) === undefined) reject("the record has no text.");
    else {
      const before = records.get(id);
      if (before !== undefined && canonicalJson(before.raw) !== canonicalJson(raw)) {
        faults.push({ id, code: "DUPLICATE_ID", message: `${before.place} has the id of ${place}, which is taken.` });
      }
      records.set(id, { raw, place });
    }
  }
  return { records: [...records.values()].map(({ raw }) => raw), faults };
}

// A record as every store gives it back: plain JSON, whole characters, no NUL. A log that stored anything else would find
// another record at the next import of the same file.

const MOST_LEVELS = 100;
const NUL = "\u0000";
const REPLACEMENT = "\ufffd";

/** Undefined where it is nested deeper than any record means to be. */
function cleanRecord(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  return isNestedDeeper(raw, MOST_LEVELS) ? undefined : (clean(raw) as Readonly<Record<string, unknown>>);
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : clean(item)));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  // By definition, so that `__proto__` is a key like others.
  return Object.fromEntries(entries.map(([key, item]) => [cleanText(key), clean(item)]));
}

function cleanText(text: string): string {
  const whole = toWellFormed(text);
  return whole.includes(NUL) ? whole.replaceAll(NUL, REPLACEMENT) : whole;
}
