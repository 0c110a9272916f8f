// When only the bytes are too many: attachments give way and every message stays in its place. No summary is made,
// and the list is rewritten once.
import { EMPTY_LEDGER } from "../facts/ledger.ts";
import { type Attachment, describeAttachment } from "../providers/attachments.ts";
import type { Format } from "../providers/format.ts";
import { figure } from "../text/figures.ts";
import { jsonBytes } from "../text/json-values.ts";
import { type Fit, type Layers, type LayersInput, layersOf } from "./layers.ts";
import { bytesOverCeiling } from "./measure-conversation.ts";
import type { ReadConversation, StandingUnit } from "./read-conversation.ts";
import { expandCommand } from "./summary-frame.ts";

/** Undefined when that is not asked for, or not enough: then layers have to leave too. */
export function attachmentsOnly(choice: LayersInput, target: number): Layers | undefined {
  const { read, parts, input } = choice;
  const over = bytesOverCeiling(read, parts.policy);
  if (over <= 0 || input.isManual) return undefined;
  const stays = read.units.map(() => true);
  const copies = new Copies(choice);
  const chosen = chooseForBytes(choice, { stays }, copies, 0);
  const saved = chosen.reduce((sum, { bytes }) => sum + bytes, 0);
  if (saved < over) return undefined;
  replaceAttachments(read.format, chosen, copies);
  const limit = choice.reason === "over_request_bytes" ? parts.budget : target;
  const tokens = read.total - copies.tokensWon;
  if (tokens > limit) return undefined;
  const { keepRecentTurns, keepToolIoPairs } = parts.policy;
  const fit = { keepTurns: keepRecentTurns, keepPairs: keepToolIoPairs, stays, tokens, reachedTarget: true };
  const { ledger } = read.carried;
  return {
    target: limit,
    summaryTokens: 0,
    fit,
    expectedTokens: tokens,
    ...layersOf(read, fit),
    shortened: copies.byOriginal(),
    ledger,
    shown: ledger,
    staying: EMPTY_LEDGER,
    passages: [],
    draft: undefined,
  };
}

// Which images, documents and sounds may give way to a line of text, and in which order: the oldest first. What a
// person shows in a request that still waits for its answer stays.

interface ReplaceableAttachment {
  /** Index of its message. */
  readonly index: number;
  /** Which of the message's attachments. */
  readonly ordinal: number;
  /** What stands in its place. */
  readonly text: string;
  /** Bytes of JSON that its leaving saves. */
  readonly bytes: number;
  /** Shown by a host in the running request, and seen by the model since: gives only when nothing else is left. */
  readonly isLast: boolean;
}

/** In the order in which they give: oldest first, the last resorts behind. */
export function findAttachments(choice: LayersInput, { stays }: Pick<Fit, "stays">): readonly ReplaceableAttachment[] {
  const { read } = choice;
  const request = runningRequest(read);
  const found: ReplaceableAttachment[] = [];
  for (const [position, unit] of read.units.entries()) {
    if (!stays[position] || unit.standing === "pinned" || unit.standing === "replaced") continue;
    for (const index of unit.messages) {
      for (const [ordinal, attachment] of attachmentsOf(read, index).entries()) {
        const standing = attachment.isInResult ? "free" : request(unit, index);
        if (standing === "shown") continue;
        const text = attachmentMarker(attachment, whereaboutsOf(choice, index));
        const bytes = attachment.bytes - jsonBytes({ type: "input_text", text });
        found.push({ index, ordinal, text, bytes, isLast: standing === "seen" });
      }
    }
  }
  return found.sort((a, b) => Number(a.isLast) - Number(b.isLast) || a.index - b.index);
}

function attachmentsOf(read: ReadConversation, index: number): readonly Attachment[] {
  const found: Attachment[] = [];
  read.format.mapAttachments(read.messages[index], (attachment) => {
    found.push(attachment);
    return undefined;
  });
  return found;
}

/**
 * Tells of what was said in a unit: `shown` belongs to the request that waits for its answer, `seen` came while it was
 * being worked on and the model has answered since (hosts show screenshots so), `free` is older.
 */
