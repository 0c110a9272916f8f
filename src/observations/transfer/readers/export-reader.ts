// Reads one object of tables: the exports of the reference and of ours, and the chunks by which the reference's
// ancestor keeps stores in step (the same without a version).
import { asArray, type JsonObject } from "../../../formats/json-shape.ts";
import { createImportLog, type ImportLog } from "../import-log.ts";
import type { ImportedRows } from "../imported-rows.ts";
import { own } from "./fields.ts";
import type { ReadText, RowReader } from "./row-reader.ts";
import { dropOthers, observationRow, promptRow, relationRow, sessionRow } from "./table-rows.ts";

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
