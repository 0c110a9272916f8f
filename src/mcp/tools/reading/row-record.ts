// How rows stand in the structured part of an answer, by level of detail: as they are, but for what an answer has no
// room for.
import * as z from "zod";
import { SNIPPET_LENGTH } from "../../../observations/reading/snippet.ts";
import { cutAtCodePoint } from "../../../text/cut.ts";
import type { DetailLevel } from "./parameters.ts";
import { contentOf, type ShownRow, snippetOfRow, titleOf } from "./row-text.ts";

export const rowOutput = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string().describe("On one line, at most 300 characters"),
  project: z.string().nullable().optional(),
  scope: z.string().optional(),
  topic_key: z.string().nullable().optional(),
  namespace: z.string().nullable().optional(),
  session_id: z.string().optional(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  deleted_at: z.string().optional().describe("Of a row that is no longer live"),
  compacted_into: z.array(z.int()).optional().describe("Of a compacted row: what stands for it, latest first"),
  snippet: z.string().optional().describe("At detail_level standard"),
  content: z.string().optional().describe("At detail_level full"),
  content_length: z.int().optional().describe("All characters of a content that did not fit; mem_get has it"),
});

export type RowOutput = z.infer<typeof rowOutput>;

/** Rows that stand for a deleted one: more than a few say nothing more. */
const MOST_SUCCESSORS = 5;

export function rowRecord(row: ShownRow, level: DetailLevel): RowOutput {
  const { observation, compactedInto = [] } = row;
  const { id, type, deleted_at, content } = observation;
  const standing = deleted_at === null ? {} : { deleted_at, compacted_into: compactedInto.slice(0, MOST_SUCCESSORS) };
  const brief = { id, type: bounded(type), title: titleOf(row), ...standing };
  if (level === "summary") return brief;
  const { project, scope, topic_key, namespace, created_at } = observation;
  const place = {
    project: project === null ? null : bounded(project),
    scope: bounded(scope),
    topic_key: topic_key === null ? null : bounded(topic_key),
    ...(namespace === null ? {} : { namespace: bounded(namespace) }),
    created_at: bounded(created_at),
  };
  if (level === "standard") return { ...brief, ...place, snippet: snippetOfRow(row) };
  const shown = contentOf(row);
  return {
    ...brief,
    ...place,
    session_id: bounded(observation.session_id),
    updated_at: bounded(observation.updated_at),
    content: shown,
    ...(shown.length === content.length ? {} : { content_length: content.length }),
  };
}

/** Names and times that a list can carry, whatever other writers put there. */
export function bounded(text: string): string {
  return cutAtCodePoint(text, SNIPPET_LENGTH);
}
