// A file of memories to rows. Whatever is wrong with it is said with the file's name and what may be done about it.
import { CompactError } from "../../../errors.ts";
import type { ImportedRows } from "../../../observations/transfer/imported-rows.ts";
import { readImportedRows } from "../../../observations/transfer/read-rows.ts";
import { badInput } from "../../input/bad-input.ts";
import { decodeText } from "../../input/decode-text.ts";
import { MOST_BYTES, readBytes } from "../../input/read-bytes.ts";
import type { Terminal } from "../../terminal.ts";

const KNOWN = "Give an export of a memory store, a knowledge graph's file, or JSON Lines with a content each.";
const HINTS = { empty: KNOWN, tooLarge: "Export one project a file, or split JSON Lines at a line's end." };

export interface MemoryFile {
  readonly label: string;
  readonly rows: ImportedRows;
}

export async function readMemories(file: string, terminal: Terminal): Promise<MemoryFile> {
  const { bytes, label } = await readBytes(file, terminal, MOST_BYTES, HINTS);
  const { text } = decodeText(bytes, label, "exports, knowledge graphs or JSON Lines");
  if (text.trim() === "") throw badInput("EMPTY_INPUT", `${label} holds only white space.`, KNOWN);
  try {
    return { label, rows: readImportedRows(text) };
  } catch (error) {
    throw CompactError.isInstance(error) ? named(error, label, bytes.length) : error;
  }
}

/** The reader does not know the file's name. */
function named(error: CompactError, label: string, size: number): CompactError {
  const { code, data, cause = error } = error;
  if (code !== "TRUNCATED_JSON")
    return new CompactError("InvalidInput", `${label} holds no memories in a known format.`, {
      code,
      hint: KNOWN,
      cause,
    });
  const [line, byte] = [Number(data.line), size].map((figure) => figure.toLocaleString("en-US"));
  return new CompactError(
    "InvalidInput",
    `${label} is cut off: it ends in line ${line}, at byte ${byte}, in the middle of ${data.inside}.`,
    { code, hint: "Copy or export it again: its end is missing.", cause },
  );
}
