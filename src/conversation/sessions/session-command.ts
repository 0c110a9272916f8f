// The two commands a host can route here when its user types them: `/compact [what to keep in mind]`, `/compact_status`.
import type { SessionStatus } from "./session-status.ts";

export type SessionCommand = { readonly name: "compact"; readonly note?: string } | { readonly name: "status" };

/** Undefined when the text is no command of ours. Only its first line is looked at for the name. */
export function readCommand(text: string): SessionCommand | undefined {
  const trimmed = text.trim();
  if (trimmed === "/compact_status") return { name: "status" };
  if (trimmed === "/compact") return { name: "compact" };
  if (!/^\/compact\s/.test(trimmed)) return undefined;
  return { name: "compact", note: trimmed.slice("/compact".length).trim() };
}

/** A few lines for the user who asked. */
export function describeStatus(status: SessionStatus): string {
  const number = (tokens: number) => tokens.toLocaleString("en-US");
  const { tokens } = status;
  const size =
    tokens === null
      ? "Nothing has been measured yet"
      : `${number(tokens)} of ${number(status.max_context_tokens)} tokens (${Math.round((100 * tokens) / status.max_context_tokens)} %)`;
  return [
    `${size}; compaction starts at ${number(status.trigger_tokens)}.`,
    status.summary_version === 0 ? "No summary yet." : `Summary v${status.summary_version}, step ${status.step}.`,
    ...(status.early === "none" ? [] : [`A summary prepared ahead is ${status.early}.`]),
    ...(status.model_paused ? ["The model failed three times and is not asked now; /compact asks it again."] : []),
  ].join("\n");
}
