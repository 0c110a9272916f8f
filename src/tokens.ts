// `agent-compact/tokens`: counting by itself, with every message format the package knows.
import { FORMATS } from "./from-config.ts";
import {
  createTokenCounter as create,
  type ModelTokenCounter,
  type TokenCounterOptions,
} from "./tokens/create-token-counter.ts";

export type { TokenCounter } from "./tokens/token-counter.ts";
export type { ModelTokenCounter, TokenCounterOptions };

/** A token counter for an encoding or a model; `countMessages` takes native messages of any known format. */
export function createTokenCounter(options: TokenCounterOptions): ModelTokenCounter {
  return create(options, FORMATS);
}
