// YAML or JSON text to values, and where each of them stands. JSON is read as the YAML that it is.
import { isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { CompactError } from "../../errors.ts";

export interface Place {
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

const MOST_NESTING = 500;
const MOST_ALIASES = 100;

/** Throws `InvalidConfig` with line and column for what is no YAML, or no keys and values. */
export function parseConfigFile(text: string, label: string): ParsedConfigFile {
  refuseDeepNesting(text, label);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) throw notYaml(label, describe(fault), placeAt(lines, fault.pos[0]));
  const value = toValues(document, label);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw noKeys(label);
  return {
    value: value as Readonly<Record<string, unknown>>,
    placeOf: (path) => placeAt(lines, offsetOf(document.contents, path)),
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
function offsetOf(contents: ParsedNode | null, path: readonly (string | number)[]): number {
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

/** The parser calls itself for each level, and a file of brackets would end the process. */
function refuseDeepNesting(text: string, label: string): void {
  let depth = 0;
  let dashes = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (character === "-" || character === "?") dashes += 1;
    else if (character !== " ") dashes = 0;
    if (depth > MOST_NESTING || dashes > MOST_NESTING) throw notYaml(label, "it is nested too deeply");
  }
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
