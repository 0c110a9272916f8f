// Puts an entry into a text of a host's configuration and takes it out again: the smallest change, comments and layout stay.
// One pair for each format. What comes out is read again, and is refused where it does not say what was meant.
import { isDeepStrictEqual } from "node:util";
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  stripComments,
} from "jsonc-parser";
import * as toml from "smol-toml";
import { CompactError } from "../../errors.ts";
import { isObject } from "../../text/json-values.ts";
import type { Entry, HostFile } from "../hosts.ts";

type FileFormat = HostFile["format"];

/** `same`: as we write it. `other`: something else stands there, or a person put us there in another way. */
type Standing = "absent" | "same" | "other";

/** A fault in a text. Whoever knows its file says so. */
class Fault extends Error {
  readonly line: number;
  constructor(message: string, text: string, offset: number) {
    super(message);
    this.line = text.slice(0, offset).split("\n").length;
  }
}

/** Throws `InvalidConfig` with the line, for a text that the host could not read either. */
export function readValue(format: FileFormat, text: string, path: string): unknown {
  return inFile(path, () => FORMATS[format].read(plain(text)));
}

export function standingOf(value: unknown, { at, value: wanted, isListed }: Entry): Standing {
  const found = valueAt(value, at);
  const beside = isListed === true ? found : at.length > 1 ? valueAt(value, at.slice(0, -1)) : undefined;
  const others = typeof beside === "object" && beside !== null ? Object.values(beside) : [];
  if ((isListed === true ? others : [found]).some((each) => isDeepStrictEqual(each, wanted))) return "same";
  const isTaken = isListed !== true && found !== undefined && found !== "";
  return isTaken || others.some((each) => STARTED.test(JSON.stringify(each))) ? "other" : "absent";
}

/** This program as a server, a hook or a plugin, in whatever way a person wrote it. */
const STARTED = /agent-compact(?:(?:@[^\s"]+|[^\s"]*main\.js)?["\s][^{}]{0,20}?\b(?:mcp|hook)\b|\/plugins\/)/;

/** Throws `InvalidConfig` where something stands in the way. */
export function addEntry(format: FileFormat, text: string, entry: Entry, path: string): string {
  return inFile(path, () => {
    const { read, add } = FORMATS[format];
    const before = plain(text);
    const after = add(before, entry);
    if (!isDeepStrictEqual(read(after), withEntry(read(before), entry)))
      throw new Fault("cannot be added to", before, 0);
    return text.slice(0, text.length - before.length) + after;
  });
}

/** Undefined where the entry is not as it was added. `before`: what the file said then; containers it had stay. */
export function removeEntry(format: FileFormat, text: string, entry: Entry, before: unknown): string | undefined {
  const { read, remove } = FORMATS[format];
  const now = plain(text);
  const standing = standingOf(read(now), entry);
  if (standing !== "same") return standing === "absent" ? text : undefined;
  const after = remove(now, entry, before);
  return after === undefined ? undefined : text.slice(0, text.length - now.length) + after;
}

/** True where a text that is left over says nothing any more. */
export function isEmpty(format: FileFormat, text: string): boolean {
  return (format === "json" ? text.replace(/^\s*\{\s*\}\s*$/, "") : text.trim()) === "";
}

/** Without the byte order mark. */
function plain(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

function inFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new CompactError("InvalidConfig", `${path}:${error.line} ${error.message}.`, {
      code: "HOST_CONFIG",
      hint: "Correct that line and run this again. Nothing was written, here or in other files.",
      data: { path, line: error.line },
    });
  }
}

function valueAt(value: unknown, at: readonly string[]): unknown {
  return at.reduce((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value);
}

/** Parsers make objects without one, which no comparison takes for equal to others. */
function withPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPrototypes);
  if (!isObject(value) || Object.getPrototypeOf(value) !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPrototypes(inner)]));
}

/** What a configuration says once it has the entry. */
function withEntry(value: unknown, { at: [key, ...rest], value: wanted, isListed }: Entry): unknown {
  if (key === undefined) return isListed === true ? [...((value as unknown[]) ?? []), wanted] : wanted;
  const inner = { at: rest, value: wanted, ...(isListed === true ? { isListed } : {}), what: "" };
  return { ...(value as object), [key]: withEntry(valueAt(value, [key]), inner) };
}

interface Format {
  read(text: string): unknown;
  add(text: string, entry: Entry): string;
  remove(text: string, entry: Entry, before: unknown): string | undefined;
}

const FORMATS: Readonly<Record<FileFormat, Format>> = {
  json: { read: readJson, add: addJson, remove: removeJson },
  toml: { read: readToml, add: addToml, remove: removeToml },
  text: { read: (text) => text, add: (_, { value }) => String(value), remove: () => "" },
};

// TOML: a table of its own at the end, which is allowed wherever its parent is not written in one line.

function readToml(text: string): unknown {
  try {
    return withPrototypes(toml.parse(text));
  } catch (error) {
    if (!(error instanceof toml.TomlError)) throw error;
    const fault = new Fault(
      `is no TOML: ${error.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "")}`,
      text,
      0,
    );
    throw Object.assign(fault, { line: error.line });
  }
}

function addToml(text: string, { at, value }: Entry): string {
  const parent = valueAt(readToml(text), at.slice(0, -1));
  const end = lineEndOf(text);
  const gap = text === "" ? "" : text.endsWith("\n") ? end : end + end;
  const added = text + gap + tableOf({ at, value }, end);
  try {
    toml.parse(added);
  } catch {
    const line = text.search(new RegExp(`^\\s*${at[0]}\\b`, "m"));
    const why = isObject(parent) ? "is written in one line, to which no table can be added" : "is no table";
    throw new Fault(`: ${at[0]} ${why}`, text, Math.max(line, 0) + 1);
  }
  return added;
}

