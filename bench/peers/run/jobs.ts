// The measures as jobs: plain values that go to a worker, so that a library that never comes back can be ended.
import type { Compacted } from "../measures/compacted.ts";
import type { Failed } from "../measures/model-failures.ts";
import type { Planted, PlantedTask } from "../measures/planted-rounds.ts";
import type { ReplayCost } from "../measures/replay-cost.ts";
import type { Fault } from "../model/failing-models.ts";
import type { MissingPeer, Peer } from "../peer.ts";
import type { ChatSession } from "../sessions/chat-session.ts";

export const SHARES = [0.05, 0.1, 0.15] as const;

interface OfPeer {
  readonly peer: string;
  readonly share: number;
}

export type Job =
  | { readonly kind: "list" }
  | (OfPeer & { readonly kind: "compact"; readonly session: ChatSession; readonly runs: number })
  | (OfPeer & { readonly kind: "replay"; readonly session: ChatSession })
  | (OfPeer & { readonly kind: "planted"; readonly task: PlantedTask })
  | (OfPeer & {
      readonly kind: "failure";
      readonly session: ChatSession;
      readonly fault: Fault;
      readonly keptWithGoodModel: number;
    });

/** A library as the page names it. */
export type PeerCard = Pick<Peer, "name" | "version" | "settings" | "usesModel" | "habit">;

export interface Listed {
  readonly peers: readonly PeerCard[];
  readonly missing: readonly MissingPeer[];
}

export interface Answers {
  readonly list: Listed;
  readonly compact: Compacted;
  readonly replay: ReplayCost;
  readonly planted: Planted;
  readonly failure: Failed;
}

export const TIMED_OUT = { broken: "timed out" } as const;
/** Stands in the place of what was not asked for. */
export const NOT_MEASURED = { broken: "not measured" } as const;

/** A library that threw, or was ended. */
export interface Broken {
  readonly broken: string;
}

export type Answer<Kind extends Job["kind"]> = Answers[Kind] | Broken;

/** It failed: unlike what nobody asked for. */
export function hasFailed(answer: object): answer is Broken {
  return isBroken(answer) && answer.broken !== NOT_MEASURED.broken;
}

export function isBroken(answer: object): answer is Broken {
  return "broken" in answer;
}

/** What a worker says: that a call of a library begins, or what came out. */
export type Told = { readonly beat: true } | { readonly answer: object };
