// How a transcript is compressed, read from its file's name: not at all, gzip or zstd. By the runtime's own zlib, loaded at
// the first use: where there is none, as in a browser, an archive works without. Readers take any, and read around damage.
import type { Transform } from "node:stream";
import { CompactError } from "../errors.ts";
import { collectContent, joinBytes } from "./content.ts";

export type Compression = "none" | "gzip" | "zstd";

/** What follows the name of the file as the spec has it. In the order in which readers look for them. */
export const EXTENSIONS: Readonly<Record<Compression, string>> = { none: "", gzip: ".gz", zstd: ".zst" };
export const COMPRESSIONS = Object.keys(EXTENSIONS) as readonly Compression[];

/** A message list of that size does not fit into memory; a small file that grows beyond it was made to do harm. */
const MOST_UNPACKED_BYTES = 2 ** 30;

/** How much may be lost before a damaged place: what was unpacked and not yet handed out. */
const SMALL_OUTPUT = 1 << 12;
const OUTPUT = 1 << 18;

interface Unpacked {
  readonly bytes: Uint8Array;
  /** The file breaks off or is damaged: these are the bytes before that place. */
  readonly isTorn: boolean;
}

/** Throws `MissingDependency` at the first piece when this place cannot pack so. */
export function pack(compression: Compression, pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return compression === "none" ? pieces : packWith(compression, pieces);
}

/** The same, all at once. */
export async function packBytes(compression: Compression, bytes: Uint8Array): Promise<Uint8Array> {
  return compression === "none" ? bytes : collectContent(packWith(compression, [bytes]));
}

/** As a file of this name is packed. */
export function packingOf(name: string): Compression {
  return COMPRESSIONS.findLast((one) => name.endsWith(EXTENSIONS[one])) ?? "none";
}

/** The best that this place can do without being asked. */
export async function availablePacking(): Promise<Compression> {
  const codec = await loadCodec("gzip").catch(() => undefined);
  return codec === undefined ? "none" : "gzip";
}

async function* packWith(
  compression: Packed,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const codec = await loadCodec(compression);
  const { pipeline, Readable } = await import("node:stream");
  // What fails on either side ends the other, and comes out here.
  const packer = codec.packer({ chunkSize: OUTPUT });
  pipeline(Readable.from(pieces), packer, () => undefined);
  for await (const piece of packer) yield piece as Uint8Array;
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
  const compression = packingOf(location);
  if (compression === "none") return { bytes, isTorn: false };
  const { unpacker } = await loadCodec(compression);
  let unpacked = await drain(unpacker({ chunkSize: OUTPUT }), bytes, mostBytes);
  // Once more in small pieces, so that little before the damage is lost.
  if (unpacked?.isTorn === true) unpacked = await drain(unpacker({ chunkSize: SMALL_OUTPUT }), bytes, mostBytes);
  else if (compression === "zstd" && unpacked && bytes.length > 0)
    unpacked = { ...unpacked, isTorn: !endsWithWholeFrame(bytes) };
  if (unpacked !== undefined) return unpacked;
  throw new CompactError("ArchiveFailed", `${location} unpacks to more than ${mostBytes} bytes`, {
    code: "UNPACKS_TOO_LARGE",
    hint: "No transcript of ours is that large: look where the file comes from before you unpack it.",
    data: { location, limit: mostBytes },
  });
}

/** Undefined when it is too large. By events: an iterator drops what it has not handed out yet when the stream breaks. */
function drain(unpacker: Transform, bytes: Uint8Array, mostBytes: number): Promise<Unpacked | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve) => {
    unpacker.on("data", (piece: Uint8Array) => {
      pieces.push(piece);
      size += piece.length;
      if (size <= mostBytes) return;
      resolve(undefined);
      unpacker.destroy();
    });
    unpacker.on("end", () => resolve({ bytes: joinBytes(pieces), isTorn: false }));
    unpacker.on("error", () => resolve({ bytes: joinBytes(pieces), isTorn: true }));
    unpacker.end(bytes);
  });
}

type Packed = Exclude<Compression, "none">;

interface Codec {
  packer(options: { readonly chunkSize: number }): Transform;
  unpacker(options: { readonly chunkSize: number }): Transform;
}

/** The oldest runtimes that we run on have none. */
interface ZstdFunctions {
  readonly createZstdCompress?: Codec["packer"];
  readonly createZstdDecompress?: Codec["unpacker"];
}

/** Throws `MissingDependency`. */
async function loadCodec(compression: Packed): Promise<Codec> {
  const zlib = await import("node:zlib").catch(() => undefined);
  if (zlib !== undefined && compression === "gzip") return { packer: zlib.createGzip, unpacker: zlib.createGunzip };
  const { createZstdCompress, createZstdDecompress } = (zlib ?? {}) as ZstdFunctions;
  if (createZstdCompress && createZstdDecompress) return { packer: createZstdCompress, unpacker: createZstdDecompress };
  throw new CompactError("MissingDependency", `this runtime has no ${compression}`, {
    code: "COMPRESSION_UNAVAILABLE",
    hint: `Set storage.compression to ${zlib === undefined ? "none" : "gzip"}, or run on Node 22.15 or newer to write and read ${compression}.`,
  });
}

// Whether a zstd file ends where its last frame does (RFC 8878, section 3.1.1). Some runtimes unpack one that breaks off
// without a word.

const MAGIC = 0xfd2fb528;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];

/** Looks at the headers alone; false also for what is no zstd. */
function endsWithWholeFrame(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at < bytes.length) {
    const end = frameEnd(view, at);
    if (end === undefined || end > bytes.length) return false;
    at = end;
  }
  return bytes.length > 0;
}

function frameEnd(view: DataView, start: number): number | undefined {
  if (start + 5 > view.byteLength || view.getUint32(start, true) !== MAGIC) return undefined;
  const descriptor = view.getUint8(start + 4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 && isSingleSegment ? 1 : (CONTENT_SIZE_BYTES[sizeFlag] ?? 0);
  let at = start + 5 + (isSingleSegment ? 0 : 1) + (DICTIONARY_ID_BYTES[descriptor & 3] ?? 0) + sizeBytes;
  for (let isLast = false; !isLast; ) {
    if (at + 3 > view.byteLength) return undefined;
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    isLast = (header & 1) === 1;
    // A run of one byte stands there as that byte, whatever its length.
    const isRun = ((header >> 1) & 3) === 1;
    at += 3 + (isRun ? 1 : header >> 3);
  }
  return at + ((descriptor & 4) === 0 ? 0 : 4);
}
