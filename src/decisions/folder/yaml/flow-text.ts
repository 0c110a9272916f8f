// A value as YAML on one line, good at any place: readers of YAML 1.1 and 1.2 read the same from it.

/** Safe as it stands, but for the words that are no text to one reader or another. */
const PLAIN = /^[A-Za-z_](?:[A-Za-z0-9_.-]| (?! )){0,200}$/;
const WORDS = new Set(["true", "false", "yes", "no", "on", "off", "y", "n", "null"]);
/** Without line breaks of any reader, controls and what may not stand in a file. */
const PRINTABLE = /^[\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;
/** JSON lets these stand inside texts. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

export function flowText(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${quoted(key)}: ${flowText(item)}`)
      .join(", ")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** As JSON, which is YAML too. */
export function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(UNSAFE, escaped);
}

function quoted(text: string): string {
  if (PLAIN.test(text) && !text.endsWith(" ") && !WORDS.has(text.toLowerCase())) return text;
  if (PRINTABLE.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return jsonText(text);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
