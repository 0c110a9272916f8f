// What is asked of the requests that a provider saw: each valid by the provider's rules, none over the window, and each
// the one before plus what is new, but for one break at each compaction.
import { FORMATS } from "../../../src/index.ts";
import { createTokenCounter } from "../../../src/tokens.ts";
import type { RecordedRequest } from "./recording-server.ts";

export interface Judgement {
  readonly requests: number;
  /** Of all requests: `request 12: message 3: ...`. */
  readonly violations: readonly string[];
  /** Messages, system prompt and tools, in o200k tokens. */
  readonly largest: number;
  /** Requests that do not go on from the one before. */
  readonly breaks: number;
}

const { count } = createTokenCounter({ encoding: "o200k_base" });

/** The format is told by the path: `/chat/completions`, `/responses`, `/messages`. */
export function judgeRequests(requests: readonly RecordedRequest[]): Judgement {
  const violations: string[] = [];
  let largest = 0;
  let breaks = 0;
  let before: readonly string[] = [];
  for (const [at, { path, body }] of requests.entries()) {
    const format = FORMATS.find(({ name }) => name === formatOf(path));
    const messages: readonly unknown[] = body.messages ?? body.input;
    for (const fault of format?.validate(messages) ?? [{ index: 0, message: `unknown path ${path}` }])
      violations.push(`request ${at + 1}: message ${fault.index + 1}: ${fault.message}`);
    largest = Math.max(largest, count(JSON.stringify([body.system, body.instructions, body.tools, messages])));
    const texts = messages.map((message) => JSON.stringify(withoutCacheMarks(message)));
    if (!before.every((text, index) => text === texts[index])) breaks += 1;
    before = texts;
  }
  return { requests: requests.length, violations, largest, breaks };
}

function formatOf(path: string): string {
  if (path.includes("/chat/completions")) return "openai-chat";
  return path.includes("/responses") ? "openai-responses" : "anthropic";
}

/** Where a client asks for caching moves along with the list, by design. */
function withoutCacheMarks(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message), (key, value) => (key === "cache_control" ? undefined : value));
}
