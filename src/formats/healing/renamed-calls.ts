// Gives the second of two calls under one id an id of its own, where a provider wants them unique.
import type { PairedCall, Pairing } from "../pairing.ts";

/** The new id of each call that clashes with an earlier one. `scope` names the set ids must be unique in. */
export function renameClashes(pairing: Pairing, scope: (call: PairedCall) => unknown): Map<PairedCall, string> {
  const renamed = new Map<PairedCall, string>();
  const used = new Map<unknown, Set<string>>();
  const counters = new Map<string, number>();
  const all = new Set(pairing.calls.map((call) => call.callId));
  for (const call of pairing.calls) {
    const key = scope(call);
    const ids = used.get(key) ?? new Set<string>();
    used.set(key, ids);
    if (!ids.has(call.callId)) {
      ids.add(call.callId);
      continue;
    }
    let number = counters.get(call.callId) ?? 2;
    while (all.has(`${call.callId}_${number}`)) number += 1;
    counters.set(call.callId, number + 1);
    renamed.set(call, `${call.callId}_${number}`);
  }
  return renamed;
}
