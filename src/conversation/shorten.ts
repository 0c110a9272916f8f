// Shortens in place what stays, when even the floor is too big, or says exactly what cannot shrink: first the texts
// of tool results, then attachments, then, where the policy allows it, what users said. Then the bytes are looked at.
import type { MessagePart, MessageView } from "../providers/format.ts";
import { detach } from "../providers/message-marks.ts";
import { parseJson } from "../text/parse-json.ts";
import { headTail } from "../text/quote.ts";
import type { ShortenedMessage } from "../trace/compact-event.ts";
import {
  type Ceiling,
  Copies,
  chooseAttachments,
  chooseForBytes,
  findAttachments,
  replaceAttachments,
  resultMarker,
  tokensWonBy,
  userMarker,
  whereaboutsOf,
} from "./attachments.ts";
import type { MessageCounter } from "./conversation-parts.ts";
import { insufficientBudget } from "./insufficient-budget.ts";
import { type Fit, type LayersInput, layersOf } from "./layers.ts";
import type { ReadConversation } from "./read-conversation.ts";

interface Shortened {
  /** Copies by original. */
  readonly shortened: ReadonlyMap<unknown, unknown>;
  /** Those of them whose text was cut. */
  readonly cut: ReadonlySet<unknown>;
  readonly tokensWon: number;
}

/** What the recent layer must come down to. */
interface Aim extends Ceiling {
  readonly summaryTokens: number;
  readonly target: number;
}

/** For the budget, or for a size the caller asked for by name. Throws `InsufficientBudget`. */
export function shortenAtFloor(choice: LayersInput, chosen: Fit, aim: Aim): Shortened {
  const { input, read, parts } = choice;
  const { summaryTokens, target } = aim;
  const copies = new Copies(choice);
  const most = Math.min(parts.budget, aim.mostTokens);
  const limit = input.targetTokens === undefined ? most : target;
  const over = (size: number) => chosen.tokens + summaryTokens - copies.tokensWon - size;
  const cut = new Set<unknown>();
  const { recent } = layersOf(read, chosen);
  // A call in flight is carried out with its arguments.
  const inFlight = new Set(read.units.flatMap(({ isOpen, messages }) => (isOpen ? messages : [])));
  const shorten = (what: Gives, least = LEAST_TOKENS) => {
    const giving = what === "calls" ? recent.filter((index) => !inFlight.has(index)) : recent;
    const messages = giving.map((index) => shortenable(choice, copies, cut, index, what));
    // Down to the target: whatever comes next would be too much for a list that only just fits.
    shortenTexts(messages, over(Math.min(target, limit)), least, (text) => parts.counter.countText(text));
  };
  const isTooLarge = () => over(limit) > 0;
  if (isTooLarge() && parts.policy.shortenToolResults) shorten("results");
  if (isTooLarge() && parts.policy.shortenToolResults) {
    const room = { overGoal: over(limit), overLimit: over(limit) };
    const weigh = tokensWonBy(read.format, copies);
    replaceAttachments(read.format, chooseAttachments(findAttachments(choice, chosen), room, weigh), copies);
  }
  // What follows is for what could not be sent at all, never for a size that somebody asked for.
  const isBeyond = () => over(most) > 0 && parts.policy.shortenToolResults;
  if (isBeyond()) shorten("calls");
  if (isTooLarge() && parts.policy.shortenUserMessages) shorten("texts");
  // Thousands of calls in one step: what each of them may keep is less than a sentence that says so.
  if (isBeyond()) shorten("results", 1);
  if (isBeyond()) shorten("calls", 1);
  if (over(parts.budget) > 0) throw insufficientBudget(choice, chosen, copies, summaryTokens);
  replaceAttachments(read.format, chooseForBytes(choice, chosen, copies, summaryTokens), copies);
  return { shortened: copies.byOriginal(), cut, tokensWon: copies.tokensWon };
}

/** What of a message gives room: what its tools answered, what they were called with, what a person said. */
type Gives = "results" | "calls" | "texts";

function shortenable(choice: LayersInput, copies: Copies, cut: Set<unknown>, index: number, what: Gives): Shortenable {
  const { read } = choice;
  const { format } = read;
  const where = whereaboutsOf(choice, index);
  const isUsers = read.views[index]?.role === "user";
  return {
    map: (shorten) => {
      const message = copies.current(index);
      if (what === "results") return format.mapResults(message, (text) => shorten(text, false));
      if (what === "calls") return format.mapCalls?.(message, shorten) ?? message;
      return isUsers ? format.mapTexts(message, (text) => shorten(text, false)) : message;
    },
    marker: (omitted: number) =>
      what === "texts"
        ? userMarker(omitted, where)
        : resultMarker(omitted, where, what === "calls" ? "arguments" : "output"),
    replace: (copy: unknown) => {
      if (copy !== copies.current(index)) cut.add(read.messages[index]);
      copies.replace(index, copy);
    },
  };
}

