// How a transcript is compressed, read from its file's name: not at all, gzip or zstd. Readers take any.
import { CompactError } from "../errors.ts";
import { packWith, type Unpacked, unpackWith } from "./zlib-compression.ts";

export type Compression = "none" | "gzip" | "zstd";

/** What follows the name of the file as the spec has it. In the order in which readers look for them. */
export const EXTENSIONS: Readonly<Record<Compression, string>> = { none: "", gzip: ".gz", zstd: ".zst" };
export const COMPRESSIONS = Object.keys(EXTENSIONS) as readonly Compression[];

/** A message list of that size does not fit into memory; a small file that grows beyond it was made to do harm. */
const MOST_UNPACKED_BYTES = 2 ** 30;

/** By the end of its name. */
export function compressionOf(name: string): Compression {
  return COMPRESSIONS.findLast((compression) => name.endsWith(EXTENSIONS[compression])) ?? "none";
}

/** Throws `MissingDependency` at the first piece when this place cannot pack so. */
export function pack(compression: Compression, pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return compression === "none" ? pieces : packWith(compression, pieces);
}

/**
 * Damage is not thrown: what stands before it is given. Throws `ArchiveFailed` (`UNPACKS_TOO_LARGE`) for a file that
 * unpacks to more than `mostBytes`, `MissingDependency` when this place cannot unpack it.
 */
export async function unpack(
  location: string,
  bytes: Uint8Array,
  mostBytes: number = MOST_UNPACKED_BYTES,
): Promise<Unpacked> {
  const compression = compressionOf(location);
  if (compression === "none") return { bytes, isTorn: false };
  const unpacked = await unpackWith(compression, bytes, mostBytes);
  if (unpacked !== "too large") return unpacked;
  throw new CompactError("ArchiveFailed", `${location} unpacks to more than ${mostBytes} bytes`, {
    code: "UNPACKS_TOO_LARGE",
    hint: "No transcript of ours is that large: look where the file comes from before you unpack it.",
    data: { location, limit: mostBytes },
  });
}
