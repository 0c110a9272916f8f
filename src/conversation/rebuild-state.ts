// Makes a session's state anew from its archive, where it was lost or damaged: the facts of what left with each step, read
// again from the transcripts, and what the newest summary record says. What was only shortened is not read again.
import type { Archive, SummaryRecord } from "../archive/archive.ts";
import { extractFactsInTurns, mergeLedgers } from "../facts/extract-facts.ts";
import type { FactInput } from "../facts/fact-message.ts";
import { EMPTY_LEDGER, type Ledger } from "../facts/ledger.ts";
import type { Format } from "../providers/format.ts";
import { mapInTurns } from "../tokens/stepwise.ts";
import type { ConversationParts } from "./conversation-parts.ts";
import { withoutBinary } from "./passages.ts";
import { FRESH_STATE, isStateDamaged, type SessionState } from "./session-state.ts";

interface RebuiltState {
  readonly state: SessionState;
  /** False where a step has left, or some of what it needs cannot be read: facts may be missing. */
  readonly isWhole: boolean;
}

/** Throws `ArchiveFailed`. */
export async function rebuildState(
  archive: Archive,
  sessionId: string,
  formats: readonly Format[],
  policy: { readonly stateTools?: readonly string[] } = {},
): Promise<RebuiltState> {
  const steps = await archive.steps(sessionId);
  const together = {};
  let state: SessionState = FRESH_STATE;
  let before: SummaryRecord | undefined;
  let isWhole = steps.length > 0 && steps.every(({ step }, index) => step === index + 1);
  for (const { step, summary } of steps) {
    // One without a record never finished.
    if (summary === undefined) continue;
    const record = await archive.readSummary(sessionId, step, { together }).catch(() => undefined);
    const messages = await archive.readTranscript(sessionId, step, { together }).catch(() => undefined);
    const format = formats.find(({ name }) => name === record?.format);
    if (record === undefined || messages === undefined || format === undefined) {
      isWhole = false;
      continue;
    }
    if (messages.includes(null)) isWhole = false;
    const left = await factsThatLeft({ step, record, messages, format, before }, policy);
    state = {
      version: 1,
      step,
      summary_version: record.version ?? state.summary_version,
      summary_hash: record.summary_hash ?? state.summary_hash,
      ledger: left.isContinued ? mergeLedgers(state.ledger, left.ledger) : left.ledger,
    };
    before = record;
  }
  return { state, isWhole };
}

interface FinishedStep {
  readonly step: number;
  readonly record: SummaryRecord;
  readonly messages: readonly unknown[];
  readonly format: Format;
  readonly before: SummaryRecord | undefined;
}

/** A list without the summary before it is whole by itself: then nothing is carried into it. */
async function factsThatLeft(
  { step, record, messages, format, before }: FinishedStep,
  policy: { readonly stateTools?: readonly string[] },
): Promise<{ readonly ledger: Ledger; readonly isContinued: boolean }> {
  let isContinued = false;
  const pruned = new Set(record.pruned);
  const inputs = await mapInTurns(messages, (message, index): readonly FactInput[] => {
    if (message === null) return [];
    const isSummary = before !== undefined && before.text !== "" && format.summaryText(message) === before.text;
    isContinued ||= isSummary;
    if (isSummary || !pruned.has(index + 1) || format.isFiller(message)) return [];
    return [{ view: withoutBinary(format.view(message)), source: { step, message: index + 1 } }];
  });
  // They were redacted when they were archived.
  const found = inputs.flat();
  const ledger = found.length === 0 ? EMPTY_LEDGER : await extractFactsInTurns(found, (text) => text, policy);
  return { ledger, isContinued };
}

/** Undefined where it is not the state that is damaged, or facts would be lost. */
export async function rebuildDamaged(
  error: unknown,
  sessionId: string,
  { archive, formats, policy }: ConversationParts,
  trace: ConversationParts["trace"],
): Promise<SessionState | undefined> {
  if (archive === undefined || !isStateDamaged(error)) return undefined;
  const rebuilt = await rebuildState(archive, sessionId, formats, policy).catch(() => undefined);
  if (rebuilt?.isWhole !== true) return undefined;
  const message = "The session's state was damaged; it was made anew from the archived steps, and nothing is lost.";
  trace.emit({ event: "compact.warning", session_id: sessionId, severity: "low", code: "state_rebuilt", message });
  return rebuilt.state;
}
