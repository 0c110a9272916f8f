// The real sessions that the bench of costs replays, healed as a host would send them, and the long one that two of
// them make together. Where they are is said by AGENT_CORPUS; a clone has none.
import { basename } from "node:path";
import { FORMATS } from "../../src/index.ts";
import type { Format } from "../../src/providers/format.ts";
import { readPiSession } from "../../src/session-files/pi.ts";
import { corpusFiles, readText } from "../../test/corpus/corpus.ts";
import { realSessions } from "../facts/sessions.ts";

export interface ReplayedSession {
  readonly label: string;
  readonly files: readonly string[];
  readonly format: Format;
  readonly messages: readonly unknown[];
}

export function sessionsToReplay(): readonly ReplayedSession[] {
  const others = realSessions().map(({ file, name, format, messages }) =>
    healed(labelOf(name), [file], format, messages),
  );
  return [...others, ...piSessions()];
}

/** The two longest pi sessions as one, the shorter first. */
export function joinedSession(): ReplayedSession {
  const [second, first] = piSessions()
    .toSorted((left, right) => right.messages.length - left.messages.length)
    .slice(0, 2)
    .toSorted((left, right) => JSON.stringify(right.messages).length - JSON.stringify(left.messages).length);
  if (first === undefined || second === undefined) throw new Error("No two pi sessions to join.");
  const messages = [...first.messages, ...second.messages];
  return healed("two pi sessions joined", [...first.files, ...second.files], "anthropic", messages);
}

function piSessions(): readonly ReplayedSession[] {
  return corpusFiles("transcripts", /^pi-.*\.jsonl\.gz$/).map((file, at) =>
    healed(`pi session ${at + 1}`, [file], "anthropic", readPiSession(readText(file)).messages),
  );
}

function healed(label: string, files: readonly string[], name: string, messages: readonly unknown[]): ReplayedSession {
  const format = FORMATS.find((known) => known.name === name);
  if (format === undefined) throw new Error(`No format ${name}`);
  return { label, files, format, messages: format.heal(messages).messages };
}

const KINDS: readonly (readonly [string, string])[] = [
  ["claude-code-", "Claude Code session"],
  ["openai-chat-", "OpenAI chat"],
  ["openai-responses-", "OpenAI Responses"],
];

/** The kind and the first characters of its name tell which it is. */
function labelOf(name: string): string {
  const [start, kind] = KINDS.find(([prefix]) => basename(name).startsWith(prefix)) ?? ["", "session"];
  return `${kind} ${name.slice(start.length).split("-", 1)[0]}`;
}
