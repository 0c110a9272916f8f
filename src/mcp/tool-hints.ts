// What to do about a failure, for a model that calls tools: the parts speak of rows and ids, a client has tools and arguments.
import type { Hints } from "../errors.ts";

const FIND_IDS = "mem_search and mem_context show the ids that there are.";

export const TOOL_HINTS: Hints = {
  INVALID_ID: "mem_search and mem_context show the ids.",
  OBSERVATION_NOT_FOUND: FIND_IDS,
  UNKNOWN_OBSERVATION: FIND_IDS,
  UNKNOWN_SESSION: "Start it first, or look its id up with mem_context.",
  UNKNOWN_RELATION: "mem_get lists the relations of an observation with their ids.",
  DELETED_OBSERVATION: "mem_restore brings it back; mem_delete with hard_delete: true removes it for good.",
  OBSERVATION_DELETED({ data }) {
    const [latest] = Array.isArray(data.compacted_into) ? data.compacted_into : [];
    const summary = latest === undefined ? "" : `mem_get with id ${latest} shows what stands for it. `;
    return `${summary}Send include_compacted: true to mem_get for the row itself, or mem_restore to bring it back.`;
  },
  RESERVED_RELATION: ({ data }) =>
    data.summary_id === undefined
      ? undefined
      : `To undo that compaction, call mem_restore with summary_id ${data.summary_id}.`,
};
