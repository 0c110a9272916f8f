// Says for the trace what gave something in place: which message, which tool's result, from what size to what size.
import type { MessagePart, MessageView } from "../../../formats/format.ts";
import type { ShortenedMessage } from "../../../trace/compact-event.ts";
import type { MessageCounter } from "../../conversation-parts.ts";
import type { ReadConversation } from "../read-conversation.ts";

type Result = MessagePart & { readonly kind: "result" };

export function describeShortened(
  read: ReadConversation,
  shortened: ReadonlyMap<unknown, unknown>,
  counter: MessageCounter,
): readonly ShortenedMessage[] {
  if (shortened.size === 0) return [];
  const tools = new Map<string, string>();
  return read.views.flatMap((view, index) => {
    for (const part of view.parts) if (part.kind === "call") tools.set(part.callId, part.name);
    const original = read.messages[index];
    const copy = shortened.get(original);
    if (copy === undefined) return [];
    const after = read.format.view(copy);
    const describe = (before: MessageView, now: MessageView): ShortenedMessage => ({
      message: read.numbers[index] ?? 1,
      tokens_before: counter.countText(textOf(before)),
      tokens_after: counter.countText(textOf(now)),
      ...toolOf(before, tools),
      ...removedOf(before, now),
    });
    const whole = { tokens_before: read.tokens[index] ?? 0, tokens_after: counter.countMessage(copy, after) };
    const changed = changedParts(view, after);
    return changed.length === 1
      ? changed.map(([before, now]) => ({ ...describe(before, now), ...whole }))
      : changed.map(([before, now]) => describe(before, now));
  });
}

function textOf({ parts }: MessageView): string {
  return parts.map((part) => ("text" in part ? part.text : "")).join("\n");
}

/** A pair of views for each result that changed, and one for all that is no result. */
function changedParts(before: MessageView, after: MessageView): readonly (readonly [MessageView, MessageView])[] {
  const isResult = (part: MessagePart): part is Result => part.kind === "result";
  const only = (view: MessageView, parts: readonly MessagePart[]): MessageView => ({ ...view, parts });
  const results = after.parts.filter(isResult);
  const changed = before.parts.filter(isResult).flatMap((result, ordinal) => {
    const now = results[ordinal];
    if (now === undefined || (now.text === result.text && now.images === result.images)) return [];
    return [[only(before, [result]), only(after, [now])] as const];
  });
  const said = only(
    before,
    before.parts.filter((part) => !isResult(part)),
  );
  const saidNow = only(
    after,
    after.parts.filter((part) => !isResult(part)),
  );
  const isSaidChanged = JSON.stringify(said.parts) !== JSON.stringify(saidNow.parts);
  return isSaidChanged || changed.length === 0 ? [...changed, [said, saidNow]] : changed;
}

function toolOf({ parts }: MessageView, tools: ReadonlyMap<string, string>): { tool?: string; call_id?: string } {
  const result = parts.find((part) => part.kind === "result");
  if (result?.kind !== "result") return {};
  const tool = tools.get(result.callId);
  return { ...(tool === undefined || tool === "" ? {} : { tool }), call_id: result.callId };
}

function removedOf(before: MessageView, after: MessageView): { attachments_removed?: number } {
  const removed = attachmentsIn(before) - attachmentsIn(after);
  return removed <= 0 ? {} : { attachments_removed: removed };
}

const ATTACHED: ReadonlySet<string> = new Set(["document", "audio", "file", "input_file", "input_audio"]);

function attachmentsIn({ parts }: MessageView): number {
  let count = 0;
  for (const part of parts) {
    if (part.kind === "image") count += 1;
    else if (part.kind === "result") count += part.images;
    else if (part.kind === "opaque" && ATTACHED.has(part.type)) count += 1;
  }
  return count;
}
