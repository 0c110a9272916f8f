// What may be written into a column: private parts taken out, whole characters only, and never more than a row can bear.
// A text that is too long is refused, since cutting it would lose its end.
import { CompactError } from "../../errors.ts";
import { toWellFormed } from "../../text/well-formed.ts";
import type { ObservationReader } from "../observation-store.ts";
import { withoutPrivate } from "./normal-form.ts";

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
