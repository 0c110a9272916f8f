// The head of a single row: its columns, and in a word what it stands for or what stands for it.
import * as z from "zod";
import type { ReadObservation } from "../../../observations/reading/get-observation.ts";
import { standingMark } from "../../../observations/reading/standing.ts";
import { bounded } from "./row-record.ts";
import { nameOf, titleOf } from "./row-text.ts";

export const rowFieldsOutput = {
  id: z.int(),
  type: z.string().optional().describe("This and the other columns stand on the first page alone"),
  title: z.string().optional().describe("At most 300 characters"),
  scope: z.string().optional(),
  project: z.string().nullable().optional(),
  namespace: z.string().nullable().optional(),
  topic_key: z.string().nullable().optional(),
  tool_name: z.string().nullable().optional(),
  session_id: z.string().optional(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  last_seen_at: z.string().nullable().optional(),
  revision_count: z.int().optional(),
  duplicate_count: z.int().optional(),
  deleted_at: z.string().nullable().optional(),
  compacted_from_total: z.int().optional().describe("Number of observations that this one stands for"),
  compacted_into: z.array(z.int()).optional().describe("Of a compacted one: what stands for it, latest first"),
};

const MOST_SUCCESSORS = 5;

export function headerText(read: ReadObservation, isFirst: boolean): string {
  const { observation: row, compactedFrom, compactedInto } = read;
  const mark = standingMark(row.deleted_at !== null, compactedInto);
  const heading = `# Observation #${row.id}${mark === "" ? "" : ` ${mark}`}`;
  if (!isFirst) return `${heading} (continued)`;
  const fields: readonly (readonly [string, string | null])[] = [
    ["Title", titleOf({ observation: row })],
    ["Type", nameOf(row.type)],
    ["Scope", nameOf(row.scope)],
    ["Project", named(row.project)],
    ["Namespace", named(row.namespace)],
    ["Topic Key", named(row.topic_key)],
    ["Tool", named(row.tool_name)],
    ["Session", nameOf(row.session_id)],
    ["Created", nameOf(row.created_at)],
    ["Updated", nameOf(row.updated_at)],
    ["Revisions", String(row.revision_count)],
    ["Duplicates", String(row.duplicate_count)],
    ["Deleted", row.deleted_at === null ? null : nameOf(row.deleted_at)],
    ["Compacted Into", compactedInto.length === 0 ? null : idList(compactedInto)],
    ["Compacted From", compactedFrom.length === 0 ? null : `${compactedFrom.length} observations`],
  ];
  const lines = fields.flatMap(([name, value]) => (value === null ? [] : [`**${name}**: ${value}`]));
  return `${heading}\n\n${lines.join("\n")}`;
}

export function rowFields(read: ReadObservation, isFirst: boolean): z.infer<z.ZodObject<typeof rowFieldsOutput>> {
  const { observation: row, compactedFrom, compactedInto } = read;
  if (!isFirst) return { id: row.id };
  return {
    id: row.id,
    type: bounded(row.type),
    title: bounded(row.title),
    scope: bounded(row.scope),
    project: boundedOrNull(row.project),
    namespace: boundedOrNull(row.namespace),
    topic_key: boundedOrNull(row.topic_key),
    tool_name: boundedOrNull(row.tool_name),
    session_id: bounded(row.session_id),
    created_at: bounded(row.created_at),
    updated_at: bounded(row.updated_at),
    last_seen_at: boundedOrNull(row.last_seen_at),
    revision_count: row.revision_count,
    duplicate_count: row.duplicate_count,
    deleted_at: boundedOrNull(row.deleted_at),
    ...(compactedFrom.length === 0 ? {} : { compacted_from_total: compactedFrom.length }),
    ...(compactedInto.length === 0 ? {} : { compacted_into: compactedInto.slice(0, MOST_SUCCESSORS) }),
  };
}

function named(text: string | null): string | null {
  return text === null || text === "" ? null : nameOf(text);
}

function boundedOrNull(text: string | null): string | null {
  return text === null ? null : bounded(text);
}

function idList(ids: readonly number[]): string {
  const more = ids.length > MOST_SUCCESSORS ? ", ..." : "";
  return (
    ids
      .slice(0, MOST_SUCCESSORS)
      .map((id) => `#${id}`)
      .join(", ") + more
  );
}
