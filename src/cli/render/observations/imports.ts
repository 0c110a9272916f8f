// What an import did with each file, for a person.

import type { ImportReport } from "../../../observations/transfer/import-observations.ts";
import type { ImportNote } from "../../../observations/transfer/imported-rows.ts";
import type { Colors } from "../../terminal.ts";
import { figure, oneLine, renderTable } from "../table.ts";

export interface ImportedFile extends ImportReport {
  readonly file: string;
}

const COLUMNS = [
  { title: "file", width: 40 },
  { title: "format" },
  { title: "added", isNumber: true },
  { title: "updated", isNumber: true },
  { title: "there already", isNumber: true },
  { title: "sessions", isNumber: true },
  { title: "prompts", isNumber: true },
  { title: "relations", isNumber: true },
];

export function renderImports(files: readonly ImportedFile[], db: string, colors: Colors): string {
  const rows = files.map((file) => [
    file.file.split(/[\\/]/).at(-1) ?? file.file,
    file.format,
    file.added,
    file.updated,
    file.unchanged + file.kept_newer,
    file.sessions,
    file.prompts,
    file.relations,
  ]);
  return [
    `${colors.bold(`Imported into ${db}`)}`,
    renderTable(COLUMNS, rows, colors),
    ...files.flatMap(remarks),
    "",
  ].join("\n");
}

function remarks({ skipped, notes, dropped_fields, remapped }: ImportedFile): readonly string[] {
  const dropped = Object.entries(dropped_fields).map(([name, count]) => `${oneLine(name)} (${figure(count)})`);
  return [
    ...skipped.map((note) => `Not imported: ${described(note)}`),
    ...(remapped === 0 ? [] : [`New ids, because theirs were taken: ${figure(remapped)}`]),
    ...notes.map((note) => `Note: ${described(note)}`),
    ...(dropped.length === 0 ? [] : [`Fields that the store has no place for: ${dropped.join(", ")}`]),
  ];
}

function described({ reason, count, positions }: ImportNote): string {
  const where = positions.slice(0, 5).map(oneLine).join(", ");
  return `${oneLine(reason)}: ${figure(count)} (${where}${count > 5 ? ", ..." : ""})`;
}
