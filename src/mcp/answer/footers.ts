// The lines under an answer: what was left out and how to get it.

export const SUMMARY_FOOTER = "\n---\n💡 Use detail_level: standard or full for more detail.";

/** Empty when everything is shown. */
export function navigationFooter(shown: number, total: number, hint: string): string {
  return shown >= total || total <= 0 ? "" : `\n📊 Showing ${shown} of ${total}. ${hint}`;
}

export function cursorFooter(cursor: string | undefined): string {
  return cursor === undefined ? "" : `\n➡️ Next page: call again with cursor: "${cursor}"`;
}

/** Tokens of the text above it, exact. */
export function tokenFooter(tokens: number): string {
  return `\n📏 ${tokens.toLocaleString("en-US")} tokens`;
}
