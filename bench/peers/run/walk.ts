// Everything that is measured, in order, with progress on the way.
import { COLUMNS } from "../measures/retained.ts";
import { PLANTED, type PlantedTask } from "../measures/planted-rounds.ts";
import { FAULTS, type Fault } from "../model/failing-models.ts";
import type { ChatSession } from "../sessions/chat-session.ts";
import { type Answer, isBroken, type PeerCard } from "./jobs.ts";
import type { Crew } from "./worker-crew.ts";

export interface SessionCell {
  readonly session: ChatSession;
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
  readonly session: ChatSession;
  readonly share: number;
  readonly peer: PeerCard;
  readonly fault: Fault;
  readonly failed: Answer<"failure">;
}

export interface Measured {
  readonly sessions: readonly SessionCell[];
  readonly planted: readonly PlantedCell[];
  readonly failures: readonly FailureCell[];
}

export interface Plan {
  readonly sessions: readonly ChatSession[];
  readonly peers: readonly PeerCard[];
  readonly shares: readonly number[];
  /** In which models fail, and the share there. */
  readonly failing: { readonly session: ChatSession; readonly share: number } | undefined;
}

export async function walk(plan: Plan, crew: Crew, tell: (line: string) => void): Promise<Measured> {
  const { peers, shares } = plan;
  const planted: PlantedCell[] = [];
  for (const task of PLANTED) {
    tell(`planted: ${task.turns} turns, ${task.set}`);
    for (const share of shares)
      for (const peer of peers) {
        const answer = await crew.run({ kind: "planted", peer: peer.name, share, task });
        planted.push({ task, share, peer, planted: answer });
      }
  }
  const sessions: SessionCell[] = [];
  for (const session of plan.sessions) {
    tell(`${session.name}: ${session.tokens} tokens`);
    for (const share of shares)
      for (const peer of peers) sessions.push(await measureCell({ session, share, peer }, crew));
  }
  return { planted, sessions, failures: await measureFailures(plan, sessions, crew, tell) };
}

async function measureCell(
  cell: Pick<SessionCell, "session" | "share" | "peer">,
  crew: Crew,
): Promise<SessionCell> {
  const { session, share, peer } = cell;
  const compacted = await crew.run({ kind: "compact", peer: peer.name, share, session });
  const replay = await crew.run({ kind: "replay", peer: peer.name, share, session });
  return { ...cell, compacted, replay };
}

async function measureFailures(
  { peers, failing }: Plan,
  cells: readonly SessionCell[],
  crew: Crew,
  tell: (line: string) => void,
): Promise<readonly FailureCell[]> {
  if (failing === undefined) return [];
  const { session, share } = failing;
  const failures: FailureCell[] = [];
  for (const peer of peers.filter(({ usesModel }) => usesModel)) {
    tell(`a model that fails: ${peer.name}`);
    const good = cells.find((cell) => cell.session === session && cell.share === share && cell.peer === peer)?.compacted;
    const kept = good === undefined || isBroken(good) ? 0 : good.retained.namedTwice.held;
    for (const fault of FAULTS) {
      const failed = await crew.run({ kind: "failure", peer: peer.name, share, session, fault, keptWithGoodModel: kept });
      failures.push({ session, share, peer, fault, failed });
    }
  }
  return failures;
}

/** Sessions that hold something in each column say most. */
export function failingSession(sessions: readonly ChatSession[]): ChatSession | undefined {
  const full = sessions.filter((session) => COLUMNS.every((column) => session[column].length > 0));
  return full.toSorted((one, other) => one.tokens - other.tokens)[Math.floor((full.length - 1) / 2)] ?? sessions[0];
}
