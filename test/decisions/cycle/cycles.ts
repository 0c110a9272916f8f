// What the tests of the cycle share: a writer of texts that does as it is told, and a trace that is looked at.
import type { StoredDecision } from "../../../src/decisions/decision.ts";
import type { TextWriter } from "../../../src/decisions/texts/text-writer.ts";
import { createRedactor } from "../../../src/redaction/redactor.ts";
import { createCallbackSink } from "../../../src/trace/callback-sink.ts";
import type { CompactEvent } from "../../../src/trace/compact-event.ts";
import { createTrace, type Trace } from "../../../src/trace/emit.ts";
import { NOW } from "../levels/records.ts";

export interface ScriptedTexts extends TextWriter {
  /** `id level`, in the order in which they were asked for. */
  readonly asked: readonly string[];
}

type Answer = Awaited<ReturnType<TextWriter["write"]>>;

/** Names decision, level and a piece of the record; `answer` may say something else, fail or wait. */
export function scriptedTexts(
  answer: (decision: StoredDecision, level: string) => Answer | undefined | Promise<Answer | undefined> = () =>
    undefined,
  model = "small",
): ScriptedTexts {
  const asked: string[] = [];
  return {
    strategy: "brief",
    model,
    asked,
    async write(decision, level, { signal } = {}) {
      signal?.throwIfAborted();
      asked.push(`${decision.id} ${level}`);
      const text = `${level} of ${decision.id}: ${decision.lessons ?? "no lessons"}`;
      return (await answer(decision, level)) ?? { text, source: model === "extractive" ? "extractive" : "llm" };
    },
  };
}

export function recordedTrace(): { readonly trace: Trace; readonly events: readonly CompactEvent[] } {
  const events: CompactEvent[] = [];
  return {
    trace: createTrace([createCallbackSink((event) => events.push(event))], createRedactor(), () => NOW),
    events,
  };
}
