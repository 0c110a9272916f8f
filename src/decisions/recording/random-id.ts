// Ids that nobody chose.

/** 8 lower-case hex digits, as the decisions of the reference have. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
