// `mem_get` of many ids: each row whole, as many as there is room for, and the call for the rest.
import * as z from "zod";
import type { ObservationStore } from "../../observations/observation-store.ts";
import { successorsOf } from "../../observations/reading/row-view.ts";
import { type AnswerLimit, fitPage } from "../answer.ts";
import type { ToolAnswer } from "../tool.ts";
import {
  bodyOf,
  longestOf,
  markOf,
  nameOf,
  placeOf,
  rowOutput,
  rowRecord,
  type ShownRow,
  shortenRow,
  titleOf,
} from "./row-view.ts";

export const manyOutput = {
  observations: z.array(rowOutput).optional().describe("Of ids: each whole, in their order"),
  not_shown: z.array(z.int()).optional().describe("For which there was no room: call again with these ids"),
  unknown: z.array(z.int()).optional(),
  compacted: z.array(z.int()).optional().describe("Compacted or deleted, and not asked for with include_compacted"),
};

interface GetManyRequest {
  readonly ids: readonly number[];
  readonly includeCompacted: boolean;
}

/** Throws what the store throws, and `InvalidInput` where not even one row has room. */
export async function getMany(
  store: ObservationStore,
  { ids, includeCompacted }: GetManyRequest,
  limit: AnswerLimit,
): Promise<ToolAnswer> {
  const found = await store.read(async (rows) => {
    const observations = await rows.observations(ids);
    const successors = await successorsOf(rows, observations);
    return observations.map((observation) => ({ observation, compactedInto: successors.get(observation.id) ?? [] }));
  });
  const known = new Set(found.map(({ observation }) => observation.id));
  const unknown = ids.filter((id) => !known.has(id));
  const shown = found.filter(({ observation }) => includeCompacted || observation.deleted_at === null);
  const compacted = found.filter((row) => !shown.includes(row)).map(({ observation }) => observation.id);
  const build = (rows: readonly ShownRow[]): ToolAnswer => {
    const rest = shown.slice(rows.length).map(({ observation }) => observation.id);
    const lines = [
      ...(rest.length === 0 ? [] : [`For the rest call mem_get with \`ids: ${JSON.stringify(rest)}\`.`]),
      ...(unknown.length === 0 ? [] : [`⚠️ There is no ${unknown.join(", ")}.`]),
      ...(compacted.length === 0
        ? []
        : [`⚠️ Compacted or deleted: ${compacted.join(", ")}: send include_compacted: true.`]),
    ];
    return {
      text: `# ${rows.length} of ${ids.length} observations\n\n${rows.map(entry).join("\n")}\n${lines.join("\n")}`.trimEnd(),
      structured: {
        observations: rows.map((row) => rowRecord(row, "full")),
        ...(rest.length === 0 ? {} : { not_shown: rest }),
        ...(unknown.length === 0 ? {} : { unknown }),
        ...(compacted.length === 0 ? {} : { compacted }),
      },
    };
  };
  return fitPage({ items: shown as readonly ShownRow[], build, shorten: shortenRow, longest: longestOf }, limit);
}

function entry(row: ShownRow): string {
  const { observation } = row;
  const head = `## #${observation.id} (${nameOf(observation.type)})${markOf(row)} ${titleOf(row)}`;
  return `${head}\n${placeOf(observation)}\n${bodyOf(row, "full", "")}`;
}
