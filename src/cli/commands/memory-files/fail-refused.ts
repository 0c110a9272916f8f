// What was refused while the rest was done is shown, and then the command fails: with the exit code of why.
import { CompactError, type CompactErrorKind } from "../../../errors.ts";

interface Refused {
  readonly code: string;
}

/** Of the refusals that are no failure of the system. */
const KINDS: Readonly<Record<string, CompactErrorKind>> = {
  STALE_PLAN: "Conflict",
  IN_USE: "Conflict",
  CHANGED_SINCE: "Conflict",
  INVALID_CHANGE: "InvalidInput",
  OUTSIDE_WORKSPACE: "InvalidInput",
};
const ORDER: readonly CompactErrorKind[] = ["Conflict", "InvalidInput", "StoreFailed"];

/** Throws the gravest where anything was refused. */
export function failRefused(refused: readonly Refused[], message: string, hint: string): void {
  if (refused.length === 0) return;
  const kinds = refused.map(({ code }) => ({ code, kind: KINDS[code] ?? "StoreFailed" }));
  for (const kind of ORDER) {
    const found = kinds.find((each) => each.kind === kind);
    if (found !== undefined) throw new CompactError(kind, message, { code: found.code, hint });
  }
}
