// `agent-compact observations search`: finds rows by their words.
import { searchObservations } from "../../../observations/reading/search-observations.ts";
import { type FilterFlags, withStore } from "../../open-store.ts";
import { printResult } from "../../print-result.ts";
import { renderFound } from "../../render/observations/found.ts";
import type { Terminal } from "../../terminal.ts";
import { unknownProject } from "./unknown-project.ts";

const DEFAULT_LIMIT = 20;

export interface SearchFlags extends FilterFlags {
  readonly type?: string;
  readonly compacted?: true;
  readonly limit?: number;
}

export async function searchRows(words: readonly string[], flags: SearchFlags, terminal: Terminal): Promise<void> {
  const { project, scope, namespace, type, limit = DEFAULT_LIMIT } = flags;
  const isCompacted = flags.compacted === true;
  await withStore(flags, terminal, {}, async ({ store, flag }) => {
    const searched = await searchObservations(store, {
      query: words.join(" "),
      project,
      scope,
      namespace,
      type,
      limit,
      standing: isCompacted ? "deleted" : "live",
    });
    const { found, total, isBounded, deletedMatches } = searched;
    const result = {
      total,
      shown: found.length,
      is_bounded: isBounded,
      deleted_matches: deletedMatches,
      observations: found.map(({ observation, compactedInto }) => ({ ...observation, compacted_into: compactedInto })),
    };
    const unknown = found.length === 0 ? await unknownProject(store, project) : "";
    printResult(result, (colors) => renderFound(searched, { flag, isCompacted }, colors) + unknown, flags, terminal);
  });
}
