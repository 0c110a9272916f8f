// Runs one session through every way of keeping it small, and says what each costs and what it leaves.

import type { ConversationPolicy } from "../../src/conversation.ts";
import type { MessagePart } from "../../src/providers/format.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import { type Retention, retentionOf } from "./held.ts";
import { addCosts, type Cost, NO_COST } from "./prices.ts";
import { type KeepSmall, type Replayed, type ReplayInput, replay } from "./replay.ts";
import { createScriptedModel } from "./scripted-model.ts";
import type { ReplayedSession } from "./sessions.ts";
import { compacting, type Landing, nothing, slidingWindow } from "./ways.ts";

export const SYSTEM_TOKENS = 8_000;

const counter = createTokenCounter({ encoding: "o200k_base" });
const system = Array.from({ length: SYSTEM_TOKENS }, () => "word").join(" ");

export interface Measured extends Replayed {
  /** Of the calls that wrote summaries. */
  readonly summaries: Cost;
  /** Of both. */
  readonly all: Cost;
  /** One a round of compaction. */
  readonly landings: readonly Landing[];
  /** 1 - left / whole, of the messages. */
  readonly reduction: number;
  readonly retention: Retention;
}

export interface MeasuredSession {
  readonly label: string;
  readonly tokens: number;
  readonly run: (way: Way) => Promise<Measured>;
}

export type Way =
  | { readonly kind: "nothing" | "sliding window" }
  | { readonly kind: "extractive" | "model"; readonly policy: Partial<ConversationPolicy> };

/** `plain`: tokens of what can be read only, without the ids and marks around it. */
export function measureSession(session: ReplayedSession, counting: "sent" | "plain" = "sent"): MeasuredSession {
  const { label, files, format, messages } = session;
  const count = remember((message) => (counting === "sent" ? counter.countMessages([message]) : countPlain(message)));
  const input: ReplayInput = { messages, format, systemTokens: SYSTEM_TOKENS, count };
  const sum = (list: readonly unknown[]) => list.reduce<number>((total, message) => total + count(message), 0);
  const tokens = sum(messages);

  function countPlain(message: unknown): number {
    return counter.count(format.view(message).parts.map(readable).join("\n"));
  }

  async function run(way: Way): Promise<Measured> {
    const { keepSmall, landings, summariesOf } = openWay(way, input);
    const replayed = await replay(input, keepSmall);
    const summaries = summariesOf();
    return {
      ...replayed,
      summaries,
      all: addCosts(replayed.cost, summaries),
      landings,
      reduction: 1 - sum(replayed.left) / tokens,
      retention: retentionOf(files, messages, replayed.left),
    };
  }

  return { label, tokens, run };
}

interface OpenWay {
  readonly keepSmall: KeepSmall;
  readonly landings: readonly Landing[];
  readonly summariesOf: () => Cost;
}

function openWay(way: Way, input: ReplayInput): OpenWay {
  switch (way.kind) {
    case "nothing":
      return { keepSmall: nothing, landings: [], summariesOf: () => NO_COST };
    case "sliding window":
      return { keepSmall: slidingWindow(input), landings: [], summariesOf: () => NO_COST };
    case "extractive":
      return { ...compacting(input, system, way.policy), summariesOf: () => NO_COST };
    case "model": {
      const { model, cost } = createScriptedModel();
      return { ...compacting(input, system, way.policy, { model }), summariesOf: cost };
    }
  }
}

function readable(part: MessagePart): string {
  if (part.kind === "call") return `${part.name}${part.arguments}`;
  return part.kind === "image" ? "" : part.text;
}

function remember(count: (message: unknown) => number): (message: unknown) => number {
  const known = new Map<unknown, number>();
  return (message) => {
    const before = known.get(message);
    if (before !== undefined) return before;
    const tokens = count(message);
    known.set(message, tokens);
    return tokens;
  };
}
