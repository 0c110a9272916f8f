// Sets keys of a record inside the text of its file: only the values of these keys change, what is missing is added at the
// end of the map, and every other byte stays. What cannot be proved to read back right is refused.
import { isAlias, isCollection, isMap, isPair, isScalar, type Pair, stringify, type YAMLMap } from "yaml";
import { CompactError } from "../../errors.ts";
import { sha256 } from "../../storage/sha256.ts";
import { isoTime } from "../../time.ts";
import type { RawDecision } from "../decision.ts";
import { canonicalJson, isMap as isRecord } from "../record-values.ts";
import { decodeText, MOST_BYTES, type ParsedRecord, parseRecord, parseText, recordOf } from "./parse-record.ts";

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

type Root = YAMLMap & { readonly range: readonly [number, number, number] };

/** `changes` are JSON. @throws InvalidInput (`UNEDITABLE_RECORD`) with nothing to be written. */
export function spliceRecord(name: string, text: string, changes: RawDecision): string {
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
  const end = nodeEnd(pair.key);
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
  const end = Math.max(nodeEnd(last.value) ?? 0, tokensOf(last).colon ?? 0, nodeEnd(last.key) ?? 0);
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
  if (!isCollection(node) || node.flow === true) return nodeEnd(node);
  const last: unknown = node.items.at(-1);
  if (!isPair(last)) return contentEnd(last) ?? nodeEnd(node);
  return Math.max(contentEnd(last.value) ?? 0, tokensOf(last).colon ?? 0, nodeEnd(last.key) ?? 0);
}

function lineEnd(text: string, at: number): number {
  if (text[at - 1] === "\n") return at;
  const next = text.indexOf("\n", at);
  return next < 0 ? text.length : next + 1;
}

function nodeEnd(node: unknown): number | undefined {
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

// A new record: the text of its file and the name that the layout of decision folders gives it.

/** Safe as part of a file's name on every system. */
const SAFE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;
/** Ids that look like a made name get one themselves, so that no two ids meet in one. */
const MADE = /--[0-9a-f]{32}$/;
const READABLE_LENGTH = 40;
const DATED = /(?:^|\/)(?<date>\d{4}-\d{2}-\d{2})[^/]{0,300}$/;

/**
 * `2031/03/2031-03-31-decision-1a2b3c4d.yaml`, by the day in UTC. A record without a readable date gets no date by the name
 * of its file either. An id that is not safe as a name never comes into it: its place is taken by what is plain of it and a
 * hash, as the record itself says its id.
 */
export function recordPath(id: string, decidedAt: number | undefined): string {
  const name = `decision-${SAFE_ID.test(id) && !MADE.test(id) ? id : madeName(id)}.yaml`;
  if (decidedAt === undefined) return `undated/${name}`;
  const day = isoTime(decidedAt).slice(0, 10);
  return `${day.slice(0, 4)}/${day.slice(5, 7)}/${day}-${name}`;
}

/** JSON tells lone halves of a character apart, UTF-8 does not. */
function madeName(id: string): string {
  const words = id
    .slice(0, READABLE_LENGTH)
    .split(/[^A-Za-z0-9_]/)
    .filter((word) => word !== "");
  return `${words.join("-") || "id"}--${sha256(JSON.stringify(id)).slice(0, 32)}`;
}

/** The date that the name of a file gives. */
export function dateInName(path: string): string | undefined {
  return DATED.exec(path)?.groups?.date;
}

/** In their order; JSON is YAML too. */
const FORMS: readonly ((raw: RawDecision) => string)[] = [
  (raw) =>
    stringify(raw, {
      schema: "core",
      compat: "yaml-1.1",
      singleQuote: true,
      lineWidth: 100,
      aliasDuplicateObjects: false,
    }),
  (raw) => `${JSON.stringify(raw, null, 2)}\n`,
  jsonText,
];

/** `raw` is JSON. As block YAML; what YAML would not give back exactly, or would make too large of, as JSON. */
export function recordText(raw: RawDecision): string {
  for (const write of FORMS) {
    try {
      const text = write(raw);
      const read = parsedBytes(text);
      if ("raw" in read && canonicalJson(read.raw) === canonicalJson(raw)) return text;
    } catch {
      // Nested deeper than it can be written so.
    }
  }
  throw new CompactError("InvalidInput", "Nothing was changed: the record would not be read back as it is given.", {
    code: "UNREADABLE_RECORD",
    hint: "A record is not nested deeply, and its file takes up to 2.5 MB.",
  });
}

// A value as YAML on one line, good at any place: readers of YAML 1.1 and 1.2 read the same from it.

/** Safe as it stands, but for the words that are no text to one reader or another. */
const PLAIN = /^[A-Za-z_](?:[A-Za-z0-9_.-]| (?! )){0,200}$/;
const WORDS = new Set(["true", "false", "yes", "no", "on", "off", "y", "n", "null"]);
/** Without line breaks of any reader, controls and what may not stand in a file. */
const PRINTABLE = /^[\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;
/** JSON lets these stand inside texts. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

export function flowText(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${quoted(key)}: ${flowText(item)}`)
      .join(", ")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** As JSON, which is YAML too. */
function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(UNSAFE, escaped);
}

function quoted(text: string): string {
  if (PLAIN.test(text) && !text.endsWith(" ") && !WORDS.has(text.toLowerCase())) return text;
  if (PRINTABLE.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return jsonText(text);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
