// One library, one session, one budget: what comes out, and how long it takes.

import type { Held } from "../../facts/held.ts";
import { textOf } from "../../facts/oracle.ts";
import { median } from "../../page/markdown.ts";
import { answeredBy } from "../../probes/probes.ts";
import { generousModel } from "../model/generous-model.ts";
import { meter } from "../model/metered-model.ts";
import type { ChatMessage, Peer, PeerModel } from "../peer.ts";
import { type ChatSession, countAll, createMessageCount } from "../sessions/chat-session.ts";
import { processorTime } from "./processor-time.ts";
import { type Retained, retainedOf } from "./retained.ts";
import { type Faults, faultsOf } from "./validity.ts";

export interface Compacted {
  readonly budget: number;
  readonly tokens: number;
  readonly retained: Retained;
  /** Questions that the result answers, where the session has any. */
  readonly answered?: Held;
  readonly faults: Faults;
  /** Median of as many runs, processor time without the model's. */
  readonly milliseconds: number;
  readonly runs: number;
}

export const RUNS = 3;
/** Longer than that, one run tells enough. */
const LONG = 500;
const WINDOWS = [128_000, 200_000, 1_000_000, 2_000_000] as const;

/** `beat` is called before each call of the library. */
export async function measureCompacted(
  peer: Peer,
  session: ChatSession,
  share: number,
  beat: () => void,
  runs: number = RUNS,
): Promise<Compacted> {
  const { probes, leastTokens = 0 } = session;
  const budget = Math.floor(Math.max(session.tokens, leastTokens) * share);
  const times: number[] = [];
  let left: readonly ChatMessage[] = [];
  do {
    beat();
    const run = await compactOnce(peer, session, budget, generousModel);
    if (times.length === 0) left = run.left;
    times.push(run.milliseconds);
  } while (times.length < runs && (times[0] ?? 0) < LONG);
  return {
    budget,
    tokens: countAll(left),
    retained: retainedOf(session, left),
    ...(probes === undefined ? {} : { answered: answeredOf(textOf(left), probes) }),
    faults: faultsOf(left),
    milliseconds: median(times),
    runs: times.length,
  };
}

function answeredOf(text: string, probes: NonNullable<ChatSession["probes"]>): Held {
  const answered = answeredBy(text, probes);
  const lost = probes.filter((_, at) => answered[at] !== true).map(({ question }) => question);
  return { of: probes.length, held: probes.length - lost.length, lost };
}

export interface Run {
  readonly left: readonly ChatMessage[];
  readonly milliseconds: number;
}

/** A library is given its own copies: what it does to them is seen by nobody else. */
export async function compactOnce(peer: Peer, session: ChatSession, budget: number, asked: PeerModel): Promise<Run> {
  const messages = structuredClone(session.messages);
  const { model, time } = meter(asked);
  const count = createMessageCount();
  const opened = peer.open();
  const start = processorTime();
  const left = await opened.compact({ messages, budget, window: windowFor(session.tokens), model, count });
  const all = processorTime() - start;
  return { left, milliseconds: Math.max(0, (opened.libraryTime?.() ?? all) - time()) };
}

/** The smallest in which the whole session fits. */
export function windowFor(tokens: number): number {
  return WINDOWS.find((window) => window >= tokens) ?? tokens;
}