// Shortens texts in place when the floor is still too big: the largest give first, all share the room, each keeps
// its head and its tail and says what is missing between them.

/** Below this a text says nothing any more. */
const LEAST_TOKENS = 64;

/** Stands for a text that has no room to say what is missing. */
const GONE = "[…]";

type Shorten = (text: string, isJson: boolean) => string;

/** A message with texts that may be shortened. */
interface Shortenable {
  /** Asks for each text in turn and gives a copy with what it got; the same object when nothing changed. */
  readonly map: (shorten: Shorten) => unknown;
  readonly marker: (omitted: number) => string;
  readonly replace: (copy: unknown) => void;
}

/** `excess`: tokens by which the list is too big. `least`: what each text keeps. */
function shortenTexts(
  messages: readonly Shortenable[],
  excess: number,
  least: number,
  count: (text: string) => number,
): void {
  const sizes = messages.flatMap(({ map }) => textsOf(map).map(count));
  const level = waterLevel(sizes, sizes.reduce((sum, size) => sum + size, 0) - excess);
  const limit = Math.max(least, level);
  for (const { map, marker, replace } of messages)
    replace(
      map((text, isJson) => {
        const tokens = count(text);
        if (tokens <= limit) return text;
        if (isJson) return shortenArguments(text, limit, marker, count);
        return limit < LEAST_TOKENS ? GONE : shortenText(text, tokens, limit, marker, count);
      }),
    );
}

function textsOf(map: Shortenable["map"]): readonly string[] {
  const texts: string[] = [];
  map((text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** The highest level L with sum(min(size, L)) <= room. */
function waterLevel(sizes: readonly number[], room: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = room;
  for (const [position, size] of ascending.entries()) {
    const share = left / (ascending.length - position);
    if (size > share) return Math.floor(share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

function shortenText(
  text: string,
  tokens: number,
  limit: number,
  marker: Shortenable["marker"],
  count: (text: string) => number,
): string {
  let units = Math.floor((text.length * limit) / tokens);
  for (;;) {
    const shorter = headTailWithMarker(text, units, marker);
    if (count(shorter) <= limit || units < 32) return shorter.length < text.length ? shorter : text;
    units = Math.floor(units * 0.85);
  }
}

/** Units that each text within arguments may keep, from the first that is enough; then the object is empty. */
const KEPT_OF_ARGUMENTS = [4000, 1000, 250, 60] as const;

/** Arguments stay JSON: their long texts are cut, and where that is not enough nothing of them stays. */
function shortenArguments(
  json: string,
  limit: number,
  marker: Shortenable["marker"],
  count: (text: string) => number,
): string {
  const value = parseObject(json);
  if (value === undefined) return json;
  for (const units of limit < LEAST_TOKENS ? [] : KEPT_OF_ARGUMENTS) {
    const shorter = JSON.stringify(value, (_, field: unknown) =>
      typeof field === "string" && field.length > 2 * units ? headTailWithMarker(field, units, marker) : field,
    );
    if (count(shorter) <= limit) return shorter;
  }
  return "{}";
}

function parseObject(json: string): object | undefined {
  try {
    const value = parseJson(json);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function headTailWithMarker(text: string, units: number, marker: Shortenable["marker"]): string {
  const head = Math.floor(units * 0.6);
  const { head: start, tail, omitted } = headTail(text, head, units - head);
  return `${start}\n${marker(omitted)}\n${tail}`;
}

// Says for the trace what gave something in place: which message, which tool's result, from what size to what size.

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
    if (
      now === undefined ||
      (now.text === result.text && now.images === result.images && now.media?.length === result.media?.length)
    )
      return [];
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

function attachmentsIn({ parts }: MessageView): number {
  let count = 0;
  for (const part of parts) {
    if (part.kind === "image") count += 1;
    else if (part.kind === "result") count += part.images + (part.media ?? []).length;
    else if (part.kind === "opaque") count += (part.media ?? []).length;
  }
  return count;
}

// A message that was changed shares nothing with the caller's: whoever marks up what is sent, as callers do to cache it,
// does not write into the history that it came from. A message that stays is the caller's own object.

export function detachChanged(messages: readonly unknown[], given: readonly unknown[]): readonly unknown[] {
  const own = new Set(given);
  return messages.map((message) => (own.has(message) ? message : detach(message)));
}
