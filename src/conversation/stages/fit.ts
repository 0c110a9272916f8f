// Chooses how much of the recent layer stays: from the policy's counts down, turns first, alternating, to the
// floor of one and one, until what stays leaves room for the summary. Pure; each candidate costs one pass.
import type { ConversationPolicy } from "../policy.ts";
import type { StandingUnit } from "./partition.ts";

export interface FitInput {
  readonly units: readonly StandingUnit[];
  readonly policy: Pick<ConversationPolicy, "keepRecentTurns" | "keepToolIoPairs">;
  /** Tokens of what is sent besides messages: system prompt, tool schemas. */
  readonly fixedTokens: number;
  /** Tokens to come down to, summary included. */
  readonly target: number;
  readonly summaryTokens: number;
}

export interface Fit {
  readonly keepTurns: number;
  readonly keepPairs: number;
  /** Per unit: does it stay? */
  readonly stays: readonly boolean[];
  /** Fixed, pinned and recent tokens, without the summary. */
  readonly tokens: number;
  readonly reachedTarget: boolean;
}

export function fit(input: FitInput): Fit {
  for (const [turns, pairs] of reductions(input.policy)) {
    const chosen = choose(input, turns, pairs);
    if (chosen.reachedTarget) return chosen;
  }
  return floorFit(input);
}

/** The least that can stay. */
export function floorFit(input: FitInput): Fit {
  return choose(input, Math.min(1, input.policy.keepRecentTurns), Math.min(1, input.policy.keepToolIoPairs));
}

/** (6,4) (5,4) (5,3) (4,3) ... (1,1): turns first, then pairs, by one (conversation spec, incremental reduction). */
function* reductions(policy: FitInput["policy"]): Generator<readonly [number, number]> {
  let turns = policy.keepRecentTurns;
  let pairs = policy.keepToolIoPairs;
  yield [turns, pairs];
  while (turns > 1 || pairs > 1) {
    if (turns > 1) yield [--turns, pairs];
    if (pairs > 1) yield [turns, --pairs];
  }
}

function choose(input: FitInput, keepTurns: number, keepPairs: number): Fit {
  const { units } = input;
  const firstTurn = firstKeptTurn(units, keepTurns);
  const firstPair = firstKeptPair(units, keepPairs);
  const stays = units.map((unit, position) => {
    if (unit.standing !== "free") return unit.standing !== "replaced";
    return unit.kind === "pair" ? position >= firstPair : unit.turn >= firstTurn;
  });
  const tokens = units.reduce((sum, unit, position) => sum + (stays[position] ? unit.tokens : 0), input.fixedTokens);
  return { keepTurns, keepPairs, stays, tokens, reachedTarget: tokens + input.summaryTokens <= input.target };
}

function firstKeptTurn(units: readonly StandingUnit[], keep: number): number {
  if (keep === 0) return Number.POSITIVE_INFINITY;
  const turns = new Set<number>();
  for (const unit of units) if (unit.kind === "message" && isRecentMaterial(unit)) turns.add(unit.turn);
  return [...turns].sort((a, b) => a - b).at(-keep) ?? Number.NEGATIVE_INFINITY;
}

function firstKeptPair(units: readonly StandingUnit[], keep: number): number {
  if (keep === 0) return units.length;
  let left = keep;
  for (let position = units.length - 1; position >= 0; position--) {
    const unit = units[position];
    if (unit?.kind === "pair" && isRecentMaterial(unit) && --left === 0) return position;
  }
  return 0;
}

function isRecentMaterial(unit: StandingUnit): boolean {
  return unit.standing === "free" || unit.standing === "locked";
}
