// Every error this package throws on purpose: one class, a closed list of kinds, a code, and a hint that
// says what to do. Expected outcomes ("skipped", "pruned_only") are values, not errors.
import { toWellFormed } from "./text/well-formed.ts";

export type CompactErrorKind =
  | "InsufficientBudget"
  | "InvalidConfig"
  | "InvalidInput"
  | "NotFound"
  | "Conflict"
  | "SummarizationFailed"
  | "StoreFailed"
  | "ArchiveFailed"
  | "MissingDependency";

export interface CompactErrorOptions {
  /** Stable, upper case, more precise than the kind: `STALE_PLAN`, `UNKNOWN_FORMAT`. Defaults to the kind in upper snake case. */
  readonly code?: string;
  /** What the caller can do about it, one sentence. */
  readonly hint?: string;
  /** Figures and ids a program may want; never text of a conversation. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

const BRAND = Symbol.for("agent-compact.error");

/** The base of all errors thrown on purpose. Messages never quote the conversation. */
export class CompactError extends Error {
  readonly kind: CompactErrorKind;
  readonly code: string;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly [BRAND] = true;

  constructor(kind: CompactErrorKind, message: string, options: CompactErrorOptions = {}) {
    // A name that a message quotes may be cut anywhere, and some clients refuse half a character.
    super(toWellFormed(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = `CompactError(${kind})`;
    this.kind = kind;
    this.code = options.code ?? kind.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
    this.hint = options.hint === undefined ? undefined : toWellFormed(options.hint);
    this.data = options.data ?? {};
  }

  /** True across realms and duplicate installs of this package, where `instanceof` is not. */
  static isInstance(value: unknown): value is CompactError {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
  }
}

// What to do about a failure, in the words of whoever meets it: a person at a prompt has flags and commands, a model has tools.

/** By the code of the error; undefined where its own hint says more. */
export type Hints = Readonly<Record<string, string | ((error: CompactError) => string | undefined)>>;

/** The same error with the hint of its code; anything else as it is. */
export function withHints(error: unknown, hints: Hints): unknown {
  if (!CompactError.isInstance(error)) return error;
  const { kind, message, code, data, cause } = error;
  const known = hints[code];
  const hint = typeof known === "function" ? known(error) : known;
  if (hint === undefined) return error;
  return new CompactError(kind, message, {
    code,
    hint,
    data,
    ...(cause === undefined ? {} : { cause }),
  });
}
