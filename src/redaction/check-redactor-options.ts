// The faults of a redactor's options, told before its rules are loaded.
import { spellLiterals } from "./literals.ts";
import { compilePatterns } from "./patterns/user-patterns.ts";
import type { RedactorOptions } from "./redactor.ts";

/** @throws as `createRedactor`. */
export function checkRedactorOptions({ patterns = [], literals = [] }: RedactorOptions = {}): void {
  compilePatterns(patterns);
  spellLiterals(literals);
}
