// The text of a file as a record: YAML 1.2 core, nothing resolved beyond it. Whatever a file holds ends here as a record or
// as one sentence about what is wrong with it, never as an exception.
import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from "yaml";
import { findYamlExcess } from "../../text/parse-json.ts";

/** Bytes of a file. No decision is as long, and reading must not take the memory of everybody. */
export const MOST_BYTES = 2_500_000;
/** What aliases may make of it, in characters of JSON. */
const MOST_CHARACTERS = 2 * MOST_BYTES;
const MOST_ALIASES = 20;

/** A record as JSON has it, or what is wrong with the file. `raw` may still be no map: then it is no decision either. */
export type ParsedRecord = { readonly raw: unknown } | { readonly problem: string };

/** Exact: bytes that are no UTF-8 are a problem, and a byte order mark stays. */
export function decodeText(bytes: Uint8Array): { readonly text: string } | { readonly problem: string } {
  if (bytes.length > MOST_BYTES) return { problem: "The file is larger than 2.5 MB, so it is not read." };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: "The file is not UTF-8." };
  }
}

export function parseRecord(text: string): ParsedRecord {
  if (text.trim() === "") return { problem: "The file is empty." };
  if (findYamlExcess(text) !== undefined)
    return { problem: "The file is nested too deeply, or holds too many values." };
  try {
    return recordOf(parseText(text), text);
  } catch {
    // Aliases without end, or nested deeper than the stack.
    return { problem: "The file is no YAML that can be read safely." };
  }
}

/**
 * Keys that come twice are no error: the last one counts, as for the programs that write these files. Asking for unique
 * keys would take a time that grows with their square.
 */
export function parseText(text: string, keepSourceTokens = false): Document.Parsed {
  return parseDocument(text, {
    schema: "core",
    keepSourceTokens,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "error",
  });
}

export function recordOf(document: Document.Parsed, text: string): ParsedRecord {
  const [error] = document.errors;
  if (error !== undefined)
    return { problem: `Line ${lineAt(text, error.pos[0])} of the file is no YAML (${error.code}).` };
  for (const record of recordsIn(document)) {
    keepIdsAsWritten(record);
    readPreserve(record);
  }
  const json = JSON.stringify(document.toJS({ maxAliasCount: MOST_ALIASES })) ?? "null";
  if (json.length > MOST_CHARACTERS) return { problem: "The aliases of the file make too much of it." };
  return { raw: JSON.parse(json) };
}

const WITH_IDS = new Set(["id", "supersedes", "superseded_by", "related_to", "related_decisions", "relations"]);

/** The document, or the records that it lists. */
function recordsIn({ contents }: Document.Parsed): readonly YAMLMap[] {
  if (isSeq(contents)) return contents.items.filter((item) => isMap(item));
  if (!isMap(contents)) return [];
  const list: unknown = contents.get("decisions", true);
  return [contents, ...(isSeq(list) ? list.items.filter((item) => isMap(item)) : [])];
}

/** An id is not what it is as a number: `1234e567` is no infinity, and `01234568` begins with 0. */
function keepIdsAsWritten(record: YAMLMap): void {
  for (const { key, value } of record.items) {
    if (isScalar(key) && WITH_IDS.has(String(key.value))) keepAsWritten(value);
  }
}

function keepAsWritten(node: unknown): void {
  if (isSeq(node)) for (const item of node.items) keepAsWritten(item);
  else if (isMap(node)) keepAsWritten(node.get("id", true));
  else if (isScalar(node) && typeof node.value === "number" && node.source !== undefined) {
    if (String(node.value) !== node.source) node.value = node.source;
  }
}

const YES = /^(?:yes|Yes|YES|on|On|ON)$/;
const NO = /^(?:no|No|NO|off|Off|OFF)$/;

/** Programs of YAML 1.1, which these records come from, mean true and false by these words; in quotes they are texts. */
function readPreserve(record: YAMLMap): void {
  for (const { key, value } of record.items) {
    if (!isScalar(key) || key.value !== "preserve" || !isScalar(value)) continue;
    if (value.type !== "PLAIN" || value.tag !== undefined || value.source === undefined) continue;
    if (YES.test(value.source)) value.value = true;
    if (NO.test(value.source)) value.value = false;
  }
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < position; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
