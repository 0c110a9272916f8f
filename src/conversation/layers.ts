// What choosing the layers works from and what it gives.
import { extractFactsInTurns, mergeLedgers, overtake } from "../facts/extract-facts.ts";
import type { FactInput } from "../facts/fact-message.ts";
import { EMPTY_LEDGER, type Ledger } from "../facts/ledger.ts";
import { withUserWords } from "../facts/user-words.ts";
import { withNeeded } from "../providers/bonds.ts";
import { mapInTurns } from "../tokens/stepwise.ts";
import type { ConversationInput, ConversationParts } from "./conversation-parts.ts";
import type { MeasuredConversation } from "./measure-conversation.ts";
import { readPassages, withNamedImages, withoutBinary } from "./passages.ts";
import type { ConversationPolicy, TriggerDecision, TriggerReason } from "./policy.ts";
import type { ReadConversation, StandingUnit } from "./read-conversation.ts";
import type { SessionState } from "./session-state.ts";
import type { SummaryMaterial, TimedSummary } from "./summary-room.ts";
import type { SizedUp } from "./usage.ts";

/** What leaves, and what of it is carried. */
interface Removal extends SummaryMaterial {
  /** Indices into the read messages. */
  readonly removed: readonly number[];
  /** Carried ledger plus the facts of what leaves: what the session remembers. */
  readonly ledger: Ledger;
}

export interface Layers extends Removal {
  readonly target: number;
  /** Cap of the summary message, frame included. */
  readonly summaryTokens: number;
  readonly fit: Fit;
  /** Tokens of the result, as far as they are known before the summary is written; 0 when only that can tell. */
  readonly expectedTokens: number;
  /** Indices into the read messages. */
  readonly pinned: readonly number[];
  readonly recent: readonly number[];
  /** Copies of messages of which something was left out (of a tool's result, of what a user said, an image), by original. */
  readonly shortened: ReadonlyMap<unknown, unknown>;
  /** A summary that was already written to learn its size, and still holds. */
  readonly draft: TimedSummary | undefined;
}

export interface LayersInput {
  readonly input: ConversationInput;
  readonly read: ReadConversation;
  readonly state: SessionState;
  readonly step: number;
  readonly parts: ConversationParts;
  /** Why compaction is due. */
  readonly reason?: TriggerReason;
  /** Redacts a text; remembers it, since facts and passages ask for the same ones. */
  readonly redact: (text: string) => string;
}

// A compaction that is planned but not carried out: the readings and choices that plan and apply share.

export interface PreparedCompaction {
  readonly input: ConversationInput;
  readonly state: SessionState;
  readonly measured: MeasuredConversation;
  /** The parts with a counter corrected for the model's family. */
  readonly parts: ConversationParts;
  /** What the next look at this session starts from. */
  readonly sizes: SizedUp["next"];
  readonly decision: TriggerDecision;
  /** Undefined when the trigger said no. */
  readonly due: DueCompaction | undefined;
  /** Messages behind those that `due` speaks of; they stay as they are. */
  readonly appended: readonly unknown[];
}

/** What only a compaction that is due needs to know. */
export interface DueCompaction {
  readonly input: ConversationInput;
  readonly state: SessionState;
  readonly step: number;
  readonly read: ReadConversation;
  readonly layers: Layers;
  /** The session's model kept failing and is not asked now. */
  readonly isModelPaused: boolean;
}

// Chooses how much of the recent layer stays: from the policy's counts down, turns first, alternating, to the
// floor of one and one, until what stays leaves room for the summary. Pure; each candidate costs one pass.

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
  const chosen = units.map((unit, position) => {
    if (unit.standing !== "free") return unit.standing !== "replaced";
    return unit.kind === "pair" ? position >= firstPair : unit.turn >= firstTurn;
  });
  const stays = withNeeded(chosen, (position) => units[position]?.needs ?? []);
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

// What a choice of layers takes out of the list: which messages, the facts they held, and the passages a
// summarizer may quote. What stays is read too, but only to know which of these facts it has overtaken.

/** `shortened`: messages that stay, but not whole; what they name is carried like what leaves. */
export async function describeRemoval(
  choice: LayersInput,
  chosen: Fit,
  shortened: ReadonlySet<unknown> = new Set(),
): Promise<Removal> {
  const { read, redact } = choice;
  const carried = read.carried.ledger;
  const { removed, pinned, recent } = layersOf(read, chosen);
  const leaving = await factInputs(choice, removed);
  const cut = await factInputs(
    choice,
    recent.filter((index) => shortened.has(read.messages[index])),
  );
  const found = [...leaving, ...cut];
  const { policy, redactsPassages } = choice.parts;
  const added = found.length === 0 ? undefined : await extractFactsInTurns(found, redact, policy);
  const ledger = added === undefined ? carried : mergeLedgers(carried, added);
  // Without a summary nobody asks what it might say: what stays need not be read.
  if (removed.length === 0) return { removed, ledger, shown: ledger, staying: EMPTY_LEDGER, passages: [] };
  const staying = await extractFactsInTurns(await factInputs(choice, [...pinned, ...recent]), redact, policy);
  const asRead = redactsPassages ? redact : (text: string) => text;
  const shown = overtake(ledger, staying);
  const named = ({ view, source }: FactInput) => ({ view: withNamedImages(view, source.message, asRead), source });
  // Facts are read from the messages as they are, and find whose words they hold by themselves.
  const quotable = withUserWords(leaving);
  const passages = (await mapInTurns(quotable, (input) => readPassages([named(input)], asRead))).flat();
  return { removed, ledger, shown, staying, passages };
}

async function factInputs({ read, step }: LayersInput, indices: readonly number[]): Promise<readonly FactInput[]> {
  const inputs = await mapInTurns(indices, (index) => {
    const view = read.views[index];
    if (view === undefined || read.replaced.has(index)) return [];
    return [{ view: withoutBinary(view), source: { step, message: read.numbers[index] ?? 1 } }];
  });
  return inputs.flat();
}

export function layersOf({ units }: ReadConversation, { stays }: Fit) {
  const pinned: number[] = [];
  const recent: number[] = [];
  const removed: number[] = [];
  for (const [position, unit] of units.entries()) {
    const layer = unit.standing === "pinned" ? pinned : stays[position] ? recent : removed;
    for (const index of unit.messages) layer.push(index);
  }
  const ascending = (indices: number[]) => indices.sort((a, b) => a - b);
  return { pinned: ascending(pinned), recent: ascending(recent), removed: ascending(removed) };
}
