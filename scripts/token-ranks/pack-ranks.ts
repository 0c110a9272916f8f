// Packs an encoding's published rank list (one "base64 rank" a line) into the binary that src/tokens/bpe/ reads.
import { RANK_FILE_HEADER, RANK_FILE_MAGIC } from "../../src/tokens/bpe/rank-table.ts";

const LONGEST = 255;

/** Throws where ranks have gaps or something does not fit the layout. */
export function packRanks(list: string): Uint8Array {
  const tokens = list
    .split("\n")
    .filter((line) => line !== "")
    .map(readToken);
  const header = Buffer.alloc(RANK_FILE_HEADER);
  header.writeUInt32LE(RANK_FILE_MAGIC, 0);
  header.writeUInt32LE(tokens.length, 4);
  return Buffer.concat([header, Buffer.from(tokens.map(({ length }) => length)), ...tokens]);
}

function readToken(line: string, index: number): Buffer {
  const [base64 = "", rank = ""] = line.split(" ");
  if (Number(rank) !== index) throw new Error(`The rank list says ${rank} where ${index} is due`);
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > LONGEST) throw new Error(`A token of ${bytes.length} bytes does not fit into the rank file`);
  return bytes;
}
