// The options of a compaction of decisions, and the lease that keeps two from running at once.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { isDead, ownMark, type ProcessMark } from "../../storage/process-mark.ts";
import { type Clock, isoTime, readTime } from "../../time.ts";
import type { DecisionLog, DecisionOptions, DecisionReader, DecisionWriter } from "../decision-log.ts";
import { randomId } from "../record-values.ts";
import type { TextWriter } from "../texts/text-writer.ts";

export interface CycleOptions extends DecisionOptions {
  /** Writes the texts of summaries and digests. Absent: none is written; they are served as code writes them at once. */
  readonly texts?: TextWriter | undefined;
  /** Ends the cycle between two texts; those that are written are kept. */
  readonly signal?: AbortSignal | undefined;
  /** What the lease and the end of the run go by. Default: `now`, and the time that has passed since the call. */
  readonly clock?: Clock | undefined;
}

// Only one cycle runs at a time, whichever process runs it: who runs it holds a lease in the log, and renews it while
// working. One that crashed holds it until it expires, or until a process of the same machine sees that it is dead, and
// leaves nothing else behind.

/** Longer than any single text takes a model with all its retries. */
export const LEASE_MS = 10 * 60_000;

/** By how much the clocks of two machines may differ. */
const CLOCKS_APART_MS = 60_000;

const LEASE_KEY = "lease";

/** Absent in leases of other writers. */
const holderSchema = z.object({ machine: z.string(), pid: z.int().positive(), started: z.string().optional() });

const leaseSchema = z.object({
  owner: z.string(),
  expires_at: z.string(),
  holder: holderSchema.optional().catch(undefined),
});

interface Holder {
  readonly owner: string;
  readonly holder: ProcessMark | undefined;
}

export interface Lease {
  /** Moves the end of the lease away once half of its time is over. @throws Conflict (`CYCLE_LOST`). */
  renew(): Promise<void>;
  /** To be asked inside the write that ends the cycle. @throws Conflict (`CYCLE_LOST`) when another cycle took over. */
  confirm(log: DecisionReader): Promise<void>;
}

/**
 * Runs `work` under the lease and gives it back, whatever came of it.
 * @throws Conflict (`CYCLE_RUNNING`) while another holds it.
 */
export async function underLease<T>(log: DecisionLog, clock: Clock, work: (lease: Lease) => Promise<T>): Promise<T> {
  const owner = `${randomId()}${randomId()}`;
  const by = { owner, holder: await ownMark() };
  await log.write((writer) => takeLease(writer, by, clock()));
  let result: T;
  try {
    result = await work(leaseOf(log, by, clock));
  } catch (error) {
    // Why the work failed is what the caller must see, not that the log cannot be written to either: the lease expires.
    await releaseLease(log, owner).catch(() => undefined);
    throw error;
  }
  await releaseLease(log, owner);
  return result;
}

function leaseOf(log: DecisionLog, by: Holder, clock: Clock): Lease {
  let renewedAt = clock();
  const confirm = async (reader: DecisionReader) => {
    if ((await readLease(reader))?.owner === by.owner) return;
    const message = "The lease of this cycle ran out and another cycle took over; no level was set.";
    throw new CompactError("Conflict", message, {
      code: "CYCLE_LOST",
      hint: "Nothing needs to be done: the other cycle does the work.",
    });
  };
  return {
    confirm,
    async renew() {
      const now = clock();
      if (now - renewedAt < LEASE_MS / 2) return;
      await log.write(async (writer) => {
        await confirm(writer);
        await putLease(writer, by, now);
      });
      renewedAt = now;
    },
  };
}

async function takeLease(writer: DecisionWriter, by: Holder, now: number): Promise<void> {
  const lease = await readLease(writer);
  const isHeld = lease !== undefined && isInForce(lease.expires_at, now);
  if (isHeld && !(lease.holder !== undefined && (await isDead(lease.holder)))) {
    throw new CompactError("Conflict", "Another compaction cycle of this decision log is running.", {
      code: "CYCLE_RUNNING",
      hint: `Try again when it is done. If it crashed on another machine, its lease ends at ${lease.expires_at}.`,
      data: { expires_at: lease.expires_at },
    });
  }
  await putLease(writer, by, now);
}

/** One that ends later than any lease taken by now was taken by a clock that ran ahead, and could block cycles for years. */
function isInForce(expiresAt: string, now: number): boolean {
  const end = readTime(expiresAt);
  return end !== undefined && end > now && end <= now + LEASE_MS + CLOCKS_APART_MS;
}

async function putLease(writer: DecisionWriter, by: Holder, now: number): Promise<void> {
  await writer.setState(LEASE_KEY, { ...by, expires_at: isoTime(now + LEASE_MS) });
}

function releaseLease(log: DecisionLog, owner: string): Promise<void> {
  return log.write(async (writer) => {
    if ((await readLease(writer))?.owner === owner) await writer.setState(LEASE_KEY, undefined);
  });
}

/** What is no lease holds nobody up. */
async function readLease(log: DecisionReader): Promise<z.infer<typeof leaseSchema> | undefined> {
  return leaseSchema.safeParse(await log.state(LEASE_KEY)).data;
}
