// Packs an encoding's published rank list (one "base64 rank" a line) into the binary that src/tokens/bpe/ reads:
// magic, number of tokens, one length byte a token, all bytes, in order of rank.
import { RANK_FILE_HEADER, RANK_FILE_MAGIC } from "../../src/tokens/bpe/rank-table.ts";

/** Throws where ranks have gaps or a token does not fit the layout. */
export function packRanks(list: string): Uint8Array {
  const tokens: Buffer[] = [];
  for (const line of list.split("\n")) {
    if (line === "") continue;
    const [base64 = "", rank = ""] = line.split(" ");
    if (Number(rank) !== tokens.length) throw new Error(`The rank list jumps to ${rank} after ${tokens.length - 1}`);
    tokens.push(Buffer.from(base64, "base64"));
  }
  const header = Buffer.alloc(RANK_FILE_HEADER);
  header.writeUInt32LE(RANK_FILE_MAGIC, 0);
  header.writeUInt32LE(tokens.length, 4);
  return Buffer.concat([header, Buffer.from(tokens.map(lengthByte)), ...tokens]);
}

function lengthByte({ length }: Buffer): number {
  if (length > 0 && length < 256) return length;
  throw new Error(`A token of ${length} bytes does not fit the layout`);
}