function removeToml(text: string, { at, value }: Entry): string | undefined {
  const end = lineEndOf(text);
  const table = tableOf({ at, value }, end);
  const start = text.indexOf(table);
  if (start < 0) return undefined;
  const head = text.slice(0, start);
  return head.slice(0, head.endsWith(end + end) ? -end.length : undefined) + text.slice(start + table.length);
}

function tableOf({ at, value }: Pick<Entry, "at" | "value">, end: string): string {
  const nested = at.reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
  return `${toml.stringify(nested as Record<string, unknown>).trim()}\n`.replaceAll("\n", end);
}

function lineEndOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

// JSON, with comments and commas at ends, as hosts take it.

function treeOf(text: string): Node {
  const faults: ParseError[] = [];
  const tree = parseTree(text, faults, { allowTrailingComma: true });
  const [first] = faults;
  if (first !== undefined)
    throw new Fault(`is no JSON: ${wordsOf(printParseErrorCode(first.error))}`, text, first.offset);
  if (tree?.type !== "object") throw new Fault("is no JSON object", text, tree?.offset ?? 0);
  return tree;
}

/** `CommaExpected` -> `comma expected`. */
function wordsOf(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

function readJson(text: string): unknown {
  // Not by `parse`, which takes the key `__proto__` for the prototype.
  return text.trim() === "" ? {} : withPrototypes(getNodeValue(treeOf(text)));
}

function addJson(given: string, { at, value, isListed }: Entry): string {
  const text = given.trim() === "" ? "{}\n" : given;
  let [node, depth] = [treeOf(text), 0];
  for (; depth < at.length; depth += 1) {
    if (node.type !== "object") throw new Fault(`${at.slice(0, depth).join(".")} is no object`, text, node.offset);
    const inner = findNodeAtLocation(node, [at[depth] as string]);
    if (inner === undefined) break;
    node = inner;
  }
  const wrap = (inner: unknown, key: string) => ({ [key]: inner });
  const [key, ...rest] = at.slice(depth);
  if (key === undefined && node.type !== "array") throw new Fault(`${at.join(".")} is no list`, text, node.offset);
  return insert(text, node, key, rest.reduceRight(wrap, isListed === true && key !== undefined ? [value] : value));
}

/** As the last of a container. What stands behind the one that was last, a comment mostly, stays there. */
function insert(text: string, parent: Node, key: string | undefined, value: unknown): string {
  const close = parent.offset + parent.length - 1;
  const last = parent.children?.at(-1);
  const start = last === undefined ? parent.offset + 1 : last.offset + last.length;
  const gap = text.slice(start, close);
  const hasComma = last !== undefined && commaIn(text, start, close) !== undefined;
  const head = text.slice(0, start) + (last === undefined || hasComma ? "" : ",") + gap.trimEnd();
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const tail = (hasComma ? "," : "") + gap.slice(gap.trimEnd().length) + text.slice(close);
  if (last !== undefined && !text.slice(parent.offset, close).includes("\n"))
    return `${head} ${name}${JSON.stringify(value)}${tail}`;
  const step = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  const outer = indentAt(text, parent.offset);
  const inner = last === undefined ? outer + step : indentAt(text, last.offset);
  const end = lineEndOf(text);
  const written = (name + JSON.stringify(value, undefined, step)).replaceAll("\n", end + inner);
  return `${head}${end}${inner}${written}${last === undefined ? end + outer + text.slice(close) : tail}`;
}

/** White space at the beginning of the line. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Between two values, where nothing but comments stands beside it. */
function commaIn(text: string, from: number, to: number): number | undefined {
  const at = stripComments(text.slice(from, to), " ").indexOf(",");
  return at < 0 ? undefined : from + at;
}

/** Containers that it leaves empty go with it, if they came with it. */
function removeJson(text: string, { at, value, isListed }: Entry, before: unknown): string {
  const found = findNodeAtLocation(treeOf(text), [...at]) as Node;
  const node =
    isListed === true
      ? found.children?.find((each) => isDeepStrictEqual(withPrototypes(getNodeValue(each)), value))
      : found;
  let left = cut(text, isListed === true ? (node as Node) : (found.parent as Node));
  for (let path = isListed === true ? at : at.slice(0, -1); path.length > 0; path = path.slice(0, -1)) {
    const container = findNodeAtLocation(treeOf(left), [...path]);
    if (container?.parent === undefined || container.children?.length !== 0 || valueAt(before, path) !== undefined)
      break;
    left = cut(left, container.parent);
  }
  return left;
}

/** Takes one of a container out, with the white space before it and the comma that it needed. */
function cut(text: string, node: Node): string {
  const { children = [], offset: open, length } = node.parent as Node;
  const index = children.indexOf(node);
  const [previous, next] = [children[index - 1], children[index + 1]];
  const start = text.slice(0, node.offset).trimEnd().length;
  const end = node.offset + node.length;
  const behind = commaIn(text, end, next?.offset ?? open + length - 1);
  if (behind !== undefined) return text.slice(0, start) + text.slice(end, behind) + text.slice(behind + 1);
  const left = text.slice(0, start) + text.slice(end);
  const ahead = previous === undefined ? undefined : commaIn(text, previous.offset + previous.length, start);
  return ahead === undefined ? left : left.slice(0, ahead) + left.slice(ahead + 1);
}
