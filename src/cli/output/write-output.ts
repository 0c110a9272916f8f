// Writes a result as a whole, or to stdout. A file whose name ends in .gz is packed as its name says.
import { stat, writeFile } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { fileFailure } from "../../storage/file-failure.ts";
import { writeFileAtomic } from "../../storage/write-file-atomic.ts";
import type { FileContent } from "../../storage/write-temporary.ts";
import type { Terminal } from "../terminal.ts";
import type { OutputPlace } from "./output-place.ts";

/** Only the owner reads what was typed into a pipe; a file made from another is as open as that one, and never read-only. */
const PRIVATE = 0o600;

export async function writeOutput(
  place: OutputPlace,
  content: FileContent,
  terminal: Terminal,
  mode = PRIVATE,
): Promise<void> {
  if (place.kind === "stdout") {
    for await (const piece of piecesOf(content))
      terminal.stdout.write(typeof piece === "string" ? Buffer.from(piece) : piece);
    return;
  }
  try {
    const written = /\.gz$/i.test(place.path) ? packed(content) : content;
    if (await isDevice(place.path)) await writeFile(place.path, written);
    else await writeFileAtomic(place.path, written, { mode: mode | PRIVATE });
  } catch (error) {
    throw fileFailure("StoreFailed", "write the result", place.shown, error);
  }
}

/** A pipe or a device (`/dev/null`) is written to; replacing it by a file would break it for everybody. */
async function isDevice(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile();
}

function piecesOf(content: FileContent) {
  return typeof content === "string" || content instanceof Uint8Array ? [content] : content;
}

function packed(content: FileContent): AsyncIterable<Uint8Array> {
  const gzip = createGzip();
  // What fails before it fails whoever reads from it.
  pipeline(Readable.from(piecesOf(content)), gzip, () => undefined);
  return gzip;
}
