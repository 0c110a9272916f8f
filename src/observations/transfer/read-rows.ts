// Reads a text of memories in whichever known format it is. Nothing that the text says is obeyed: it is only read.
import { CompactError } from "../../errors.ts";
import { findJsonFault } from "../../text/find-json-fault.ts";
import type { ImportedRows } from "./imported-rows.ts";
import { exportReader } from "./readers/export-reader.ts";
import { knowledgeGraphReader } from "./readers/knowledge-graph-reader.ts";
import { lineReader } from "./readers/line-reader.ts";
import { plainReader } from "./readers/plain-reader.ts";
import { countLines, readText } from "./readers/read-text.ts";
import type { RowReader } from "./readers/row-reader.ts";

/** In the order in which they are asked: the most particular first. */
const READERS: readonly RowReader[] = [exportReader, lineReader, knowledgeGraphReader, plainReader];

/** What `format` may be; `auto` tells by the content. */
export const IMPORT_FORMATS: readonly string[] = ["auto", ...READERS.map(({ name }) => name)];

/**
 * The rows of a text that was decoded already. Damaged lines and items without a text are left out and counted.
 * @throws InvalidInput `TRUNCATED_JSON` for one JSON text whose end is missing, with the `line` it ends in and what it ends
 * `inside` of; `UNKNOWN_FORMAT` where nothing in it is of a known format, or not of the format asked for.
 */
export function readImportedRows(text: string, format = "auto"): ImportedRows {
  if (!IMPORT_FORMATS.includes(format)) throw unknownName(format);
  const read = readText(text);
  if (read.faults.length > 0) refuseCutOff(text);
  const reader = READERS.find(({ name, matches }) => (format === "auto" || format === name) && matches(read));
  if (reader !== undefined) return reader.read(read);
  const titles = READERS.filter(({ name }) => format === "auto" || format === name).map(({ title }) => title);
  const [fault] = read.faults;
  throw new CompactError(
    "InvalidInput",
    `Nothing was imported: the text is no ${titles.join(", no ")}${fault === undefined ? "" : ` (${fault.position}: ${fault.reason})`}.`,
    {
      code: "UNKNOWN_FORMAT",
      hint: "Send the whole text of an export, JSON Lines of mem_export, a knowledge graph's memory file, or objects with a content.",
    },
  );
}

/** Its rows stand on lines of their own, perhaps: without the tables around them nobody knows what they are. */
function refuseCutOff(source: string): void {
  const text = source.replace(/^\ufeff/u, "");
  if (!/^[\t\n\r ]*[[{]/u.test(text)) return;
  const fault = findJsonFault(text);
  if (fault?.isEnd !== true) return;
  const line = countLines(text);
  throw new CompactError(
    "InvalidInput",
    `Nothing was imported: the text is cut off in line ${line}, in the middle of ${fault.inside}.`,
    { code: "TRUNCATED_JSON", hint: "Send the whole text: its end is missing.", data: { line, inside: fault.inside } },
  );
}

function unknownName(format: string): CompactError {
  return new CompactError("InvalidInput", `format "${format.slice(0, 40)}" is not known.`, {
    code: "UNKNOWN_FORMAT",
    hint: `Send one of: ${IMPORT_FORMATS.join(", ")}.`,
  });
}
