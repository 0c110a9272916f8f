// How rows of the store are written into the text of an answer. What a row says is data: among the answer's own lines it
// is one line, and where it is shown whole, each of its lines stands behind a mark, so that no row can pass for another.
import type { Observation } from "../../../observations/observation.ts";
import { SNIPPET_LENGTH, snippetOf } from "../../../observations/reading/snippet.ts";
import { standingMark } from "../../../observations/reading/standing.ts";
import { cutAt } from "../../../text/cut.ts";
import type { DetailLevel } from "./parameters.ts";

const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu;
const LONGEST_NAME = 100;
const SHORTEST_TITLE = 20;

export interface ShownRow {
  readonly observation: Observation;
  /** Of a deleted row: what stands for it. */
  readonly compactedInto?: readonly number[];
  /** Most UTF-16 units of its content, where the answer has no room for more. */
  readonly units?: number;
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
  const mark = standingMark(observation.deleted_at !== null, compactedInto);
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

export function snippetOfRow({ observation, units = SNIPPET_LENGTH }: ShownRow): string {
  return snippetOf(observation.content, Math.min(SNIPPET_LENGTH, Math.max(1, units)));
}

/** The content, or as much of it as there is room for. */
export function contentOf({ observation, units }: ShownRow): string {
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
