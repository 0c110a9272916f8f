// How what is saved is written down: the reference's rules for scopes, topic keys, private parts and the hash that
// finds repetitions. Texts are never cut: a store that drops the end of a note has lost it.
import { sha256 } from "../../storage/sha256.ts";
import { cutAt } from "../../text/cut.ts";

const LONGEST_TOPIC_KEY = 120;
const PRIVATE = "[REDACTED]";

/** `personal` in any case and spacing; everything else is `project`. */
export function normalScope(scope: string | undefined): string {
  return scope?.trim().toLowerCase() === "personal" ? "personal" : "project";
}

/** A filter's scope: blank means all. */
export function filterScope(scope: string | undefined): string | undefined {
  return scope === undefined || scope.trim() === "" ? undefined : normalScope(scope);
}

/** Lower case, `-` for white space, at most 120 units. Undefined for a blank key. */
export function normalTopicKey(key: string | undefined): string | undefined {
  const normal = key?.trim().toLowerCase().replace(/\s+/gu, "-");
  return normal === undefined || normal === "" ? undefined : cutAt(normal, LONGEST_TOPIC_KEY);
}

const TAG = /<(\/?)private>/giu;

/** `<private>...</private>` in any case becomes `[REDACTED]`; an unclosed one reaches to the end. Trimmed. */
export function withoutPrivate(text: string): string {
  let isPrivate = false;
  let from = 0;
  let kept = "";
  for (const { 0: tag, 1: slash, index } of text.matchAll(TAG)) {
    const closes = slash === "/";
    if (closes !== isPrivate) continue;
    kept += isPrivate ? PRIVATE : text.slice(from, index);
    isPrivate = !closes;
    from = index + tag.length;
  }
  return (kept + (isPrivate ? PRIVATE : text.slice(from))).trim();
}

/** What the hash is taken of: lower case, runs of white space as one space. */
export function hashedForm(content: string): string {
  return content.toLowerCase().replace(/\s+/gu, " ").trim();
}

export function normalizedHash(content: string): string {
  return sha256(hashedForm(content));
}
