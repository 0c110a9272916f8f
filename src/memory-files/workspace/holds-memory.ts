// Whether a folder is a workspace at all: it holds memory files or notes of days.
import { createClaims } from "./finding/claims.ts";
import { findMemory } from "./finding/find-memory.ts";
import { findNotes } from "./finding/find-notes.ts";
import { openRoot } from "./open-root.ts";

/** False for what is no folder, or cannot be looked into. */
export async function holdsMemory(folder: string): Promise<boolean> {
  try {
    const root = await openRoot(folder);
    if ((await findMemory(root, undefined)).files.length > 0) return true;
    return (await findNotes(root, undefined, new Set(), createClaims())).notes.length > 0;
  } catch {
    return false;
  }
}
