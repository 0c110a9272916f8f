// What may be written into a column: private parts taken out, whole characters only, and never more than a row can bear.
// A text that is too long is refused, since cutting it would lose its end.
import { CompactError } from "../../errors.ts";
import { sha256 } from "../../storage/sha256.ts";
import { cutAt } from "../../text/quote.ts";
import { toWellFormed } from "../../text/well-formed.ts";
import type { ObservationReader } from "../observation-store.ts";

/** UTF-16 units. */
const LONGEST_TEXT = 1_000_000;

/** Throws `InvalidInput` that names the parameter where the text is blank or too long. */
export function requiredText(name: string, text: string | undefined): string {
  return optionalText(name, text) ?? refuseBlank(name);
}

/** Null for a blank text. Throws `InvalidInput` where it is too long. */
export function optionalText(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  refuseLong(name, text);
  return toWellFormed(withoutPrivate(text)) || null;
}

/** A project, namespace or id, which is compared exactly and so never changed; null for a blank one. */
export function exactName(name: string, text: string | undefined): string | null {
  if (text === undefined || text.trim() === "") return null;
  refuseLong(name, text);
  return toWellFormed(text);
}

/** As `exactName`, but throws `InvalidInput` for a blank one. */
export function requiredName(name: string, text: string): string {
  return exactName(name, text) ?? refuseBlank(name);
}

/** The namespace to write or to look in. Throws `InvalidInput` where the database cannot hold one. */
export function namespaceIn(rows: ObservationReader, namespace: string | undefined): string | null {
  const exact = exactName("namespace", namespace);
  if (exact === null || rows.hasNamespaces) return exact;
  throw new CompactError("InvalidInput", "'namespace' was given, but this database has no namespace column.", {
    code: "NO_NAMESPACES",
    hint: "Leave namespace out, or use a database made by a newer version.",
  });
}

function refuseBlank(name: string): never {
  throw new CompactError("InvalidInput", `'${name}' is required and must not be blank.`, {
    code: "TEXT_REQUIRED",
    hint: `Send '${name}' with some text.`,
  });
}

function refuseLong(name: string, text: string): void {
  if (text.length <= LONGEST_TEXT) return;
  throw new CompactError(
    "InvalidInput",
    `'${name}' has ${text.length} characters; at most ${LONGEST_TEXT} are stored.`,
    {
      code: "TEXT_TOO_LONG",
      hint: "Save it in several parts: nothing is ever cut on saving.",
      data: { length: text.length, most: LONGEST_TEXT },
    },
  );
}

// How what is saved is written down: the reference's rules for scopes, topic keys, private parts and the hash that
// finds repetitions. Texts are never cut: a store that drops the end of a note has lost it.

const LONGEST_TOPIC_KEY = 120;
const PRIVATE = "[REDACTED]";

/** `personal` in any case and spacing; everything else is `project`. */
export function normalScope(scope: string | undefined): string {
  return scope?.trim().toLowerCase() === "personal" ? "personal" : "project";
}

/** Lower case, `-` for white space, at most 120 units. Undefined for a blank key. */
export function normalTopicKey(key: string | undefined): string | undefined {
  const normal = key?.trim().toLowerCase().replace(/\s+/gu, "-");
  return normal === undefined || normal === "" ? undefined : cutAt(normal, LONGEST_TOPIC_KEY);
}

/** The topic key that a caller names, in its stored form; null for a blank one. */
export function topicKeyOf(key: string | undefined): string | null {
  return normalTopicKey(exactName("topic_key", key) ?? undefined) ?? null;
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
