// Sets keys of a record inside the text of its file: only the values of these keys change, what is missing is added at the
// end of the map, and every other byte stays. What cannot be proved to read back right is refused.
import { isAlias, isCollection, isMap, isPair, isScalar, type Pair, type YAMLMap } from "yaml";
import { CompactError } from "../../../errors.ts";
import type { RawDecision } from "../../decision.ts";
import { canonicalJson } from "../../reading/canonical-json.ts";
import { flowText, jsonText } from "./flow-text.ts";
import {
  decodeText,
  hasOnlyReturns,
  isRecord,
  MOST_BYTES,
  type ParsedRecord,
  parseRecord,
  parseText,
  recordOf,
} from "./parse-record.ts";

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

type Root = YAMLMap & { readonly range: readonly [number, number, number] };

/** `changes` are JSON. @throws InvalidInput (`UNEDITABLE_RECORD`) with nothing to be written. */
export function spliceRecord(name: string, text: string, changes: RawDecision): string {
  if (hasOnlyReturns(text)) {
    return spliceRecord(name, text.replaceAll("\r", "\n"), changes).replaceAll("\n", "\r");
  }
  const document = parseText(text, true);
  const before = recordOf(document, text);
  const root = document.contents;
  if (!("raw" in before) || !isRecord(before.raw) || !isMap(root) || root.range == null)
    throw uneditable(name, changes);
  const wanted = canonicalJson({ ...before.raw, ...changes });
  const edits = editsOf(root as Root, text, changes);
  if (edits === undefined) throw uneditable(name, changes);
  const after = applied(text, edits);
  // What could not be read back any more is not written.
  const read = after.length > MOST_BYTES / 3 ? parsedBytes(after) : parseRecord(after);
  if ("raw" in read && canonicalJson(read.raw) === wanted) return after;
  throw uneditable(name, changes);
}

function parsedBytes(text: string): ParsedRecord {
  const decoded = decodeText(new TextEncoder().encode(text));
  return "text" in decoded ? parseRecord(decoded.text) : decoded;
}

