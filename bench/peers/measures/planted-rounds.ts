// Which of the facts that are hidden in a generated session stand in the list after five rounds.
import { textOf } from "../../facts/oracle.ts";
import { findInLines } from "../../facts/planted/look-for.ts";
import { type FactSet, plantSession, roundsOf } from "../../facts/planted/planted-session.ts";
import { generousModel } from "../model/generous-model.ts";
import type { ChatMessage, Peer } from "../peer.ts";
import { countAll, createMessageCount } from "../sessions/chat-session.ts";
import { windowFor } from "./compacted.ts";

export interface PlantedTask {
  readonly turns: number;
  readonly set: FactSet;
}

export const PLANTED: readonly PlantedTask[] = [
  { turns: 100, set: "English" },
  { turns: 200, set: "mixed" },
  { turns: 80, set: "second, five languages" },
];

export interface Planted {
  readonly of: number;
  readonly held: number;
  readonly lost: readonly string[];
  /** An outdated value stands there unmarked. */
  readonly stale: number;
  readonly tokens: number;
  /** Of the last round. */
  readonly budget: number;
}

const SEED = 20_310_417;
const SYSTEM: ChatMessage = {
  role: "system",
  content: "You are an agent that works with tools until the task is done.",
};

export async function measurePlantedRounds(
  peer: Peer,
  { turns, set }: PlantedTask,
  share: number,
  beat: () => void,
): Promise<Planted> {
  const planted = plantSession(turns, set, SEED + turns);
  const count = createMessageCount();
  const opened = peer.open();
  const everything: ChatMessage[] = [SYSTEM];
  let left: readonly ChatMessage[] = [SYSTEM];
  let budget = 0;
  for (const added of roundsOf(planted) as readonly (readonly ChatMessage[])[]) {
    everything.push(...added);
    const said = countAll(everything, count);
    budget = Math.floor(said * share);
    const messages = structuredClone(peer.habit === "each call" ? everything : [...left, ...added]);
    beat();
    left = await opened.compact({ messages, budget, window: windowFor(said), model: generousModel, count });
  }
  const lines = textOf(left).split("\n");
  const found = planted.facts.map((fact) => ({ fact, ...findInLines(fact, lines) }));
  const lost = found.filter(({ isThere }) => !isThere).map(({ fact }) => fact.say);
  return {
    of: found.length,
    held: found.length - lost.length,
    lost,
    stale: found.filter(({ isStale }) => isStale).length,
    tokens: countAll(left, count),
    budget,
  };
}
