// Which exit code a failure has. Scripts rely on these numbers; the kinds are those of errors.ts.
import { CompactError, type CompactErrorKind } from "../errors.ts";

export const EXIT_DONE = 0;
export const EXIT_FAILED = 1;
export const EXIT_BAD_INPUT = 2;
/** Stopped by Ctrl-C: 128 and the signal's number, as shells do. */
export const EXIT_STOPPED = 130;

const CODES: Readonly<Record<CompactErrorKind, number>> = {
  StoreFailed: EXIT_FAILED,
  ArchiveFailed: EXIT_FAILED,
  SummarizationFailed: EXIT_FAILED,
  MissingDependency: EXIT_FAILED,
  InvalidConfig: EXIT_BAD_INPUT,
  InvalidInput: EXIT_BAD_INPUT,
  NotFound: EXIT_BAD_INPUT,
  InsufficientBudget: 3,
  Conflict: 4,
};

/** Anything that is not an error of ours is a failure nobody foresaw: 1. */
export function exitCodeOf(error: unknown): number {
  return CompactError.isInstance(error) ? CODES[error.kind] : EXIT_FAILED;
}
