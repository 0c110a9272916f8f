// Reads and sizes a list that needs no healing, stretch by stretch: whether a stretch needs any is told in one go, so a
// long list is parted where every call before is answered. Where something is damaged the whole list has to be healed.
import type { Format, MessageView } from "../../../formats/format.ts";
import { createPacer, mapInTurns } from "../../../tokens/turns/pacer.ts";
import type { MessageCounter } from "../../conversation-parts.ts";

/** Stands for what came before a stretch: some providers let no list begin with the assistant. */
const BEFORE = { role: "user", content: "What came before." };

export interface SizedMessages {
  readonly views: readonly MessageView[];
  readonly tokens: readonly number[];
}

/** A few milliseconds of looking for damage. */
const STRETCH = 400;
/** The newest messages are measured again each time: hosts write into them while an answer streams in. */
const ALWAYS_FRESH = 4;

/** Of the messages from index `from` on, before which nothing is open; undefined when some are damaged. */
export async function sizeHealthy(
  messages: readonly unknown[],
  from: number,
  format: Format,
  counter: MessageCounter,
  stretchLength = STRETCH,
): Promise<SizedMessages | undefined> {
  if (repeatsBlocks(messages, from)) return undefined;
  const pacer = createPacer();
  const views: MessageView[] = [];
  const tokens: number[] = [];
  let length = stretchLength;
  for (let start = from; ; ) {
    const end = endOfStretch(messages, start + length, format);
    const stretch = messages.slice(start, end);
    const isBeginning = start === 0 || format.view(messages[start]).role === "user";
    if (format.heal(isBeginning ? stretch : [BEFORE, ...stretch]).repairs.length > 0) return undefined;
    if (pacer.isDue()) await pacer.pause();
    const sized = await sizeMessages(stretch, format, counter, pacer);
    views.length = start - from;
    tokens.length = start - from;
    for (const view of sized.views) views.push(view);
    for (const size of sized.tokens) tokens.push(size);
    if (end === messages.length) return { views, tokens };
    const settled = settledUntil(sized.views, 0);
    // Nothing is settled where one step is longer than the stretch.
    length = settled === 0 ? length * 2 : stretchLength;
    start += settled;
  }
}

export async function sizeMessages(
  messages: readonly unknown[],
  format: Format,
  counter: MessageCounter,
  pacer = createPacer(),
): Promise<SizedMessages> {
  const sized = await mapInTurns(
    messages,
    (message) => {
      const view = format.view(message);
      return { view, tokens: counter.countMessage(message, view) };
    },
    pacer,
  );
  return { views: sized.map(({ view }) => view), tokens: sized.map((size) => size.tokens) };
}

/**
 * Whether a block with an id of its own (a call of a provider's own tool, say) stands twice. Where both are whole, no
 * stretch by itself would show it.
 */
function repeatsBlocks(messages: readonly unknown[], from: number): boolean {
  const ids = new Set<string>();
  for (let index = from; index < messages.length; index++) {
    for (const id of blockIds(messages[index])) {
      if (ids.has(id)) return true;
      ids.add(id);
    }
  }
  if (ids.size === 0) return false;
  for (let index = 0; index < from; index++) {
    for (const id of blockIds(messages[index])) if (ids.has(id)) return true;
  }
  return false;
}

function blockIds(message: unknown): readonly string[] {
  const content = (message as { readonly content?: unknown } | null | undefined)?.content;
  if (!Array.isArray(content)) return NO_IDS;
  const ids: string[] = [];
  for (const block of content) if (typeof block?.id === "string") ids.push(block.id);
  return ids;
}

const NO_IDS: readonly string[] = [];

/** Not within the items of one step: reasoning by itself would pass for damage. */
function endOfStretch(messages: readonly unknown[], wanted: number, format: Format): number {
  let end = Math.min(wanted, messages.length);
  while (end < messages.length && format.view(messages[end - 1]).role === "assistant") end++;
  return end;
}

/**
 * Up to where nothing can change any more: every call before is answered, the last step with calls stands behind, and so
 * do the newest messages.
 */
export function settledUntil(views: readonly MessageView[], from: number): number {
  const limit = Math.min(lastStepWithCalls(views, from), views.length - ALWAYS_FRESH);
  const waiting = new Set<string>();
  let settled = from;
  for (let index = from; index <= limit; index++) {
    const isWithinStep = isAssistants(views[index - 1]) && isAssistants(views[index]);
    if (waiting.size === 0 && !isWithinStep) settled = index;
    for (const part of views[index]?.parts ?? []) {
      if (part.kind === "call") waiting.add(part.callId);
      else if (part.kind === "result") waiting.delete(part.callId);
    }
  }
  return settled;
}

function lastStepWithCalls(views: readonly MessageView[], from: number): number {
  const last = views.findLastIndex(({ parts }) => parts.some((part) => part.kind === "call"));
  if (last < from) return views.length;
  let start = last;
  while (start > from && isAssistants(views[start - 1])) start--;
  return start;
}

function isAssistants(view: MessageView | undefined): boolean {
  return view?.role === "assistant";
}
