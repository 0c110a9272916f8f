// What a session must remember between compactions: a small state that is stored beside the archive and holds
// no archived text, and what only this process knows (which list it answered with what).
import * as z from "zod/mini";
import type { Archive } from "../archive/archive.ts";
import { CompactError } from "../errors.ts";
import { EMPTY_LEDGER, type Ledger, ledgerSchema } from "../facts/ledger.ts";
import type { Redacted, Redactor } from "../redaction/redactor.ts";
import { mapInTurns } from "../tokens/stepwise.ts";

const count = z.int().check(z.nonnegative());

const stateSchema = z.object({
  version: z.literal(1),
  step: count,
  summary_version: count,
  summary_hash: z.nullable(z.string()),
  ledger: ledgerSchema,
  list_length: z.optional(count),
});

export interface SessionState {
  readonly version: 1;
  /** Number of the last completed compaction; 0 before the first. */
  readonly step: number;
  /** N of the last `<COMPACT-SUMMARY vN>`; 0 before the first. */
  readonly summary_version: number;
  /** SHA-256 (hex) of the summary message's whole text, by which our own summary is recognised. */
  readonly summary_hash: string | null;
  readonly ledger: Ledger;
  /** Messages of the list that the last compaction gave: what they report about usage is void. */
  readonly list_length?: number | undefined;
}

export const FRESH_STATE: SessionState = {
  version: 1,
  step: 0,
  summary_version: 0,
  summary_hash: null,
  ledger: EMPTY_LEDGER,
};

/** As `redactor.json(state)`, fact by fact in turns: a ledger may hold tens of thousands of strings. */
export async function redactState(state: SessionState, redactor: Redactor): Promise<Redacted<SessionState>> {
  const ledger: Record<string, unknown> = {};
  for (const [kind, facts] of Object.entries(state.ledger))
    ledger[kind] = Array.isArray(facts) ? await mapInTurns(facts, (fact) => redactor.json(fact)) : facts;
  return { ...redactor.json({ ...state, ledger: EMPTY_LEDGER }), ledger } as Redacted<SessionState>;
}

/** The stored state of a session, or a fresh one. Throws `StoreFailed` when what is stored cannot be understood. */
export async function loadState(archive: Archive | undefined, sessionId: string): Promise<SessionState> {
  const stored = await archive?.readState(sessionId);
  if (stored === undefined) return FRESH_STATE;
  const parsed = stateSchema.safeParse(withLedgerOfToday(stored));
  if (parsed.success) return parsed.data;
  throw new CompactError(
    "StoreFailed",
    `The state of session ${JSON.stringify(sessionId)} cannot be read (${parsed.error.issues[0]?.path.join(".")}).`,
    {
      code: "STATE_UNREADABLE",
      hint: "Make it anew from the archived steps: `agent-compact archive repair`.",
    },
  );
}

/** Whether it is the state itself that an error of `loadState` is about, and not the place where it lies. */
export function isStateDamaged(error: unknown): boolean {
  return CompactError.isInstance(error) && (error.code === "STATE_UNREADABLE" || error.code === "DAMAGED_RECORD");
}

/** A ledger of version 1 held more kinds, and less of each: what both know is carried on. */
function withLedgerOfToday(stored: unknown): unknown {
  const { ledger } = (stored ?? {}) as { ledger?: { version?: unknown; files?: unknown } & Record<string, unknown> };
  if (ledger?.version !== 1) return stored;
  const files = Array.isArray(ledger.files) ? ledger.files.map((file: object) => ({ lines: [], ...file })) : [];
  return { ...(stored as object), ledger: { ...EMPTY_LEDGER, ...ledger, version: 2, files, decisions: [], calls: [] } };
}
