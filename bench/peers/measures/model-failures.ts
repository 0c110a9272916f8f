// What comes out of a library when its model fails.
import { textOf } from "../../facts/oracle.ts";
import { type Fault, failingModel, INVENTED, OVERLOADED, PADDING, REFUSAL } from "../model/failing-models.ts";
import type { ChatMessage, Peer } from "../peer.ts";
import { type ChatSession, countAll } from "../sessions/chat-session.ts";
import { compactOnce } from "./compacted.ts";
import { areEqual } from "./interned.ts";
import { type Retained, retainedOf } from "./retained.ts";

export type Outcome = "threw" | "list unchanged" | "bad text stored" | "history lost" | "kept";

export interface Failed {
  readonly outcomes: readonly Outcome[];
  readonly error?: string;
  readonly tokens: number;
  readonly retained?: Retained;
  /** Names that nobody said and that stand in the result. */
  readonly invented: number;
}

/** Fewer of the recurring identifiers left, of those that the same library keeps with a model that works. */
const LOST_SHARE = 0.5;
const MOST_WORDS = 160;

export async function measureFailure(
  peer: Peer,
  session: ChatSession,
  share: number,
  fault: Fault,
  keptWithGoodModel: number,
): Promise<Failed> {
  const budget = Math.floor(session.tokens * share);
  try {
    const { left } = await compactOnce(peer, session, budget, failingModel(fault));
    return judge(session, left, keptWithGoodModel);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { outcomes: ["threw"], error: words.slice(0, MOST_WORDS), tokens: session.tokens, invented: 0 };
  }
}

function judge(session: ChatSession, left: readonly ChatMessage[], keptWithGoodModel: number): Failed {
  const text = textOf(left);
  const retained = retainedOf(session, left);
  const invented = INVENTED.filter((name) => text.includes(name)).length;
  const isStored = invented > 0 || [REFUSAL, PADDING, OVERLOADED].some((words) => text.includes(words));
  const isLost = retained.namedTwice.held < keptWithGoodModel * LOST_SHARE;
  const outcomes: Outcome[] = [
    ...(areEqual(left, session.messages) ? (["list unchanged"] as const) : []),
    ...(isStored ? (["bad text stored"] as const) : []),
    ...(isLost ? (["history lost"] as const) : []),
  ];
  return { outcomes: outcomes.length === 0 ? ["kept"] : outcomes, tokens: countAll(left), retained, invented };
}
