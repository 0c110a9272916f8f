// A session as an agent runs it: a request, a step that reads or runs something, an answer. Texts of the sizes and kinds
// that such sessions have, from a seed.
import { sessionTexts } from "../tokens/session-text.mjs";

export interface SessionTurn {
  readonly request: readonly unknown[];
  /** A step with its calls and their results; none in a turn that only talks. */
  readonly step: readonly unknown[];
  readonly answer: readonly unknown[];
}

export const OPENING: readonly unknown[] = [
  { role: "system", content: "You migrate a code base. Never touch the audit table." },
];

/** About 3.4 characters of these texts are a token. */
const CHARACTERS_A_TOKEN = 3.38;
/** Of the frames of messages and calls, and of requests and answers. */
const FRAMING_TOKENS = 70;

/** So many turns of so many tokens together, within a few percent. */
export function sessionTurns(seed: number, turns: number, tokens: number): readonly SessionTurn[] {
  const framing = turns * FRAMING_TOKENS;
  const texts = sessionTexts(seed, Math.max(turns, (tokens - framing) * CHARACTERS_A_TOKEN));
  const startOf = (turn: number) => Math.floor((turn * texts.length) / turns);
  return Array.from({ length: turns }, (_, turn) => writeTurn(turn + 1, texts.slice(startOf(turn), startOf(turn + 1))));
}

function writeTurn(number: number, texts: readonly string[]): SessionTurn {
  const calls = texts.map((_, index) => ({
    id: `call_${number}_${index}`,
    type: "function",
    function: { name: "read_file", arguments: JSON.stringify({ path: `src/part${number % 60}.ts`, part: index }) },
  }));
  const results = texts.map((content, index) => ({ role: "tool", tool_call_id: `call_${number}_${index}`, content }));
  return {
    request: [{ role: "user", content: `Build part ${number} in src/part${number % 60}.ts with limit=${number}.` }],
    step: calls.length === 0 ? [] : [{ role: "assistant", content: null, tool_calls: calls }, ...results],
    answer: [{ role: "assistant", content: `Part ${number} is built in src/part${number % 60}.ts; its tests pass.` }],
  };
}
