// Reads what a measured list is made of, once compaction is due: units with their standing, and which messages
// are our own previous summary. Everything later works on this reading; the native messages stay as they are.
import type { Format } from "../../formats/format.ts";
import { groupUnits } from "../../formats/units.ts";
import type { ConversationInput, ConversationParts } from "../conversation-parts.ts";
import { sha256 } from "../fingerprint.ts";
import { FRESH_STATE, type SessionState } from "../session-state.ts";
import { SUMMARY_PREFIX, unframe } from "../summary/summary-frame.ts";
import type { MeasuredConversation } from "./measure-conversation.ts";
import { partition, type StandingUnit } from "./partition.ts";

export interface ReadConversation extends MeasuredConversation {
  /** Per message: 1-based number in the caller's list, which is the number in the step's transcript. */
  readonly numbers: readonly number[];
  readonly units: readonly StandingUnit[];
  /** Indices of our previous summary and its filler. */
  readonly replaced: ReadonlySet<number>;
  /** Its text, without the frame. */
  readonly previousSummary: string | undefined;
  /** What the session carries into this list. Empty unless our previous summary stands in it: a list without it is whole by itself. */
  readonly carried: SessionState;
}

export async function readConversation(
  input: ConversationInput,
  measured: MeasuredConversation,
  state: SessionState,
  { policy, protect }: ConversationParts,
): Promise<ReadConversation> {
  const { format, messages, views, tokens } = measured;
  const replaced = await findPreviousSummary(messages, format, state);
  const units = partition({
    units: groupUnits(views, (index) => replaced.has(index)),
    views,
    tokens,
    rolesNeverPrune: policy.rolesNeverPrune,
    isProtected: (index) => views[index]?.isProtected === true || protect?.(messages[index]) === true,
    isReplaced: (index) => replaced.has(index),
  });
  const texts = [...replaced].map((index) => format.summaryText(messages[index]));
  const previous = texts.findLast((text) => text?.startsWith(SUMMARY_PREFIX));
  const previousSummary = previous === undefined ? undefined : unframe(previous);
  const carried = previousSummary === undefined ? { ...FRESH_STATE, step: state.step } : state;
  return { ...measured, numbers: numberMessages(input.messages, messages), units, replaced, previousSummary, carried };
}

/** Our fillers, and our summary: recognised by the hash of its whole text, never by the marker, which anyone can write. */
async function findPreviousSummary(
  messages: readonly unknown[],
  format: Format,
  state: SessionState,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const [index, message] of messages.entries()) if (format.isFiller(message)) found.add(index);
  if (state.summary_hash === null) return found;
  for (const [index, message] of messages.entries()) {
    const text = format.summaryText(message);
    if (text === undefined || !text.startsWith(SUMMARY_PREFIX) || (await sha256(text)) !== state.summary_hash) continue;
    // The first only: a copy further down was pasted by someone, and is theirs.
    return found.add(index);
  }
  return found;
}

/** A repaired or inserted message takes the number of the message before it. */
function numberMessages(original: readonly unknown[], healed: readonly unknown[]): readonly number[] {
  if (original === healed) return healed.map((_, index) => index + 1);
  const position = new Map(original.map((message, index) => [message, index + 1]));
  let last = 1;
  return healed.map((message) => {
    last = position.get(message) ?? last;
    return last;
  });
}
