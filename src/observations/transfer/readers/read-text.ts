// Takes a text apart into JSON values, whether it is one JSON text or JSON Lines, whole or damaged.
import { isObject } from "../../../formats/json-shape.ts";
import { readJsonValues } from "../../../text/jsonl.ts";
import type { Fault, PlacedValue, ReadText } from "./row-reader.ts";

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
/** A text with more damaged lines is none of memories; each of them costs more than a good one. */
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
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
