// Values of a record's keys, as forgiving as is safe: what is not of the kind is as if it were absent.

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** A key without a value says no more than a key that is not there. */
export function isSilent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Trimmed; undefined for what is blank or no text. */
export function text(value: unknown): string | undefined {
  const trimmed = typeof value === "string" ? value.trim() : "";
  return trimmed === "" ? undefined : trimmed;
}

export function textOrNumber(value: unknown): string | undefined {
  return typeof value === "number" && Number.isFinite(value) ? String(value) : text(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** From 0 to 1, also where it is written as text. */
export function share(value: unknown): number | undefined {
  const given = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof given === "number" && given >= 0 && given <= 1 ? given : undefined;
}
