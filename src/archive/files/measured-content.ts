// Counts and hashes bytes while they pass, so that a long transcript is neither held whole nor read twice.
import type { StoredContent, StoredFile } from "../archive-files.ts";

export interface MeasuredContent {
  readonly content: StoredContent;
  /** Of all that has passed; asked once, when the content has been read to its end. */
  measure(): Required<Pick<StoredFile, "bytes" | "sha256">>;
}

/** For places with Node's built-ins. */
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
  return { content: passing(content, pass), measure };
}

async function* passing(
  pieces: AsyncIterable<Uint8Array>,
  pass: (piece: Uint8Array) => Uint8Array,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield pass(piece);
}
