// Where the events of the parts besides the conversation go.
import { createRedactor } from "../redaction/redactor.ts";
import { createTrace, type Trace } from "../trace/emit.ts";
import type { ConversationConfig } from "./conversation.ts";

/** The events of a store's or a log's compactions, to the sinks that a configuration names. */
export function partTrace({ trace = [], redaction, now = Date.now }: ConversationConfig): Trace {
  return createTrace(trace, createRedactor(redaction), now);
}
