// Turns a session id into a folder name: one-to-one, inside its root, creatable on every system. Pure; opening
// the folder is left to open-session-folder.ts.
import { CompactError } from "../errors.ts";
import { sha256OfBytes } from "./sha256.ts";

const PLAIN = /^[a-z0-9_.-]{1,100}$/;
/** Windows devices, with any extension, and the files that stand beside the folders. */
const RESERVED = /^(?:(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|(?:catalog|erased)\.jsonl$)/;
/** Ids that look encoded are encoded themselves, so a plain id can never take an encoded one's folder. */
const ENCODED = /--[0-9a-f]{32}$/;
const READABLE_LENGTH = 40;

/**
 * The folder of a session. Plain ids stay as they are; all others (upper case too: file systems may fold case)
 * become a readable part and a hash of the exact id. Throws `InvalidInput` for an empty id.
 */
export function sessionFolder(sessionId: string): string {
  if (typeof sessionId !== "string" || sessionId === "") {
    throw new CompactError("InvalidInput", "session id is empty", {
      code: "EMPTY_SESSION_ID",
      hint: "Give each conversation an id of at least one character.",
    });
  }
  return isPlain(sessionId) ? sessionId : `${readablePart(sessionId)}--${hashOfUnits(sessionId).slice(0, 32)}`;
}

function isPlain(sessionId: string): boolean {
  // A trailing dot is dropped by Windows, which also covers "." and "..".
  return PLAIN.test(sessionId) && !sessionId.endsWith(".") && !RESERVED.test(sessionId) && !ENCODED.test(sessionId);
}

/** Without dots, so that no device name with an extension can arise. */
function readablePart(sessionId: string): string {
  const start = sessionId.slice(0, READABLE_LENGTH).toLowerCase();
  const words = start.split(/[^a-z0-9_]/).filter((word) => word !== "");
  return words.join("-").slice(0, READABLE_LENGTH) || "session";
}

/** Over UTF-16 units, not UTF-8: encoding would make all lone surrogates the same. */
function hashOfUnits(text: string): string {
  const bytes = new Uint8Array(text.length * 2);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[i * 2] = unit >> 8;
    bytes[i * 2 + 1] = unit & 0xff;
  }
  return sha256OfBytes(bytes);
}
