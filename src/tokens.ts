// `agent-compact/tokens`: counting by itself, with every message format the package writes. It names the formats once
// more, so that whoever only counts does not load the rest of the package.
import { anthropicFormat } from "./providers/anthropic/anthropic-format.ts";
import { openaiChatFormat } from "./providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "./providers/openai-responses/openai-responses-format.ts";
import {
  createTokenCounter as create,
  type ModelTokenCounter,
  type TokenCounterOptions,
} from "./tokens/create-token-counter.ts";
import { type EncodingName, provideRanks } from "./tokens/gpt-token-counter.ts";

export { type Calibration, calibrate, UNCALIBRATED } from "./tokens/budget.ts";
export type { TokenCounter } from "./tokens/token-counter.ts";
export type { EncodingName, ModelTokenCounter, TokenCounterOptions };

/** A token counter for an encoding or a model; `countMessages` takes native messages of any known format. */
export function createTokenCounter(options: TokenCounterOptions): ModelTokenCounter {
  return create(options, [openaiChatFormat, openaiResponsesFormat, anthropicFormat]);
}

/**
 * Gives an encoding its ranks where they cannot be read from disk (browsers, bundles): the bytes of
 * `agent-compact/ranks/<encoding>.ranks`, before the first count.
 * @throws CompactError `InvalidInput` when the bytes are no whole rank file of this version.
 */
export function provideTokenRanks(encoding: EncodingName, bytes: Uint8Array): void {
  provideRanks(encoding, bytes);
}
