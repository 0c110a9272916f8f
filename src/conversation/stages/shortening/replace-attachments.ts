// Puts placeholders where attachments stood, as few as the room asks for: by bytes of the request, or by tokens.
import { jsonBytes } from "../../../formats/attachments/json-bytes.ts";
import type { Format } from "../../../formats/format.ts";
import type { Copies } from "./copies.ts";
import type { ReplaceableAttachment } from "./find-attachments.ts";

/** So many of the newest give only when the limit itself would be missed. */
const NEWEST_KEPT = 3;

export interface Room {
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

export function bytesOf(copies: Copies, index: number, original: unknown, known: number): number {
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
