// How rows of the store are written into the text of an answer. What a row says is data: among the answer's own lines it
// is one line, and where it is shown whole, each of its lines stands behind a mark, so that no row can pass for another.
import * as z from "zod";
import type { Observation } from "../../observations/observation.ts";
import { SNIPPET_LENGTH, snippetOf, statusMark } from "../../observations/reading/row-view.ts";
import { cutAt, cutAtCodePoint } from "../../text/quote.ts";
import type { DetailLevel } from "../parameters.ts";

const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu;
const LONGEST_NAME = 100;
const SHORTEST_TITLE = 20;

export interface ShownRow {
  readonly observation: Observation;
  /** Of a deleted row: what stands for it. */
  readonly compactedInto?: readonly number[];
  /** Most UTF-16 units of its content, where the answer has no room for more. */
  readonly units?: number;
  /** Offset from which a snippet of the content is shown. */
  readonly place?: number;
}

/** Every line behind `> `. */
export function quoted(text: string, indent = ""): string {
  return `${indent}> ${text.replace(LINE_END, `\n${indent}> `)}`;
}

/** Names, types, keys, times: one line, not long. */
export function nameOf(text: string): string {
  return snippetOf(text, LONGEST_NAME);
}

export function titleOf({ observation, units = SNIPPET_LENGTH }: ShownRow): string {
  return snippetOf(observation.title, Math.min(SNIPPET_LENGTH, Math.max(SHORTEST_TITLE, units)));
}

/** `(deleted)` or `(compacted into #n)` with a space before it; empty for a live row. */
export function markOf({ observation, compactedInto = [] }: ShownRow): string {
  const mark = statusMark(observation.deleted_at !== null, compactedInto);
  return mark === "" ? "" : ` ${mark}`;
}

/** `project | topic: k | scope: s | created: t`, with what there is. */
export function placeOf({ project, topic_key, scope, namespace, created_at }: Observation): string {
  const parts = [
    project === null || project === "" ? undefined : nameOf(project),
    topic_key === null ? undefined : `topic: ${nameOf(topic_key)}`,
    `scope: ${nameOf(scope)}`,
    namespace === null ? undefined : `namespace: ${nameOf(namespace)}`,
    `created: ${nameOf(created_at)}`,
  ];
  return parts.filter((part) => part !== undefined).join(" | ");
}

export function snippetOfRow({ observation, units = SNIPPET_LENGTH, place }: ShownRow): string {
  return snippetOf(observation.content, Math.min(SNIPPET_LENGTH, Math.max(1, units)), place);
}

/** The content, or as much of it as there is room for. */
function contentOf({ observation, units }: ShownRow): string {
  return units === undefined ? observation.content : cutAt(observation.content, units);
}

/** What is shown of a content at a level, each line ended; empty at `summary`. */
export function bodyOf(row: ShownRow, level: DetailLevel, indent: string): string {
  if (level === "summary") return "";
  if (level === "standard") {
    const snippet = snippetOfRow(row);
    return snippet === "" ? "" : `${indent}${snippet}\n`;
  }
  const content = contentOf(row);
  const all = row.observation.content.length;
  const cut =
    content.length === all
      ? ""
      : `${indent}(${content.length} of ${all} characters; mem_get has all of #${row.observation.id})\n`;
  return `${quoted(content, indent)}\n${cut}`;
}

/** The same row with less of its texts. */
export function shortenRow<Row extends ShownRow>(row: Row, units: number): Row {
  return { ...row, units };
}

/** Units from which on shortening takes something away. */
export function longestOf({ observation }: ShownRow): number {
  return Math.max(SNIPPET_LENGTH, observation.content.length);
}

// How rows stand in the structured part of an answer, by level of detail: as they are, but for what an answer has no
// room for.

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

type RowOutput = z.infer<typeof rowOutput>;

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

const LONGEST_LABEL = 120;

/** On one line, in `quote`s, at most 120 characters long. */
export function shownName(text: string, quote = '"'): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return quote + (line.length > LONGEST_LABEL ? `${cutAt(line, LONGEST_LABEL)}...` : line) + quote;
}