function applied(text: string, edits: readonly Edit[]): string {
  // Sorting is stable, so additions at one place keep their order.
  const sorted = [...edits].sort((first, second) => first.from - second.from || first.to - second.to);
  let [result, at] = ["", 0];
  for (const edit of sorted) {
    result += text.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return result + text.slice(at);
}

/** Undefined where a value stands in a way that is not understood. */
function editsOf(root: Root, text: string, changes: RawDecision): Edit[] | undefined {
  const isJson = root.flow === true && isJsonText(text);
  const written = isJson ? jsonText : flowText;
  const edits: Edit[] = [];
  const missing: string[] = [];
  for (const [key, value] of Object.entries(changes)) {
    const pair = root.items.findLast((item) => isScalar(item.key) && String(item.key.value) === key);
    if (pair === undefined) {
      missing.push(`${written(key)}: ${written(value)}`);
      continue;
    }
    const found = root.flow === true ? editInFlow(pair, written(value)) : editInBlock(pair, text, written(value));
    if (found === undefined) return undefined;
    edits.push(...found);
  }
  if (missing.length === 0) return edits;
  const between = isJson ? spaceBefore(root.items.at(-1), text) : " ";
  const added = root.flow === true ? addedInFlow(root, missing, between) : addedInBlock(root, text, missing);
  return added === undefined ? undefined : [...edits, added];
}

function editInFlow(pair: Pair, value: string): Edit[] | undefined {
  const { colon, properties } = tokensOf(pair);
  if (colon !== undefined) return [editOnLine(pair, colon, properties, value)];
  const end = endOf(pair.key);
  return end === undefined ? undefined : [{ from: end, to: end, text: `: ${value}` }];
}

function editInBlock(pair: Pair, text: string, value: string): Edit[] | undefined {
  const { colon, properties, isLower } = tokensOf(pair);
  if (colon === undefined) return undefined;
  const [start] = rangeOf(pair.value) ?? [colon];
  const isFlow = isCollection(pair.value) && pair.value.flow === true;
  if (!isCollection(pair.value) || isFlow || !isLower) {
    const edit = editOnLine(pair, colon, properties, value);
    // The line break of a block scalar or a block list is part of it.
    return [{ ...edit, text: edit.text + (edit.to > edit.from ? lineBreakAt(text, edit.to) : "") }];
  }
  // A nested block: its lines go, comments above them stay, and the value comes to stand beside its key.
  const line = text.lastIndexOf("\n", start - 1) + 1;
  const end = lineEnd(text, contentEnd(pair.value) ?? start);
  const hasBreak = text[end - 1] === "\n";
  const from = hasBreak ? line : line - lineBreakAt(text, line).length;
  const place = properties ?? { from: colon, to: colon };
  return [
    { ...place, text: properties === undefined ? ` ${value}` : value },
    { from: Math.max(from, place.to), to: end, text: "" },
  ];
}

/** In the place of what stands there, its anchor and tag included; behind the colon where nothing does. */
function editOnLine(pair: Pair, colon: number, properties: Omit<Edit, "text"> | undefined, value: string): Edit {
  const [start, end] = rangeOf(pair.value) ?? [colon, colon];
  if (end > start) return { from: properties?.from ?? start, to: end, text: value };
  return properties === undefined ? { from: colon, to: colon, text: ` ${value}` } : { ...properties, text: value };
}

function lineBreakAt(text: string, end: number): string {
  if (text[end - 1] !== "\n") return "";
  return text[end - 2] === "\r" ? "\r\n" : "\n";
}

/** What programs that read JSON take; it stays that. */
function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The line break and indent, or the blank, by which the last key stands apart. */
function spaceBefore(pair: Pair | undefined, text: string): string {
  const end = rangeOf(pair?.key)?.[0] ?? 0;
  let start = end;
  while (" \t\r\n".includes(text[start - 1] ?? "x")) start--;
  return text.slice(start, end);
}

function addedInFlow(root: Root, missing: readonly string[], between: string): Edit | undefined {
  const last = root.items.at(-1);
  if (last === undefined) return undefined;
  const end = Math.max(endOf(last.value) ?? 0, tokensOf(last).colon ?? 0, endOf(last.key) ?? 0);
  return { from: end, to: end, text: missing.map((line) => `,${between}${line}`).join("") };
}

function addedInBlock(root: Root, text: string, missing: readonly string[]): Edit {
  const token = root.srcToken;
  const indent = " ".repeat(token !== undefined && "indent" in token ? token.indent : 0);
  const lineBreak = lineBreakAt(text, text.indexOf("\n") + 1) || "\n";
  const lines = missing.map((line) => indent + line).join(lineBreak);
  const at = root.range[2];
  // At the end of a file without a final line break there is none afterwards either.
  return { from: at, to: at, text: text[at - 1] === "\n" ? lines + lineBreak : lineBreak + lines };
}

interface Tokens {
  /** Behind the colon. */
  readonly colon: number | undefined;
  /** Anchor and tag of the value. */
  readonly properties: Omit<Edit, "text"> | undefined;
  /** The value begins on a line below the colon. */
  readonly isLower: boolean;
}

function tokensOf({ srcToken }: Pair): Tokens {
  const separators = srcToken?.sep ?? [];
  const at = separators.findIndex(({ type }) => type === "map-value-ind");
  const found = separators[at];
  if (found === undefined) return { colon: undefined, properties: undefined, isLower: false };
  const rest = separators.slice(at + 1);
  const own = rest.filter(({ type }) => type === "anchor" || type === "tag");
  const [first, last] = [own[0], own.at(-1)];
  return {
    colon: found.offset + 1,
    properties:
      first === undefined || last === undefined
        ? undefined
        : { from: first.offset, to: last.offset + last.source.length },
    isLower: rest.some(({ type }) => type === "newline"),
  };
}

function rangeOf(node: unknown): readonly [number, number] | undefined {
  const range = isScalar(node) || isCollection(node) || isAlias(node) ? node.range : undefined;
  return range == null ? undefined : [range[0], range[1]];
}

/** The range of a nested block goes on over comments that come after it. */
function contentEnd(node: unknown): number | undefined {
  if (!isCollection(node) || node.flow === true) return endOf(node);
  const last: unknown = node.items.at(-1);
  if (!isPair(last)) return contentEnd(last) ?? endOf(node);
  return Math.max(contentEnd(last.value) ?? 0, tokensOf(last).colon ?? 0, endOf(last.key) ?? 0);
}

function lineEnd(text: string, at: number): number {
  if (text[at - 1] === "\n") return at;
  const next = text.indexOf("\n", at);
  return next < 0 ? text.length : next + 1;
}

function endOf(node: unknown): number | undefined {
  return rangeOf(node)?.[1];
}

function uneditable(name: string, changes: RawDecision): CompactError {
  const keys = Object.keys(changes).join(", ");
  return new CompactError(
    "InvalidInput",
    `Nothing was changed: ${keys} cannot be set in ${name} without touching more.`,
    {
      code: "UNEDITABLE_RECORD",
      hint: "Set it in the file by hand, or write its keys on plain lines of their own.",
      data: { file: name, keys: Object.keys(changes) },
    },
  );
}
