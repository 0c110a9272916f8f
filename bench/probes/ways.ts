// The ways in which a session is made small: trimming, ours by code, ours with a model.
import { CompactManager, createMemoryArchive, FORMATS } from "../../src/index.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import { recordedAnswer } from "./probes.ts";
import type { ProbedSession } from "./sessions.ts";

const counter = createTokenCounter({ encoding: "o200k_base" });
const WINDOW = 1_000_000;

/** Percent of a session's tokens, and the least that is asked for. */
export const TARGETS = [
  { percent: 5, least: 4_000 },
  { percent: 10, least: 8_000 },
] as const;
export type Target = (typeof TARGETS)[number];

/** A text that is larger than its target by more than this counts as wrong in all its questions. */
const MOST_OVER = 1.1;

export interface Compacted {
  /** Everything a reader is given. */
  readonly text: string;
  readonly tokens: number;
  readonly target: number;
  readonly isOver: boolean;
  readonly milliseconds: number;
}

export interface Way {
  readonly name: string;
  /** Undefined where it cannot be had. */
  compact(session: ProbedSession, target: number): Promise<readonly unknown[] | undefined>;
}

export const WAYS: readonly Way[] = [
  { name: "newest messages", compact: async (session, target) => newestWithin(session.before, target) },
  { name: "ours", compact: (session, target) => compactByUs(session, target) },
  {
    name: "ours with a model",
    compact: async (session, target) => {
      const answer = recordedAnswer(session.name);
      return answer === undefined ? undefined : compactByUs(session, target, async () => answer);
    },
  },
];

export async function compactTo(
  way: Way,
  session: ProbedSession,
  { percent, least }: Target,
): Promise<Compacted | undefined> {
  const target = Math.max(least, Math.floor((counter.countMessages(session.before) * percent) / 100));
  const start = performance.now();
  const messages = await way.compact(session, target);
  if (messages === undefined) return undefined;
  const milliseconds = performance.now() - start;
  const tokens = counter.countMessages(messages);
  return { text: textOf(session, messages), tokens, target, isOver: tokens > target * MOST_OVER, milliseconds };
}

async function compactByUs(
  { name, format, before }: ProbedSession,
  targetTokens: number,
  model?: (request: { readonly system: string; readonly prompt: string }) => Promise<string>,
): Promise<readonly unknown[]> {
  const summarizer = model === undefined ? {} : { summarizer: { model } };
  const manager = new CompactManager({ archive: createMemoryArchive(), maxContextTokens: WINDOW, ...summarizer });
  const { messages } = await manager.compact(name, before, { format, targetTokens });
  return messages;
}

/** What trimming leaves. */
function newestWithin(messages: readonly unknown[], target: number): readonly unknown[] {
  let left = target;
  const oldest = messages.findLastIndex((message) => {
    left -= counter.countMessages([message]);
    return left < 0;
  });
  return messages.slice(oldest + 1);
}

export function textOf({ format: name }: Pick<ProbedSession, "format">, messages: readonly unknown[]): string {
  const format = FORMATS.find((known) => known.name === name);
  if (format === undefined) throw new Error(`No format ${name}`);
  return messages.map((message) => `--- ${sayAll(format.view(message))}`).join("\n\n");
}

function sayAll({ role, parts }: ReturnType<(typeof FORMATS)[number]["view"]>): string {
  const said = parts.map((part) => {
    if (part.kind === "call") return `(calls ${part.name}) ${part.arguments}`;
    if (part.kind === "result") return `(result) ${part.text}`;
    return part.kind === "text" ? part.text : "";
  });
  return [role, ...said.filter((text) => text !== "")].join("\n");
}
