// Which session a folder of the bucket belongs to. Most names are the id itself; for the others session.json says it,
// written once and read once.
import { sessionFolder } from "../../storage/session-folder.ts";

export const IDENTITY = "session.json";

/** The folder's name gives the id back. */
export function isNamedByItself(sessionId: string): boolean {
  return sessionFolder(sessionId) === sessionId;
}

export function encodeIdentity(sessionId: string, createdAt: string): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ session_id: sessionId, created_at: createdAt }, null, 2)}\n`);
}

/** Undefined where the bytes are not the identity of this folder: then it is not a session's. */
export function decodeIdentity(bytes: Uint8Array | undefined, folder: string): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    const written = JSON.parse(new TextDecoder().decode(bytes)) as { session_id?: unknown } | null;
    const sessionId = written?.session_id;
    if (typeof sessionId !== "string" || sessionId === "") return undefined;
    return sessionFolder(sessionId) === folder ? sessionId : undefined;
  } catch {
    return undefined;
  }
}
