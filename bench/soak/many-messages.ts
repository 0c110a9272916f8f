// A list of many messages that nobody has looked at before: what the first look takes, and the next one.
import { CompactManager, createMemoryArchive } from "../../src/index.ts";
import { sessionMessages } from "../tokens/session-text.mjs";
import { watched } from "./watch-gaps.ts";

export interface ManyFigures {
  readonly messages: number;
  /** Whether the first look compacts. */
  readonly compacts: boolean;
  readonly firstMs: number;
  readonly firstGapMs: number;
  readonly secondMs: number;
  readonly secondGapMs: number;
}

/** In a window that holds them all, or in one that makes the first look compact. */
export async function lookAtMany(count: number, compacts: boolean): Promise<ManyFigures> {
  const manager = new CompactManager({
    archive: createMemoryArchive(),
    maxContextTokens: compacts ? 1_000_000 : 50_000_000,
  });
  const messages: readonly unknown[] = sessionMessages(7, count);
  const first = await watched(() => manager.preflight("many", messages));
  const appended = [...first.result, { role: "user", content: "And the next part, please." }];
  const second = await watched(() => manager.preflight("many", appended));
  return {
    messages: count,
    compacts,
    firstMs: first.ms,
    firstGapMs: first.gapMs,
    secondMs: second.ms,
    secondGapMs: second.gapMs,
  };
}
