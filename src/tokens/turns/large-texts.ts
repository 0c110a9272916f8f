// Counts the large texts of a message in steps with pauses between them, ahead of the message itself. One megabyte
// without a break takes a tenth of a second; nobody's heartbeat should wait that long.
import type { MessagePart, MessageView } from "../../formats/format.ts";
import type { TokenCounter } from "../token-counter.ts";
import type { Pacer } from "./pacer.ts";

/** UTF-16 units; a smaller text is counted in a few milliseconds whatever it holds. */
const LARGE = 32_768;

/** A counter that knows the large texts of `view` by now; `counter` itself where there are none. */
export async function countLargeTexts(view: MessageView, counter: TokenCounter, pacer: Pacer): Promise<TokenCounter> {
  const counted = new Map<string, number>();
  for (const text of view.parts.flatMap(textsOf)) {
    if (text.length > LARGE && !counted.has(text)) counted.set(text, await countInTurns(text, counter, pacer));
  }
  return { ...counter, count: (text) => counted.get(text) ?? counter.count(text) };
}

export function hasLargeText(view: MessageView): boolean {
  return view.parts.some((part) => textsOf(part).some((text) => text.length > LARGE));
}

async function countInTurns(text: string, counter: TokenCounter, pacer: Pacer): Promise<number> {
  const steps = counter.countSteps?.(text);
  if (steps === undefined) return counter.count(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pacer.isDue()) await pacer.pause();
  }
}

function textsOf(part: MessagePart): readonly string[] {
  if (part.kind === "call") return [part.arguments];
  return "text" in part ? [part.text] : [];
}
