// What a file of an archive is written from: bytes, or pieces of them.
import type { StoredContent, StoredFile } from "./archive.ts";

/** All of it in memory. */
export async function collectContent(content: StoredContent): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return joinBytes(pieces);
}

/** Never a Buffer, which other parts of a program would take for something else. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

interface MeasuredContent {
  readonly content: StoredContent;
  /** Of all that has passed; asked once, when the content has been read to its end. */
  measure(): Required<Pick<StoredFile, "bytes" | "sha256">>;
}

/** Counts and hashes bytes while they pass: a long transcript is neither held whole nor read twice. Needs Node. */
export async function measureContent(content: StoredContent): Promise<MeasuredContent> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  let bytes = 0;
  const pass = (piece: Uint8Array): Uint8Array => {
    hash.update(piece);
    bytes += piece.length;
    return piece;
  };
  const measure = () => ({ bytes, sha256: hash.digest("hex") });
  if (content instanceof Uint8Array) return { content: pass(content), measure };
  const passing = async function* () {
    for await (const piece of content) yield pass(piece);
  };
  return { content: passing(), measure };
}
