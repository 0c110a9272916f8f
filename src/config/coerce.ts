// Text that stands for a number or a switch, as shells, quotes in YAML and generated JSON give it. What is neither stays
// as it is, and the schema refuses it by name.
import type { FieldKind } from "./schema-fields.ts";

/** Plain decimals only: `1e-1` and `0x10` are more likely a slip than a wish. */
export function coerceText(value: string, kind: FieldKind): unknown {
  const trimmed = value.trim();
  if (kind === "number")
    return /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})$/.test(trimmed) ? Number(trimmed) : trimmed;
  if (kind === "switch") return { true: true, false: false }[trimmed.toLowerCase()] ?? trimmed;
  return kind === "list" ? value : trimmed;
}

/** A value of a file, where YAML has already told numbers from texts. */
export function coerceFileValue(value: unknown, kind: FieldKind): unknown {
  // `version: 1.0` without quotes is the number 1 to YAML.
  if (kind === "literal" && value === 1) return "1.0";
  return typeof value === "string" && (kind === "number" || kind === "switch") ? coerceText(value, kind) : value;
}

/** `system, user`, or a JSON list for items that hold commas. */
export function coerceList(value: string): unknown {
  const trimmed = value.trim();
  if (/^\[\s{0,20}["\]]/.test(trimmed)) {
    try {
      return JSON.parse(trimmed);
    } catch {
      return trimmed;
    }
  }
  return trimmed.split(",").map((item) => item.trim());
}
