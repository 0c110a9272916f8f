// When only the bytes are too many: attachments give way and every message stays in its place. No summary is made,
// and the list is rewritten once.

import { layersOf } from "../describe-removal.ts";
import type { Layers, LayersInput } from "../layers.ts";
import { bytesOverCeiling } from "../request-bytes.ts";
import { chooseForBytes } from "./byte-room.ts";
import { Copies } from "./copies.ts";
import { replaceAttachments } from "./replace-attachments.ts";

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
    passages: [],
    draft: undefined,
  };
}
