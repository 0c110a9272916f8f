// What a record says about which decision took whose place. A mere likeness (a related decision with a distance) says
// nothing of the kind.
import type { Decision, RawDecision } from "../decision.ts";
import { isMap, listOf, text, textOrNumber } from "./field-values.ts";

const TAKES = new Set(["supersedes", "replaces"]);
const YIELDS = new Set(["superseded_by", "replaced_by"]);
/** `superseded`, `Superseded by ADR-0012`, `superseded by [0012](0012-use-grpc.md)`. */
const STATUS = /^superseded\b(?:\s{1,5}by\s{1,5}(?<successor>.{1,200}))?/i;

export function readSupersession(raw: RawDecision, id: string): Pick<Decision, "supersedes" | "supersededBy"> {
  const related = ["related_to", "related_decisions", "relations"].flatMap((key) => listOf(raw[key]).filter(isMap));
  const ofType = (types: ReadonlySet<string>) =>
    related.flatMap((entry) => (types.has(typeOf(entry)) ? (textOrNumber(entry.id) ?? []) : []));
  const supersedes = [...idsOf(raw.supersedes), ...ofType(TAKES)].filter((other) => other !== id);
  const status = STATUS.exec(text(raw.status) ?? "");
  const named = [...idsOf(raw.superseded_by), ...ofType(YIELDS)].find((other) => other !== id);
  const supersededBy = named ?? (status === null ? undefined : successorIn(status.groups?.successor));
  return {
    supersedes: [...new Set(supersedes)],
    ...(supersededBy === undefined ? {} : { supersededBy }),
  };
}

/** An id, a map with an id, or a list of either. */
function idsOf(value: unknown): readonly string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => (isMap(item) ? textOrNumber(item.id) : textOrNumber(item)) ?? []);
}

function typeOf(entry: Readonly<Record<string, unknown>>): string {
  const type = text(entry.type) ?? text(entry.relation) ?? "";
  return type.toLowerCase().replace(/[\s-]/g, "_");
}

function successorIn(words: string | undefined): string {
  if (words === undefined) return "";
  const link = /^\[[^\]]{1,100}\]\((?:[^)]{0,100}\/)?(?<file>[^/)]{1,100}?)(?:\.md)?\)/.exec(words.trim());
  return link?.groups?.file ?? /^[\w.-]{1,100}/.exec(words.trim())?.[0]?.replace(/\.$/, "") ?? "";
}
