// The decision log of a server: named by the flag or the configuration, or none. Opened at the first call, so that a
// server whose log cannot be opened still starts.
import type { CstpContext } from "../../decisions/cstp/method.ts";
import type { DecisionLog } from "../../decisions/decision-log.ts";
import type { TextWriter } from "../../decisions/texts/text-writer.ts";
import { decisionPoliciesOf, decisionTextWriterOf, openDecisionLog } from "../../from-config/decisions.ts";
import type { Trace } from "../../trace/emit.ts";
import type { readConfig } from "../open-compactor.ts";
import { decisionPlace, newLogNote, refuseFile } from "../open-decisions.ts";
import type { Terminal } from "../terminal.ts";

export interface OpenedDecisionContext {
  readonly context: CstpContext;
  /** About a log that is new, for the server's log. */
  readonly notes: readonly string[];
  readonly close: () => Promise<void>;
}

/** Undefined where nobody named a log. Throws `InvalidInput` for a file in place of the folder. */
export async function openDecisionContext(
  folder: string | undefined,
  config: Awaited<ReturnType<typeof readConfig>>["config"],
  trace: Trace,
  terminal: Terminal,
): Promise<OpenedDecisionContext | undefined> {
  const flags = folder === undefined ? {} : { decisions: folder };
  const place = await decisionPlace(flags, config.decisions, terminal);
  if (!place.isNamed) return undefined;
  await refuseFile(place, terminal);
  const note = await newLogNote(place, terminal);
  const stop = new AbortController();
  let log: DecisionLog | undefined;
  let texts: TextWriter | undefined;
  return {
    context: {
      log: async () => {
        log ??= openDecisionLog("dir" in place ? { dir: place.dir } : { db: place.db }, true);
        return log;
      },
      policies: decisionPoliciesOf(config),
      // A model without its key is an error of the cycle, which alone needs it.
      get texts() {
        texts ??= decisionTextWriterOf(config);
        return texts;
      },
      now: Date.now,
      agent: "",
      trace,
      signal: stop.signal,
    },
    notes: note === undefined ? [] : [note],
    close: async () => {
      // A cycle may wait for a model. What it has written so far is kept.
      stop.abort();
      await log?.close();
    },
  };
}
