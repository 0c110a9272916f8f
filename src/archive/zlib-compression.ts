// gzip and zstd by the runtime's own zlib, loaded at the first use: where there is none, as in a browser, an archive works
// without. Packs in pieces; unpacks whole, within a bound, and around damage.
import type { Transform } from "node:stream";
import type * as Zlib from "node:zlib";
import { CompactError } from "../errors.ts";
import { joinBytes } from "./content.ts";

type Packed = "gzip" | "zstd";

export interface Unpacked {
  readonly bytes: Uint8Array;
  /** The file breaks off or is damaged: these are the bytes before that place. */
  readonly isTorn: boolean;
}

/** One codec of zlib. */
interface Codec {
  packer(): Transform;
  unpacker(chunkSize: number): Transform;
}

/** The oldest runtimes that we run on have none. */
interface ZstdFunctions {
  readonly createZstdCompress?: (options: object) => Transform;
  readonly createZstdDecompress?: (options: object) => Transform;
}

/** How much may be lost before a damaged place: what was unpacked and not yet handed out. */
const SMALL_OUTPUT = 1 << 12;
const OUTPUT = 1 << 18;

export async function* packWith(compression: Packed, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const codec = await loadCodec(compression);
  const { pipeline, Readable } = await import("node:stream");
  // What fails on either side ends the other, and comes out here.
  const packer = codec.packer();
  pipeline(Readable.from(pieces), packer, () => undefined);
  for await (const piece of packer) yield piece as Uint8Array;
}

export async function unpackWith(
  compression: Packed,
  bytes: Uint8Array,
  mostBytes: number,
): Promise<Unpacked | "too large"> {
  const codec = await loadCodec(compression);
  const whole = await drain(codec.unpacker(OUTPUT), bytes, mostBytes);
  if (whole === "too large") return whole;
  if (!whole.isTorn)
    return { ...whole, isTorn: compression === "zstd" && bytes.length > 0 && !endsWithWholeFrame(bytes) };
  // Once more in small pieces, so that little before the damage is lost.
  return drain(codec.unpacker(SMALL_OUTPUT), bytes, mostBytes);
}

/** By events: an iterator drops what it has not handed out yet when the stream breaks. */
function drain(unpacker: Transform, bytes: Uint8Array, mostBytes: number): Promise<Unpacked | "too large"> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve) => {
    unpacker.on("data", (piece: Uint8Array) => {
      pieces.push(piece);
      size += piece.length;
      if (size <= mostBytes) return;
      resolve("too large");
      unpacker.destroy();
    });
    unpacker.on("end", () => resolve({ bytes: joinBytes(pieces), isTorn: false }));
    unpacker.on("error", () => resolve({ bytes: joinBytes(pieces), isTorn: true }));
    unpacker.end(bytes);
  });
}

/** Throws `MissingDependency`. */
async function loadCodec(compression: Packed): Promise<Codec> {
  const zlib = await import("node:zlib").catch(() => undefined);
  const codec = zlib && (compression === "gzip" ? gzipOf(zlib) : zstdOf(zlib as ZstdFunctions));
  if (codec !== undefined) return codec;
  const instead = zlib === undefined ? "none" : "gzip";
  throw new CompactError("MissingDependency", `this runtime has no ${compression}`, {
    code: "COMPRESSION_UNAVAILABLE",
    hint: `Set storage.compression to ${instead}, or run on Node 22.15 or newer to write and read ${compression}.`,
  });
}

function gzipOf(zlib: typeof Zlib): Codec {
  return {
    packer: () => zlib.createGzip({ chunkSize: OUTPUT }),
    unpacker: (chunkSize) => zlib.createGunzip({ chunkSize }),
  };
}

function zstdOf({ createZstdCompress, createZstdDecompress }: ZstdFunctions): Codec | undefined {
  if (createZstdCompress === undefined || createZstdDecompress === undefined) return undefined;
  return {
    packer: () => createZstdCompress({ chunkSize: OUTPUT }),
    unpacker: (chunkSize) => createZstdDecompress({ chunkSize }),
  };
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
