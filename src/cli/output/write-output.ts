// Writes a result as a whole, or to stdout.
import { stat, writeFile } from "node:fs/promises";
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
    const pieces = typeof content === "string" || content instanceof Uint8Array ? [content] : content;
    for await (const piece of pieces) terminal.stdout.write(typeof piece === "string" ? Buffer.from(piece) : piece);
    return;
  }
  try {
    if (await isDevice(place.path)) await writeFile(place.path, content);
    else await writeFileAtomic(place.path, content, { mode: mode | PRIVATE });
  } catch (error) {
    throw fileFailure("StoreFailed", "write the result", place.shown, error);
  }
}

/** A pipe or a device (`/dev/null`) is written to; replacing it by a file would break it for everybody. */
async function isDevice(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile();
}
