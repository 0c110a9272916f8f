// Everything that is measured, in order, with progress on the way.
import { RUNS } from "../measures/compacted.ts";
import type { PlantedTask } from "../measures/planted-rounds.ts";
import { COLUMNS } from "../measures/retained.ts";
import { FAULTS, type Fault } from "../model/failing-models.ts";
import { type ChatSession, cardOf, type SessionCard } from "../sessions/chat-session.ts";
import { type Answer, isBroken, NOT_MEASURED, type PeerCard } from "./jobs.ts";
import type { Lanes, Task } from "./lanes.ts";

export interface SessionCell {
  readonly session: SessionCard;
  readonly share: number;
  readonly peer: PeerCard;
  readonly compacted: Answer<"compact">;
  readonly replay: Answer<"replay">;
}

export interface PlantedCell {
  readonly task: PlantedTask;
  readonly share: number;
  readonly peer: PeerCard;
  readonly planted: Answer<"planted">;
}

export interface FailureCell {
  readonly session: SessionCard;
  readonly share: number;
  readonly peer: PeerCard;
  readonly fault: Fault;
  readonly failed: Answer<"failure">;
}

/** Plain values: can be written as JSON and read back. */
export interface Measured {
  readonly sessions: readonly SessionCell[];
  readonly planted: readonly PlantedCell[];
  readonly failures: readonly FailureCell[];
}

export interface Plan {
  readonly sessions: readonly ChatSession[];
  readonly peers: readonly PeerCard[];
  readonly shares: readonly number[];
  readonly planted: readonly PlantedTask[];
  /** No replays, and one run each: a tenth of the time. */
  readonly isKeptOnly: boolean;
}

export type Tell = (line: string) => void;

/** Of the budgets the middle one: where models fail. */
export const FAILING_SHARE = 0.1;
/** The same, where sessions are replayed: replays take most of the time. */
export const REPLAY_SHARE = 0.1;
/** The same sessions again, cut or in another provider's form, and files that join hundreds of short ones. */
const NOT_REPLAYED = /^(?:OpenAI (?:chat|Responses)|tau-bench|aider|Questions) /;

export async function walk(plan: Plan, lanes: Lanes, tell: Tell): Promise<Measured> {
  const { peers, shares } = plan;
  const each = <Item, Result>(
    items: readonly Item[],
    make: (item: Item, share: number, peer: PeerCard) => Task<Result>,
  ) => items.flatMap((item) => shares.flatMap((share) => peers.map((peer) => make(item, share, peer))));
  tell(`facts planted in ${plan.planted.length} generated sessions`);
  const planted = await lanes.all(each(plan.planted, plantedTask));
  const sessionWalk = { isKeptOnly: plan.isKeptOnly, tell };
  const sessions = await lanes.all(
    each(plan.sessions, (session, share, peer) => sessionTask(session, share, peer, sessionWalk)),
  );
  tell("models that fail");
  return { planted, sessions, failures: await lanes.all(failureTasks(plan, sessions)) };
}

function plantedTask(task: PlantedTask, share: number, peer: PeerCard): Task<PlantedCell> {
  return async (crew) => {
    const planted = await crew.run({ kind: "planted", peer: peer.name, share, task });
    return { task, share, peer, planted };
  };
}

interface SessionWalk {
  readonly isKeptOnly: boolean;
  readonly tell: Tell;
}

function sessionTask(
  session: ChatSession,
  share: number,
  peer: PeerCard,
  { isKeptOnly, tell }: SessionWalk,
): Task<SessionCell> {
  return async (crew) => {
    const start = Date.now();
    const compacted = await crew.run({ kind: "compact", peer: peer.name, share, session, runs: isKeptOnly ? 1 : RUNS });
    const isReplayed = !isKeptOnly && share === REPLAY_SHARE && !NOT_REPLAYED.test(session.name);
    const replay = isReplayed ? await crew.run({ kind: "replay", peer: peer.name, share, session }) : NOT_MEASURED;
    const seconds = Math.round((Date.now() - start) / 1000);
    tell(`${session.name} (${session.tokens} tokens), ${share * 100} %, ${peer.name}: ${seconds} s`);
    return { session: cardOf(session), share, peer, compacted, replay };
  };
}

function failureTasks({ peers, sessions }: Plan, cells: readonly SessionCell[]): readonly Task<FailureCell>[] {
  const session = failingSession(sessions);
  if (session === undefined) return [];
  const share = FAILING_SHARE;
  return peers
    .filter(({ usesModel }) => usesModel)
    .flatMap((peer) => {
      const isSame = (cell: SessionCell) =>
        cell.session.name === session.name && cell.share === share && cell.peer === peer;
      const good = cells.find(isSame)?.compacted;
      const keptWithGoodModel = good === undefined || isBroken(good) ? 0 : good.retained.namedTwice.held;
      return FAULTS.map(
        (fault): Task<FailureCell> =>
          async (crew) => {
            const job = { kind: "failure", peer: peer.name, share, session, fault, keptWithGoodModel } as const;
            return { session: cardOf(session), share, peer, fault, failed: await crew.run(job) };
          },
      );
    });
}

/** The middle one of those that hold something in each column. */
export function failingSession(sessions: readonly ChatSession[]): ChatSession | undefined {
  const full = sessions.filter(
    (session) => session.probes === undefined && COLUMNS.every((column) => session[column].length > 0),
  );
  const bySize = (full.length === 0 ? sessions : full).toSorted((one, other) => one.tokens - other.tokens);
  return bySize[Math.floor((bySize.length - 1) / 2)];
}