function runningRequest({ units, views }: ReadConversation) {
  const isOpen = ({ standing, hasUserText }: StandingUnit) => standing === "locked" && hasUserText;
  const start = units.find(isOpen)?.messages[0] ?? Number.POSITIVE_INFINITY;
  const firstStep = views.findIndex(({ role }, index) => role === "assistant" && index > start);
  const lastStep = views.findLastIndex(({ role }) => role === "assistant");
  return (unit: StandingUnit, index: number): "free" | "shown" | "seen" => {
    if (!isOpen(unit)) return "free";
    return firstStep >= 0 && index > firstStep && index < lastStep ? "seen" : "shown";
  };
}

// Puts placeholders where attachments stood, as few as the room asks for: by bytes of the request, or by tokens.

/** So many of the newest give only when the limit itself would be missed. */
const NEWEST_KEPT = 3;

interface Room {
  /** By how much the list is too big for where it is to land, so that it is not too big again at once. */
  readonly overGoal: number;
  /** By how much it is too big at all. */
  readonly overLimit: number;
}

/** The first of `attachments` that win what is needed; `weigh` says how much each would win. */
export function chooseAttachments(
  attachments: readonly ReplaceableAttachment[],
  { overGoal, overLimit }: Room,
  weigh: (attachment: ReplaceableAttachment) => number,
): readonly ReplaceableAttachment[] {
  if (overLimit <= 0) return [];
  const spare = attachments.filter(({ isLast }) => !isLast).length - NEWEST_KEPT;
  const chosen: ReplaceableAttachment[] = [];
  let won = 0;
  for (const [position, attachment] of attachments.entries()) {
    if (won >= (position < spare ? overGoal : overLimit)) continue;
    const weight = weigh(attachment);
    if (weight <= 0) continue;
    chosen.push(attachment);
    won += weight;
  }
  return chosen;
}

export function replaceAttachments(
  format: Format,
  attachments: readonly ReplaceableAttachment[],
  copies: Copies,
): void {
  for (const [index, texts] of groupByMessage(attachments))
    copies.replace(index, withPlaceholders(format, copies.current(index), texts));
}

/** Tokens that one placeholder wins. */
export function tokensWonBy(format: Format, copies: Copies): (attachment: ReplaceableAttachment) => number {
  return ({ index, ordinal, text }) => {
    const before = copies.current(index);
    const after = withPlaceholders(format, before, new Map([[ordinal, text]]));
    return copies.tokensOf(index, before) - copies.tokensOf(index, after);
  };
}

function bytesOf(copies: Copies, index: number, original: unknown, known: number): number {
  const current = copies.current(index);
  return current === original ? known : jsonBytes(current);
}

function groupByMessage(attachments: readonly ReplaceableAttachment[]) {
  const groups = new Map<number, Map<number, string>>();
  for (const { index, ordinal, text } of attachments) {
    const texts = groups.get(index) ?? new Map<number, string>();
    groups.set(index, texts.set(ordinal, text));
  }
  return groups;
}

function withPlaceholders(format: Format, message: unknown, texts: ReadonlyMap<number, string>): unknown {
  let ordinal = 0;
  return format.mapAttachments(message, () => texts.get(ordinal++));
}

// The byte ceiling of a request: how much of what stays has to go for it, as attachments, or, where these are not
// what makes it big, as tokens.

/** Share of the ceiling to land at, so that the next image does not bring the list over it again. */
const GOAL_SHARE = 0.75;
/** A summary's token in JSON: a CJK character, or a word with its escapes. */
const BYTES_PER_SUMMARY_TOKEN = 6;

/** Token figures that keep the request within its bytes; infinite when attachments alone do that. */
export interface Ceiling {
  readonly goalTokens: number;
  readonly mostTokens: number;
}

const NO_CEILING: Ceiling = {
  goalTokens: Number.POSITIVE_INFINITY,
  mostTokens: Number.POSITIVE_INFINITY,
};

/** Looks at the whole list, before anything leaves. */
export function ceilingInTokens(choice: LayersInput): Ceiling {
  const { read, parts } = choice;
  const ceiling = parts.policy.maxRequestBytes;
  const { bytes, units } = read;
  if (ceiling === undefined || bytes === undefined || bytesOverCeiling(read, parts.policy) <= 0) return NO_CEILING;
  const stays = units.map(() => true);
  const movable = findAttachments(choice, { stays }).reduce(
    (sum, attachment) => sum + Math.max(0, attachment.bytes),
    0,
  );
  if (bytes.total - movable <= ceiling) return NO_CEILING;
  const perByte = (read.total - read.fixedTokens) / Math.max(1, bytes.total - bytes.fixed - movable);
  const tokensFor = (size: number) => Math.max(0, Math.floor(read.fixedTokens + (size - bytes.fixed) * perByte));
  return { goalTokens: tokensFor(ceiling * GOAL_SHARE), mostTokens: tokensFor(ceiling) };
}

