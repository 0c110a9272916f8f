// Shortens in place what stays, when even the floor is too big, or says exactly what cannot shrink: first the texts
// of tool results, then attachments, then, where the policy allows it, what users said. Then the bytes are looked at.

import { layersOf } from "../describe-removal.ts";
import type { Fit } from "../fit.ts";
import type { LayersInput } from "../layers.ts";
import type { Ceiling } from "./byte-room.ts";
import { chooseForBytes } from "./byte-room.ts";
import { Copies } from "./copies.ts";
import { findAttachments } from "./find-attachments.ts";
import { insufficientBudget } from "./insufficient-budget.ts";
import { resultMarker, userMarker, whereaboutsOf } from "./markers.ts";
import { chooseAttachments, replaceAttachments, tokensWonBy } from "./replace-attachments.ts";
import { shortenTexts } from "./shorten.ts";

export interface Shortened {
  /** Copies by original. */
  readonly shortened: ReadonlyMap<unknown, unknown>;
  /** Those of them whose text was cut. */
  readonly cut: ReadonlySet<unknown>;
  readonly tokensWon: number;
}

/** What the recent layer must come down to. */
export interface Aim extends Ceiling {
  readonly summaryTokens: number;
  readonly target: number;
}

/** For the budget, or for a size the caller asked for by name. Throws `InsufficientBudget`. */
export function shortenAtFloor(choice: LayersInput, chosen: Fit, aim: Aim): Shortened {
  const { input, read, parts } = choice;
  const { summaryTokens, target } = aim;
  const copies = new Copies(choice);
  const limit = input.targetTokens === undefined ? Math.min(parts.budget, aim.mostTokens) : target;
  const over = (size: number) => chosen.tokens + summaryTokens - copies.tokensWon - size;
  const cut = new Set<unknown>();
  const { recent } = layersOf(read, chosen);
  const shorten = (isResult: boolean) => {
    const messages = recent.map((index) => shortenable(choice, copies, cut, index, isResult));
    // Down to the target: whatever comes next would be too much for a list that only just fits.
    shortenTexts(messages, over(Math.min(target, limit)), (text) => parts.counter.countText(text));
  };
  if (over(limit) > 0 && parts.policy.shortenToolResults) shorten(true);
  if (over(limit) > 0 && parts.policy.shortenToolResults) {
    const room = { overGoal: over(limit), overLimit: over(limit) };
    const weigh = tokensWonBy(read.format, copies);
    replaceAttachments(read.format, chooseAttachments(findAttachments(choice, chosen), room, weigh), copies);
  }
  if (over(limit) > 0 && parts.policy.shortenUserMessages) shorten(false);
  if (over(parts.budget) > 0) throw insufficientBudget(choice, chosen, copies, summaryTokens);
  replaceAttachments(read.format, chooseForBytes(choice, chosen, copies, summaryTokens), copies);
  return { shortened: copies.byOriginal(), cut, tokensWon: copies.tokensWon };
}

function shortenable(choice: LayersInput, copies: Copies, cut: Set<unknown>, index: number, isResult: boolean) {
  const { read } = choice;
  const { format } = read;
  const where = whereaboutsOf(choice, index);
  const isUsers = read.views[index]?.role === "user";
  return {
    map: (shorten: (text: string) => string) => {
      const message = copies.current(index);
      if (isResult) return format.mapResults(message, shorten);
      return isUsers ? format.mapTexts(message, shorten) : message;
    },
    marker: (omitted: number) => (isResult ? resultMarker(omitted, where) : userMarker(omitted, where)),
    replace: (copy: unknown) => {
      if (copy !== copies.current(index)) cut.add(read.messages[index]);
      copies.replace(index, copy);
    },
  };
}
