// Reads a text of memories in whichever known format it is. Nothing that the text says is obeyed: it is only read.
import { CompactError } from "../../errors.ts";
import { findJsonFault, readJsonValues } from "../../text/json.ts";
import { isObject } from "../../text/json-values.ts";
import { parseJson } from "../../text/parse-json.ts";
import { chatExportReader } from "./chat-export-reader.ts";
import { exportReader, lineReader } from "./export-reader.ts";
import type { Fault, ImportedRows, PlacedValue, ReadText, RowReader } from "./imported-rows.ts";
import { knowledgeGraphReader } from "./knowledge-graph-reader.ts";
import { plainReader } from "./plain-reader.ts";

/** In the order in which they are asked: the most particular first. */
const READERS: readonly RowReader[] = [exportReader, lineReader, knowledgeGraphReader, chatExportReader, plainReader];

/** What `format` may be; `auto` tells by the content. */
export const IMPORT_FORMATS: readonly string[] = ["auto", ...READERS.map(({ name }) => name)];

/**
 * The rows of a text that was decoded already. Damaged lines and items without a text are left out and counted.
 * @throws InvalidInput `TRUNCATED_JSON` for one JSON text whose end is missing, with the `line` it ends in and what it ends
 * `inside` of; `UNKNOWN_FORMAT` where nothing in it is of a known format, or not of the format asked for.
 */
export function readImportedRows(text: string, format = "auto"): ImportedRows {
  if (!IMPORT_FORMATS.includes(format)) throw unknownName(format);
  const read = readText(text);
  if (read.faults.length > 0) refuseCutOff(text);
  const reader = READERS.find(({ name, matches }) => (format === "auto" || format === name) && matches(read));
  if (reader !== undefined) return reader.read(read);
  const titles = READERS.filter(({ name }) => format === "auto" || format === name).map(({ title }) => title);
  const [fault] = read.faults;
  throw new CompactError(
    "InvalidInput",
    `Nothing was imported: the text is no ${titles.join(", no ")}${fault === undefined ? "" : ` (${fault.position}: ${fault.reason})`}.`,
    {
      code: "UNKNOWN_FORMAT",
      hint: "Send the whole text of an export, JSON Lines of one, a knowledge graph's memory file, or objects with a content.",
    },
  );
}

/** Its rows stand on lines of their own, perhaps: without the tables around them nobody knows what they are. */
function refuseCutOff(source: string): void {
  const text = source.replace(/^\ufeff/u, "");
  if (!/^[\t\n\r ]*[[{]/u.test(text)) return;
  const fault = findJsonFault(text);
  if (fault?.isEnd !== true) return;
  const line = countLines(text);
  throw new CompactError(
    "InvalidInput",
    `Nothing was imported: the text is cut off in line ${line}, in the middle of ${fault.inside}.`,
    { code: "TRUNCATED_JSON", hint: "Send the whole text: its end is missing.", data: { line, inside: fault.inside } },
  );
}

function unknownName(format: string): CompactError {
  return new CompactError("InvalidInput", `format "${format.slice(0, 40)}" is not known.`, {
    code: "UNKNOWN_FORMAT",
    hint: `Send one of: ${IMPORT_FORMATS.join(", ")}.`,
  });
}

// Takes a text apart into JSON values, whether it is one JSON text or JSON Lines, whole or damaged.

/** Never throws; a text without any JSON gives no values and its faults. */
export function readText(source: string): ReadText {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
  const whole = parse(text);
  if (whole === undefined) return readLines(text);
  const { value } = whole;
  if (!Array.isArray(value))
    return { values: [{ value, position: "the file" }], isObject: isObject(value), faults: [] };
  const values = value.map((item: unknown, index) => ({ value: item, position: `item ${index + 1}` }));
  return { values, isObject: false, faults: [] };
}

/** Lines are read a block at a time, so that reading can stop. */
const BLOCK = 32 * 1024;
/** A text with more damaged lines does not hold memories; reading a damaged line costs more than reading a good one. */
const MOST_FAULTS = 10_000;

function readLines(text: string): ReadText {
  const values: PlacedValue[] = [];
  const faults: Fault[] = [];
  for (let start = 0, before = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start + BLOCK);
    const end = newline < 0 ? text.length : newline + 1;
    const block = text.slice(start, end);
    const read = readJsonValues(block);
    for (const { value, line } of read.values) values.push({ value, position: `line ${before + line}` });
    for (const { line, reason } of read.faults) faults.push(fault(before + line, reason === "torn" && newline < 0));
    before += countFeeds(block);
    start = end;
    if (faults.length > MOST_FAULTS && start < text.length) {
      faults.push({
        reason: "not read, nor any line after it: too many before it are not JSON",
        position: `line ${before + 1}`,
      });
      break;
    }
  }
  return { values, isObject: false, faults };
}

function fault(line: number, isTorn: boolean): Fault {
  return { reason: isTorn ? "the text is cut off here" : "not JSON", position: `line ${line}` };
}

/** The number of the line that the text ends in; a line feed at its end begins none. */
export function countLines(text: string): number {
  return countFeeds(text) + (text.endsWith("\n") ? 0 : 1);
}

function countFeeds(block: string): number {
  let feeds = 0;
  for (let at = block.indexOf("\n"); at >= 0; at = block.indexOf("\n", at + 1)) feeds += 1;
  return feeds;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}
