// A value from which secrets were removed, as a type: archives, sinks and models accept nothing else, so the
// compiler checks that redaction happened before an export. Only this folder makes one.

declare const REDACTED: unique symbol;

export type Redacted<T> = T & { readonly [REDACTED]: true };

export interface Redactor {
  /** False when redaction is switched off: values pass unchanged, and the manager warns. */
  readonly isEnabled: boolean;
  /** Replaces the value of each secret by `<REDACTED>`; all else stays to the byte. Linear time. */
  text(text: string): Redacted<string>;
  /** A deep copy of plain JSON data with every string redacted (keys too where they hold a secret); `null` prototypes and key order stay. */
  json<T>(value: T): Redacted<T>;
}
