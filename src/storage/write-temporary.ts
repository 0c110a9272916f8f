// Writes a whole file under a temporary name beside its target and syncs it, so that giving it its real name is the
// only visible step. Naming it, exclusively or by replacing, is left to the two callers.

type Piece = string | Uint8Array;

/** A text, bytes, or pieces of either that together may be longer than one string can be. */
export type FileContent = Piece | Iterable<Piece> | AsyncIterable<Piece>;

const CHUNK = 1 << 20;

/** Returns the temporary path. Removes it again when writing fails. */
export async function writeTemporary(folder: string, content: FileContent, mode: number): Promise<string> {
  const { open, rm } = await import("node:fs/promises");
  const { join } = await import("node:path");
  // Not made from the target's name: that one may already be as long as a name can be.
  const temporary = join(folder, `.agent-compact-${crypto.randomUUID()}.tmp`);
  const file = await open(temporary, "wx", mode);
  try {
    for await (const chunk of chunks(content)) await file.appendFile(chunk);
    // The umask may have taken bits that the target had.
    await file.chmod(mode).catch(ignoreUnsupported);
    await file.sync();
    await file.close();
    return temporary;
  } catch (error) {
    await file.close().catch(ignoreUnsupported);
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes a rename or a link in the folder last through a power cut, where the system can. */
export async function syncFolder(folder: string): Promise<void> {
  const { open } = await import("node:fs/promises");
  try {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows and some network drives cannot sync a folder; the file itself is synced already.
  }
}

/** Short texts are joined; bytes come in pieces of a sensible size already. */
async function* chunks(content: FileContent): AsyncGenerator<Piece> {
  if (typeof content === "string" || content instanceof Uint8Array) {
    yield content;
    return;
  }
  let pending: string[] = [];
  let size = 0;
  for await (const piece of content) {
    if (typeof piece !== "string") {
      if (size > 0) yield pending.splice(0).join("");
      size = 0;
      yield piece;
      continue;
    }
    pending.push(piece);
    size += piece.length;
    if (size < CHUNK) continue;
    yield pending.join("");
    pending = [];
    size = 0;
  }
  if (size > 0) yield pending.join("");
}

function ignoreUnsupported(): void {
  // File systems without modes refuse chmod; a second close of a broken file tells nothing new.
}