/** Attachments of what stays that have to give way for the ceiling. */
export function chooseForBytes(
  choice: LayersInput,
  chosen: Pick<Fit, "stays">,
  copies: Copies,
  summaryTokens: number,
): readonly ReplaceableAttachment[] {
  const { read, parts } = choice;
  const ceiling = parts.policy.maxRequestBytes;
  const { bytes } = read;
  if (ceiling === undefined || bytes === undefined) return [];
  let size = bytes.fixed + summaryTokens * BYTES_PER_SUMMARY_TOKEN;
  for (const [position, unit] of read.units.entries()) {
    if (!chosen.stays[position]) continue;
    for (const index of unit.messages) size += bytesOf(copies, index, read.messages[index], bytes.each[index] ?? 0);
  }
  if (size <= ceiling) return [];
  const room = { overGoal: size - ceiling * GOAL_SHARE, overLimit: size - ceiling };
  return chooseAttachments(findAttachments(choice, chosen), room, ({ bytes: weight }) => weight);
}

// The copies of messages that had to give something, while it is being decided what gives: what they weigh now, and
// what was won by them.

export class Copies {
  readonly #choice: Pick<LayersInput, "read" | "parts">;
  readonly #copies = new Map<number, unknown>();
  #tokensWon = 0;

  constructor(choice: Pick<LayersInput, "read" | "parts">) {
    this.#choice = choice;
  }

  /** Tokens that the copies are smaller by. */
  get tokensWon(): number {
    return this.#tokensWon;
  }

  /** The message as it would be sent now. */
  current(index: number): unknown {
    return this.#copies.has(index) ? this.#copies.get(index) : this.#choice.read.messages[index];
  }

  /** Tokens of `message`, which stands in the place of the one at `index`. */
  tokensOf(index: number, message: unknown): number {
    const { read, parts } = this.#choice;
    if (message === read.messages[index]) return read.tokens[index] ?? 0;
    return parts.counter.countMessage(message, read.format.view(message));
  }

  replace(index: number, copy: unknown): void {
    const before = this.current(index);
    if (copy === before) return;
    this.#tokensWon += this.tokensOf(index, before) - this.tokensOf(index, copy);
    this.#copies.set(index, copy);
  }

  /** Copies by original. */
  byOriginal(): ReadonlyMap<unknown, unknown> {
    return new Map([...this.#copies].map(([index, copy]) => [this.#choice.read.messages[index], copy]));
  }
}

// The texts that stand where something was left out: what it was, that nothing failed, and where it is. Made from
// the content and its place alone, so the same list gives the same bytes in every round.

/** Where the archive will hold a message; undefined when there is no archive. */
interface Whereabouts {
  readonly step: number;
  readonly message: number;
  readonly command: string;
}

export function whereaboutsOf({ read, step, input, parts }: LayersInput, index: number): Whereabouts | undefined {
  if (parts.archive === undefined) return undefined;
  const message = read.numbers[index] ?? 1;
  return { step, message, command: expandCommand(`${step}.${message}`, input.sessionId) };
}

export function resultMarker(omitted: number, where: Whereabouts | undefined, what = "output"): string {
  const characters = figure(omitted);
  return `[The call completed. ${characters} characters of its ${what} were left out here to save room; ${wholeText(where)}]`;
}

export function userMarker(omitted: number, where: Whereabouts | undefined): string {
  const characters = figure(omitted);
  return `[${characters} characters of this message were left out here to save room; ${wholeText(where)}]`;
}

function wholeText(where: Whereabouts | undefined): string {
  return where === undefined ? "they were not archived" : `whole text: ${where.command}`;
}

/** `[image: png 1500x900, removed to save room; message 3 of step 2 in the archive: agent-compact archive expand 2.3 ...]` */
function attachmentMarker(attachment: Attachment, where: Whereabouts | undefined): string {
  const place =
    where === undefined
      ? "it was not archived"
      : `message ${where.message} of step ${where.step} in the archive: ${where.command}`;
  return `[${describeAttachment(attachment)}, removed to save room; ${place}]`;
}
