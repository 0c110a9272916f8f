// Estimates of a family without a public tokenizer, corrected by what its provider reported. The correction is learned
// from what the prompt grew by between two calls, so that a system prompt we never saw does not pass for it.
import { type Calibration, calibrate } from "../../tokens/calibrate.ts";
import type { MessageCounter } from "../conversation-parts.ts";
import type { MeasuredConversation } from "../stages/measure-conversation.ts";

/** One call: what we estimated (uncorrected) and what was reported, for the same list. */
export interface CallSize {
  readonly estimated: number;
  readonly reported: number;
}

export function learn(calibration: Calibration, before: CallSize | undefined, now: CallSize): Calibration {
  if (before === undefined) return calibration;
  return calibrate(calibration, now.estimated - before.estimated, now.reported - before.reported);
}

export function scaleCounter(counter: MessageCounter, ratio: number): MessageCounter {
  if (ratio === 1) return counter;
  const scale = (tokens: number) => Math.ceil(tokens * ratio);
  return {
    isExact: counter.isExact,
    margin: counter.margin,
    countText: (text) => scale(counter.countText(text)),
    countMessage: (message, view) => scale(counter.countMessage(message, view)),
    countSystem: (system) => scale(counter.countSystem(system)),
    countTools: (tools) => scale(counter.countTools(tools)),
  };
}

/** The same list in corrected tokens; the breakdown still adds up. */
export function scaleMeasured(measured: MeasuredConversation, ratio: number): MeasuredConversation {
  if (ratio === 1) return measured;
  const scale = (tokens: number) => Math.ceil(tokens * ratio);
  const { system, developer, tools_schema, messages } = measured.breakdown;
  const breakdown = {
    system: scale(system),
    developer: scale(developer),
    tools_schema: scale(tools_schema),
    messages: scale(messages),
  };
  return {
    ...measured,
    tokens: measured.tokens.map(scale),
    breakdown,
    fixedTokens: scale(measured.fixedTokens),
    total: breakdown.system + breakdown.developer + breakdown.tools_schema + breakdown.messages,
  };
}
