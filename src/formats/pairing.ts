// Decides which result answers which call, for grouping and for healing alike. Ids may repeat within a
// conversation: a result belongs to the nearest earlier call of its id that is still open, else to the nearest.
import type { MessageView } from "./format.ts";

/** A call and the results found for it. `ordinal` counts the calls (or results) within their message. */
export interface PairedCall {
  readonly callId: string;
  readonly index: number;
  readonly ordinal: number;
  /** In order of appearance; more than one means duplicates. */
  readonly results: readonly ResultPlace[];
}

export interface ResultPlace {
  readonly index: number;
  readonly ordinal: number;
  readonly text: string;
}

export interface Pairing {
  readonly calls: readonly PairedCall[];
  /** The call of each result, by message index then ordinal; undefined for an orphan. */
  callOf(index: number, ordinal: number): PairedCall | undefined;
}

interface OpenCall extends PairedCall {
  readonly results: ResultPlace[];
}

/** Pairs all calls and results of a list in one pass. */
export function pairCalls(views: readonly MessageView[]): Pairing {
  const calls: OpenCall[] = [];
  const open = new Map<string, OpenCall[]>();
  const nearest = new Map<string, OpenCall>();
  const found = new Map<number, (OpenCall | undefined)[]>();
  for (const [index, view] of views.entries()) {
    let ordinal = 0;
    const answered: (OpenCall | undefined)[] = [];
    for (const part of view.parts) {
      if (part.kind === "call") {
        const call: OpenCall = { callId: part.callId, index, ordinal, results: [] };
        ordinal += 1;
        calls.push(call);
        nearest.set(part.callId, call);
        const waiting = open.get(part.callId);
        if (waiting === undefined) open.set(part.callId, [call]);
        else waiting.push(call);
      } else if (part.kind === "result") {
        const call = open.get(part.callId)?.pop() ?? nearest.get(part.callId);
        call?.results.push({ index, ordinal: answered.length, text: part.text });
        answered.push(call);
      }
    }
    if (answered.length > 0) found.set(index, answered);
  }
  return { calls, callOf: (index, ordinal) => found.get(index)?.[ordinal] };
}
