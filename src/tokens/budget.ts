// How many tokens of the window a prompt may take. Arithmetic only; when to act on it is decided elsewhere.
import { CompactError } from "../errors.ts";
import type { MessageView } from "../providers/format.ts";
import { compactJson, MESSAGE_OVERHEAD, type MessageCounter } from "./count-messages.ts";
import type { TokenCounter } from "./token-counter.ts";

interface BudgetParts {
  /** The model's window, in tokens. */
  readonly maxContextTokens: number;
  /** Kept free for what an estimate misses. */
  readonly hardCapBuffer: number;
  /** Kept free for the answer: providers count it against the same window. */
  readonly reservedOutputTokens: number;
}

/**
 * Window minus buffer minus reserved output, in tokens.
 * @throws CompactError `InvalidConfig` when a part is not a number of tokens, or nothing is left.
 */
export function budgetOf(parts: BudgetParts): number {
  const { maxContextTokens, hardCapBuffer, reservedOutputTokens } = parts;
  requireTokens("max_context_tokens", maxContextTokens);
  requireTokens("policy.hard_cap_buffer", hardCapBuffer);
  requireTokens("reserved_output_tokens", reservedOutputTokens);
  const budget = maxContextTokens - hardCapBuffer - reservedOutputTokens;
  if (budget > 0) return budget;
  throw new CompactError(
    "InvalidConfig",
    `max_context_tokens (${maxContextTokens}) must be greater than policy.hard_cap_buffer (${hardCapBuffer}) plus reserved_output_tokens (${reservedOutputTokens})`,
    {
      code: "NO_BUDGET",
      hint: "Raise max_context_tokens to the model's window, or lower the buffer or the reserved output.",
      data: { maxContextTokens, hardCapBuffer, reservedOutputTokens },
    },
  );
}

function requireTokens(path: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw new CompactError("InvalidConfig", `${path} must be a number of tokens, 0 or more`, {
    code: "INVALID_TOKEN_NUMBER",
    hint: `Give ${path} as a whole number.`,
    data: { path },
  });
}

// Where the tokens of a request are: system, developer, tool schemas, messages. The four always sum to the
// total, because the total is made from them.

/** Same keys as the event `compact.token_estimate` carries. */
export interface RequestTokens {
  readonly system: number;
  readonly developer: number;
  readonly tools_schema: number;
  readonly messages: number;
}

export interface RequestParts {
  readonly messages: readonly unknown[];
  readonly views: readonly MessageView[];
  /** The system prompt where it is sent beside the messages: a string, or text blocks. */
  readonly system?: unknown;
  /** Tool definitions as they are sent. */
  readonly tools?: unknown;
}

/** JSON punctuation around one tool definition in the list. */
const TOOL_OVERHEAD = 4;

/** Tokens of tool definitions, as the compact JSON they are sent as. Missing or not a list counts 0 or its JSON. */
export function countTools(tools: unknown, counter: TokenCounter): number {
  if (tools === undefined || tools === null) return 0;
  // Python-like maps of tools are seen in the wild: name -> definition.
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [tools];
  return list.reduce<number>((sum, tool) => sum + TOOL_OVERHEAD + counter.count(compactJson(tool)), 0);
}

/** Tokens of a system prompt beside the messages; blocks without text count as their JSON. */
export function countSystem(system: unknown, counter: TokenCounter): number {
  if (system === undefined || system === null || system === "") return 0;
  const blocks: readonly unknown[] = Array.isArray(system) ? system : [system];
  if (blocks.length === 0) return 0;
  return blocks.reduce<number>((sum, block) => sum + counter.count(blockText(block)), MESSAGE_OVERHEAD);
}

function blockText(block: unknown): string {
  if (typeof block === "string") return block;
  const text = typeof block === "object" && block !== null ? (block as { text?: unknown }).text : undefined;
  return typeof text === "string" ? text : compactJson(block);
}

/** Counts a whole request by component. */
export function countRequest(parts: RequestParts, counter: MessageCounter): RequestTokens {
  const tokens = counter.countEach(parts.messages, parts.views);
  let system = countSystem(parts.system, counter.counter);
  let developer = 0;
  let messages = 0;
  parts.views.forEach(({ role }, index) => {
    const cost = tokens[index] ?? 0;
    if (role === "system") system += cost;
    else if (role === "developer") developer += cost;
    else messages += cost;
  });
  return { system, developer, tools_schema: countTools(parts.tools, counter.counter), messages };
}

export function sumOfRequest(tokens: RequestTokens): number {
  return tokens.system + tokens.developer + tokens.tools_schema + tokens.messages;
}

// Corrects an estimate by what the provider reports: for model families whose tokenizer nobody published. Pure; where
// the figures come from and when they are too old to use is for the caller to decide.

export interface Calibration {
  /** Tokens reported per token estimated; multiply estimates by it. */
  readonly ratio: number;
  /** Reports that went into it. */
  readonly reports: number;
}

export const UNCALIBRATED: Calibration = { ratio: 1, reports: 0 };

/** No tokenizer in use is further from the estimate than this; what is, is something else (a sum over calls, a cache). */
const LEAST_RATIO = 0.4;
const MOST_RATIO = 4;
/** Below this many tokens the frame around the messages outweighs their text. */
const LEAST_TOKENS = 500;
/** Reports after which a new one weighs no less: a session's text changes, and so does the ratio. */
const MEMORY = 4;

/**
 * Takes in one report: `estimated` is our uncalibrated count of the very request that `reported` tokens were read for,
 * cached ones included. Too small or implausible reports change nothing. The ratio is the mean of the first reports,
 * later a moving mean, always between 0.4 and 4.
 */
export function calibrate(calibration: Calibration, estimated: number, reported: number): Calibration {
  const ratio = reported / estimated;
  const isPlausible = estimated >= LEAST_TOKENS && ratio >= LEAST_RATIO && ratio <= MOST_RATIO;
  if (!isPlausible) return calibration;
  const weight = 1 / Math.min(MEMORY, calibration.reports + 1);
  return { ratio: calibration.ratio + weight * (ratio - calibration.ratio), reports: calibration.reports + 1 };
}
