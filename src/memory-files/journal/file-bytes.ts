// The bytes of a file of the workspace as they are now, where it may be touched at all.
import { CompactError } from "../../errors.ts";
import { isAbsence, locate } from "../workspace/locate.ts";
import type { Root } from "../workspace/open-root.ts";

export interface FileNow {
  /** Where its links end. */
  readonly real: string;
  readonly isLink: boolean;
  readonly content: Uint8Array;
  readonly sha256: string;
  readonly mode: number;
}

/** Undefined where nothing is there. @throws InvalidInput with the code why it may not be read; the system's error. */
export async function readNow(root: Root, file: string): Promise<FileNow | undefined> {
  const place = await locate(root, file);
  if (place === undefined) return undefined;
  if ("code" in place) throw new CompactError("InvalidInput", `${file}: ${place.message}`, { code: place.code });
  try {
    const content = await root.fs.promises.readFile(place.real);
    const { mode } = await root.fs.promises.stat(place.real);
    return { real: place.real, isLink: place.isLink, content, sha256: root.sha256(content), mode: mode & 0o777 };
  } catch (cause) {
    if (isAbsence(cause)) return undefined;
    throw cause;
  }
}

/** Undefined where it is gone, or cannot be read any more. */
export async function hashNow(root: Root, file: string): Promise<string | undefined> {
  return (await readNow(root, file).catch(() => undefined))?.sha256;
}
