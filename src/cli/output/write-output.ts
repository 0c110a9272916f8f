// Writes a result as a whole, or to stdout.
import { fileFailure } from "../../storage/file-failure.ts";
import { writeFileAtomic } from "../../storage/write-file-atomic.ts";
import type { Terminal } from "../terminal.ts";
import type { OutputPlace } from "./output-place.ts";

/** Only the owner reads what was typed into a pipe; a file made from another is as open as that one. */
const PRIVATE = 0o600;

export async function writeOutput(place: OutputPlace, pieces: readonly string[], terminal: Terminal, mode = PRIVATE): Promise<void> {
  if (place.kind === "stdout") {
    for (const piece of pieces) terminal.stdout.write(piece);
    return;
  }
  try {
    await writeFileAtomic(place.path, pieces, { mode });
  } catch (error) {
    throw fileFailure("StoreFailed", "write the result", place.shown, error);
  }
}
