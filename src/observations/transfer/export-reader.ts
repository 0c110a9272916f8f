// Reads one object of tables: the exports of the reference and of ours, and the chunks by which the reference's
// ancestor keeps stores in step (the same without a version).
import { asArray, isObject, type JsonObject } from "../../text/json-values.ts";
import {
  createImportLog,
  type ImportedObservation,
  type ImportedPrompt,
  type ImportedRelation,
  type ImportedRows,
  type ImportedSession,
  type ImportLog,
  type PlacedValue,
  type ReadText,
  type RowReader,
} from "./imported-rows.ts";
import { counterOf, dropOthers, observationRow, own, promptRow, relationRow, sessionRow } from "./table-rows.ts";

const KNOWN = new Set(["format", "version", "exported_at", "sessions", "observations", "prompts", "relations"]);

export const exportReader: RowReader = {
  name: "export",
  title: "export of a memory store",
  matches({ isObject, values }) {
    const file = values[0]?.value as JsonObject;
    if (!isObject) return false;
    // An entity of a knowledge graph has observations, too, and a name.
    return (
      Array.isArray(own(file, "sessions")) || (Array.isArray(own(file, "observations")) && !Object.hasOwn(file, "name"))
    );
  },
  read: readExport,
};

function readExport({ values }: ReadText): ImportedRows {
  const file = values[0]?.value as JsonObject;
  const log = createImportLog();
  dropOthers(file, KNOWN, log);
  const rows = <Row>(table: string, read: (item: unknown, position: string, log: ImportLog) => Row | undefined) =>
    asArray(own(file, table)).flatMap((item, index) => read(item, `${table}[${index}]`, log) ?? []);
  return {
    format: exportReader.name,
    sessions: rows("sessions", sessionRow),
    observations: rows("observations", observationRow),
    prompts: rows("prompts", promptRow),
    relations: rows("relations", relationRow),
    ...log.read(),
  };
}

// Reads the lines that mem_export pages give: every row says which table it is of. Pages may be put together, fed one
// after another or repeated.

const TABLES: ReadonlySet<unknown> = new Set(["session", "observation", "prompt", "relation"]);

export const lineReader: RowReader = {
  name: "export-lines",
  title: "JSON Lines of an export",
  matches: (text) => linesOf(text).some(({ value }) => isLine(value)),
  read: readExportLines,
};

function readExportLines(text: ReadText): ImportedRows {
  const log = createImportLog();
  const sessions: ImportedSession[] = [];
  const observations: ImportedObservation[] = [];
  const prompts: ImportedPrompt[] = [];
  const relations: ImportedRelation[] = [];
  for (const { reason, position } of text.faults) log.skip(reason, position);
  for (const { value, position } of linesOf(text)) {
    const type = isObject(value) ? own(value, "type") : undefined;
    const row = isObject(value) ? own(value, "row") : undefined;
    if (type === "page") continue;
    if (type === "left_out") log.skip("the export left it out: it did not fit into its max_tokens", position);
    else if (type === "session") push(sessions, sessionRow(row, position, log));
    else if (type === "observation") push(observations, nthRow(value, observationRow(row, position, log)));
    else if (type === "prompt") push(prompts, promptRow(row, position, log));
    else if (type === "relation") push(relations, relationRow(row, position, log));
    else log.skip("not a line of an export", position);
  }
  return { format: lineReader.name, isPart: true, sessions, observations, prompts, relations, ...log.read() };
}

function nthRow(line: unknown, row: ImportedObservation | undefined): ImportedObservation | undefined {
  return row === undefined || !isObject(line) ? undefined : { ...row, nth: counterOf(own(line, "nth")) };
}

/** The lines of a text, or those in the structured answer of the tool. */
function linesOf({ values, isObject: isOne }: ReadText): readonly PlacedValue[] {
  const answer = values[0]?.value;
  const lines = isOne ? own(answer as JsonObject, "lines") : undefined;
  if (!Array.isArray(lines)) return values;
  return lines.map((value: unknown, index) => ({ value, position: `lines[${index}]` }));
}

function isLine(value: unknown): boolean {
  return isObject(value) && ((TABLES.has(own(value, "type")) && isObject(own(value, "row"))) || isPage(value));
}

function isPage(value: JsonObject): boolean {
  return own(value, "type") === "page" && Object.hasOwn(value, "next_cursor");
}

function push<Row>(rows: Row[], row: Row | undefined): void {
  if (row !== undefined) rows.push(row);
}
