// A configuration file's text. Refuses what can only be a mistake: a folder, another encoding, a megabyte.
import type { LineCounter, ParsedNode, parseDocument } from "yaml";
import type * as z from "zod/mini";
import { CompactError } from "../errors.ts";
import { findYamlExcess } from "../text/parse-json.ts";
import { coerceFileValue } from "./coerce.ts";
import { configFileSchema, fieldNames } from "./file-schema.ts";
import { kindOf, shapeOf, unwrap, valueOfRecord } from "./schema-fields.ts";
import { describeUnknownKey, toCamelCase, toSnakeCase } from "./schema-parts.ts";

/** Bytes. Far above any configuration, far below what stalls a parser. */
const LARGEST_FILE = 1_000_000;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is no folder",
  EACCES: "reading it is not allowed",
  EPERM: "reading it is not allowed",
  ELOOP: "its links point at each other",
  ENAMETOOLONG: "the path is too long",
};

/** `label` is how messages name it. Throws `NotFound` when it cannot be opened, `InvalidConfig` for its content. */
export async function readConfigFile(path: string, label: string): Promise<string> {
  const bytes = await readBytes(path, label);
  if (bytes.length > LARGEST_FILE) throw refused(label, "is larger than 1 MB, which no configuration is");
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw refused(label, "is UTF-16 text; it must be UTF-8");
  if (bytes.includes(0)) throw refused(label, "is not text: it holds NUL bytes");
  try {
    // Leaves the byte order mark out.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refused(label, "is not valid UTF-8");
  }
}

/** At most one byte more than may be, so that a pipe or a device ends too. */
async function readBytes(path: string, label: string): Promise<Uint8Array> {
  const { open } = await import("node:fs/promises");
  try {
    const handle = await open(path, "r");
    try {
      if ((await handle.stat()).isDirectory()) throw refused(label, "is a directory; name the file in it");
      const chunks: Uint8Array[] = [];
      for await (const chunk of handle.createReadStream({ end: LARGEST_FILE, autoClose: false })) chunks.push(chunk);
      return Buffer.concat(chunks);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (CompactError.isInstance(cause)) throw cause;
    const code = (cause as { code?: unknown }).code;
    const reason = REASONS[String(code)] ?? String(code ?? "unknown reason");
    throw new CompactError("NotFound", `The configuration file ${label} cannot be read: ${reason}.`, {
      hint: "Check the path given to --config.",
      cause,
    });
  }
}

function refused(label: string, what: string): CompactError {
  return new CompactError("InvalidConfig", `${label} ${what}.`, {
    code: "UNREADABLE_CONFIG",
    hint: "Give a YAML or JSON file, as `agent-compact config init` writes one.",
  });
}

// Finds the configuration file of a working directory: in it, or above it as far as the repository or the home folder
// goes. A file decides where conversations are sent, so one that a stranger may have put there is not taken.

export const CONFIG_FILE_NAMES = ["compact.yaml", "compact.yml", "compact.json"] as const;

interface FoundConfigFile {
  /** Absolute; undefined when there is none. */
  readonly file: string | undefined;
  /** Absolute, nearest first. */
  readonly searched: readonly string[];
}

/**
 * Goes up from `cwd` to the first folder that holds `.git`, the home folder, or the root, each included. Above `cwd`, a
 * folder that everybody may write to (`/tmp`) is passed over.
 * @throws CompactError `InvalidConfig` when a folder holds more than one.
 */
export async function findConfigFile(cwd: string, home: string | undefined): Promise<FoundConfigFile> {
  const { dirname, join, resolve } = await import("node:path");
  const searched: string[] = [];
  let folder = resolve(cwd);
  for (;;) {
    if (folder === resolve(cwd) || !(await isOpenToAll(folder))) {
      searched.push(folder);
      const file = await configFileIn(folder);
      if (file !== undefined) return { file, searched };
    }
    const parent = dirname(folder);
    const isLast = parent === folder || (home !== undefined && folder === resolve(home));
    if (isLast || (await isThere(join(folder, ".git")))) return { file: undefined, searched };
    folder = parent;
  }
}

/** Of a folder that exists. Throws when it holds two. */
export async function configFileIn(folder: string): Promise<string | undefined> {
  const { join } = await import("node:path");
  const found: string[] = [];
  for (const name of CONFIG_FILE_NAMES) if (await isFileOrLink(join(folder, name))) found.push(name);
  if (found.length < 2) return found[0] === undefined ? undefined : join(folder, found[0]);
  throw new CompactError("InvalidConfig", `${folder} holds more than one configuration: ${found.join(" and ")}.`, {
    code: "TWO_CONFIG_FILES",
    hint: "Keep one of them, or say which with --config FILE.",
  });
}

/** A broken link counts as there: its owner wants the configuration read, and must be told that it was not. */
async function isFileOrLink(path: string): Promise<boolean> {
  const { lstat, stat } = await import("node:fs/promises");
  const found = await stat(path).catch(() => lstat(path).catch(() => undefined));
  return found !== undefined && !found.isDirectory();
}

async function isThere(path: string): Promise<boolean> {
  const { stat } = await import("node:fs/promises");
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function isOpenToAll(folder: string): Promise<boolean> {
  const { stat } = await import("node:fs/promises");
  const found = await stat(folder).catch(() => undefined);
  return found === undefined || (found.mode & 0o002) !== 0;
}

// YAML or JSON text to values, and where each of them stands. JSON is read as the YAML that it is.

interface Place {
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

export interface ParsedConfigFile {
  /** Keys as written. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Of the key at a path as written, or of the nearest one above it. */
  readonly placeOf: (path: readonly (string | number)[]) => Place;
}

const MOST_ALIASES = 100;

/** Throws `InvalidConfig` with line and column for what is no YAML, or no keys and values. */
export async function parseConfigFile(text: string, label: string): Promise<ParsedConfigFile> {
  if (findYamlExcess(text) !== undefined) throw notYaml(label, "it is nested too deeply, or holds too many values");
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) throw notYaml(label, describe(fault), placeAt(lines, fault.pos[0]));
  const value = toValues(document, label);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw noKeys(label);
  return {
    value: value as Readonly<Record<string, unknown>>,
    placeOf: (path) => placeAt(lines, offsetOf(yaml, document.contents, path)),
  };
}

function toValues(document: ReturnType<typeof parseDocument>, label: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES }) ?? {};
  } catch (error) {
    // Aliases of aliases, or an alias of nothing: the parser's sentence names no content but the anchor.
    throw notYaml(label, error instanceof Error ? error.message : "it cannot be read");
  }
}

