// `agent-compact observations restore`: undoes a compaction, wholly or in part.
import { restoreObservations } from "../../../observations/restore-observations.ts";
import { badFlag } from "../../flags.ts";
import { type StoreFlags, withStore } from "../../open-store.ts";
import { printResult } from "../../print-result.ts";
import { plural } from "../../render/table.ts";
import type { Terminal } from "../../terminal.ts";
import { readIdWords } from "./read-id-words.ts";

export interface RestoreFlags extends StoreFlags {
  readonly summary?: number;
}

export async function restoreRows(words: readonly string[], flags: RestoreFlags, terminal: Terminal): Promise<void> {
  if ((words.length === 0) === (flags.summary === undefined))
    throw badFlag("Name the rows to bring back, or with --summary the row that stands for them.");
  const ids = words.length === 0 ? undefined : readIdWords(words);
  await withStore(flags, terminal, {}, async ({ store, trace }) => {
    const result = await restoreObservations(store, { ids, summaryId: flags.summary }, { now: Date.now(), trace });
    const { restored, retired, remaining, empty, sameTopic } = result;
    const record = {
      restored,
      retired,
      remaining: remaining.map(({ id, standsFor }) => ({ id, stands_for: standsFor })),
      empty,
      same_topic: sameTopic,
    };
    const lines = [
      restored.length === 0
        ? "Nothing was left to restore."
        : `Restored ${plural(restored.length, "row")}: ${restored.join(", ")}`,
      ...retired.map((id) => `Summary ${id} was retired: nothing it stands for is compacted any more.`),
      ...empty.map((id) => `Summary ${id} stays deleted: all of its rows were back already.`),
      ...remaining.map(({ id, standsFor }) => `Row ${id} stays: it still stands for ${standsFor}.`),
      ...sameTopic.map(({ id, other }) => `Note: row ${id} has the topic key of row ${other}, which is live too.`),
    ];
    printResult(record, () => `${lines.join("\n")}\n`, flags, terminal, { isTold: true });
  });
}
