// Gives a call whose id clashes with that of an earlier call an id of its own. Providers differ in when equal
// ids clash, so each healer says it.
import type { PairedCall, Pairing } from "../pairing.ts";

/** The new id of each call that clashes. `clashes` is asked with the last call before it that kept the same id. */
export function renameClashes(
  pairing: Pairing,
  clashes: (call: PairedCall, earlier: PairedCall) => boolean,
): ReadonlyMap<PairedCall, string> {
  const renamed = new Map<PairedCall, string>();
  const holders = new Map<string, PairedCall>();
  const numbers = new Map<string, number>();
  const taken = new Set(pairing.calls.map((call) => call.callId));
  for (const call of pairing.calls) {
    const earlier = holders.get(call.callId);
    if (earlier === undefined) {
      holders.set(call.callId, call);
    } else if (clashes(call, earlier)) {
      let number = numbers.get(call.callId) ?? 2;
      while (taken.has(`${call.callId}_${number}`)) number += 1;
      numbers.set(call.callId, number + 1);
      renamed.set(call, `${call.callId}_${number}`);
    } else {
      holders.set(call.callId, call);
    }
  }
  return renamed;
}

export const RENAMED = "gave the second call under this id an id of its own";
