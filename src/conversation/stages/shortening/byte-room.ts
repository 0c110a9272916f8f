// The byte ceiling of a request: how much of what stays has to go for it, as attachments, or, where these are not
// what makes it big, as tokens.
import type { Fit } from "../fit.ts";
import type { LayersInput } from "../layers.ts";
import { bytesOverCeiling } from "../request-bytes.ts";
import type { Copies } from "./copies.ts";
import { findAttachments, type ReplaceableAttachment } from "./find-attachments.ts";
import { bytesOf, chooseAttachments } from "./replace-attachments.ts";

/** Share of the ceiling to land at, so that the next image does not bring the list over it again. */
const GOAL_SHARE = 0.75;
/** A summary's token in JSON: a CJK character, or a word with its escapes. */
const BYTES_PER_SUMMARY_TOKEN = 6;

/** Token figures that keep the request within its bytes; infinite when attachments alone do that. */
export interface Ceiling {
  readonly goalTokens: number;
  readonly mostTokens: number;
}

export const NO_CEILING: Ceiling = {
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