/** In words of our own where the parser speaks to programmers. */
function describe({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === "DUPLICATE_KEY") return "the key stands here a second time";
  if (code === "TAB_AS_INDENT") return "tabs cannot indent YAML, use spaces";
  if (code === "MULTIPLE_DOCS") return "a second document begins here (---)";
  if (code === "TAG_RESOLVE_FAILED") return "tags (!) are not read";
  return message.split("\n")[0] ?? "";
}

/** Of the deepest key on the path that was written: what follows an alias stands where the alias does. */
function offsetOf(
  { isMap, isScalar, isSeq }: typeof import("yaml"),
  contents: ParsedNode | null,
  path: readonly (string | number)[],
): number {
  let node: unknown = contents;
  let offset = contents?.range[0] ?? 0;
  for (const segment of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
      if (pair === undefined) break;
      offset = (pair.key as ParsedNode).range[0];
      node = pair.value;
    } else if (isSeq(node) && typeof segment === "number") {
      node = node.items[segment];
      offset = (node as ParsedNode | undefined)?.range[0] ?? offset;
    } else break;
  }
  return offset;
}

function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function notYaml(label: string, what: string, place?: Place): CompactError {
  const where = place === undefined ? label : `${label}:${place.line}:${place.column}`;
  return new CompactError("InvalidConfig", `${where}: not valid YAML: ${what}`, {
    code: "NOT_YAML",
    hint: "Correct the file.",
    data: { ...place },
  });
}

function noKeys(label: string): CompactError {
  return new CompactError("InvalidConfig", `${label} must hold keys and values.`, {
    code: "NOT_YAML",
    hint: 'Start it with: version: "1.0"',
  });
}

// A file's values in the shape that the schema checks: keys in camelCase, numbers and switches that were written as text
// coerced. What the schema cannot tell (how a key was written) is found here.

interface KeyFault {
  /** As written. */
  readonly path: readonly string[];
  readonly message: string;
}

interface ShapedValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: readonly KeyFault[];
}

export function shapeFileValues(written: Readonly<Record<string, unknown>>): ShapedValues {
  const faults: KeyFault[] = [];
  const values = shapeValue(configFileSchema, written, [], faults) as Readonly<Record<string, unknown>>;
  return { values, faults };
}

function shapeValue(schema: z.ZodMiniType, value: unknown, path: readonly string[], faults: KeyFault[]): unknown {
  const shape = shapeOf(schema);
  const element = valueOfRecord(schema);
  if (shape === undefined && element === undefined) {
    if (value === null) faults.push({ path, message: "has no value: give it one, or remove the key" });
    const kind = kindOf(schema);
    return value === null || kind === undefined ? undefined : coerceFileValue(value, kind);
  }
  // A block whose keys are all commented out.
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) return value;
  if (element !== undefined) return shapeRecord(element, value, path, faults);
  return shapeBlock(shape ?? {}, value, path, faults);
}

function shapeBlock(
  shape: Readonly<Record<string, z.ZodMiniType>>,
  value: object,
  path: readonly string[],
  faults: KeyFault[],
): object {
  const known = Object.keys(shape).map(toSnakeCase);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      const name = toCamelCase(key);
      const schema = known.includes(key) ? shape[name] : undefined;
      if (schema !== undefined) return [[name, shapeValue(unwrap(schema), child, [...path, key], faults)]];
      faults.push({ path: [...path, key], message: describeUnknownKey(key, known, fieldNames()) });
      return [];
    }),
  );
}

/** The names are the user's, but for the one that JavaScript keeps for itself. */
function shapeRecord(element: z.ZodMiniType, value: object, path: readonly string[], faults: KeyFault[]): object {
  if (Object.hasOwn(value, "__proto__")) faults.push({ path: [...path, "__proto__"], message: "is not a known key" });
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, shapeValue(unwrap(element), child, [...path, key], faults)]),
  );
}
