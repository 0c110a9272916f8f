// Finds which session a list of messages continues: the one whose archive holds the summary that stands in it,
// recognised by the hash of its whole text, so a file written earlier is known without any marker of trust.
import type { Archive } from "../archive/archive.ts";
import type { Format } from "../formats/format.ts";
import { sha256 } from "./fingerprint.ts";
import { SUMMARY_PREFIX } from "./summary/summary-frame.ts";

export async function findSessionOf(
  messages: readonly unknown[],
  format: Format,
  archive: Archive,
): Promise<string | undefined> {
  for (const message of [...messages].reverse()) {
    const text = format.summaryText(message);
    if (text === undefined || !text.startsWith(SUMMARY_PREFIX)) continue;
    const found = await archive.findSummary(await sha256(text));
    if (found !== undefined) return found.sessionId;
  }
  return undefined;
}
