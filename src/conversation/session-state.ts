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
  const { ledger } = state;
  const facts = <Fact>(list: readonly Fact[]) => mapInTurns(list, (fact) => redactor.json(fact));
  return {
    ...redactor.json({ ...state, ledger: EMPTY_LEDGER }),
    ledger: {
      version: ledger.version,
      userMessages: await facts(ledger.userMessages),
      rules: await facts(ledger.rules),
      decisions: await facts(ledger.decisions),
      files: await facts(ledger.files),
      commands: await facts(ledger.commands),
      errors: await facts(ledger.errors),
      plans: await facts(ledger.plans),
      calls: await facts(ledger.calls),
      attachments: await facts(ledger.attachments),
      identifiers: await facts(ledger.identifiers),
      statements: await facts(ledger.statements),
    },
  };
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
      hint: "Move the session's state.json aside to start over; its transcripts stay readable.",
    },
  );
}

/** A ledger of version 1 held more kinds, and less of each: what both know is carried on. */
function withLedgerOfToday(stored: unknown): unknown {
  const { ledger } = (stored ?? {}) as { ledger?: { version?: unknown; files?: unknown } & Record<string, unknown> };
  if (ledger?.version !== 1) return stored;
  const files = Array.isArray(ledger.files) ? ledger.files.map((file: object) => ({ lines: [], ...file })) : [];
  return { ...(stored as object), ledger: { ...EMPTY_LEDGER, ...ledger, version: 2, files, decisions: [], calls: [] } };
}

// Identity of texts and lists by SHA-256, through Web Crypto so that it runs anywhere.

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Fingerprint of a message list: two lists with the same JSON have the same one. */
export function fingerprint(messages: readonly unknown[]): Promise<string> {
  return sha256(messages.map((message) => JSON.stringify(message)).join("\n"));
}
