// Which issue took whose place. Beads writes one kind of link in both directions: an issue "supersedes" an older one when
// it was linked by hand, and a newer one when it was closed in its favour. So of the two the later one stands.
import { readTime } from "../../../time.ts";
import { isMap, listOf, text, textOrNumber } from "../../reading/field-values.ts";
import type { FoundRecord } from "../decision-source.ts";

export interface IssueLink {
  readonly from: string;
  readonly to: string;
  /** `replaced`: `to` stands in the place of `from`, for certain. `either`: the later one stands. */
  readonly kind: "replaced" | "either";
}

export function linksOf(issue: unknown, id: string): readonly IssueLink[] {
  if (!isMap(issue)) return [];
  const links: IssueLink[] = [];
  for (const dependency of listOf(issue.dependencies).filter(isMap)) {
    const from = textOrNumber(dependency.issue_id) ?? id;
    const to = textOrNumber(dependency.depends_on_id) ?? textOrNumber(dependency.id);
    const type = text(dependency.type) ?? text(dependency.dependency_type);
    if (to === undefined || to === from) continue;
    if (type === "supersedes") links.push({ from, to, kind: "either" });
    if (type === "duplicates" || type === "superseded-by") links.push({ from, to, kind: "replaced" });
  }
  for (const key of ["superseded_by", "duplicate_of"] as const) {
    const to = textOrNumber(issue[key]);
    if (to !== undefined && to !== id) links.push({ from: id, to, kind: "replaced" });
  }
  return links;
}

/** Writes them into the records. Where only one of two issues is there, one that was closed has been replaced. */
export function placeLinks(found: readonly FoundRecord[], links: readonly IssueLink[]): readonly FoundRecord[] {
  if (links.length === 0) return found;
  const byId = new Map(found.map(({ raw }) => [String(raw.id), raw]));
  const successors = new Map<string, string>();
  const predecessors = new Map<string, string[]>();
  for (const { from, to, kind } of links) {
    const isReplaced = kind === "replaced" || isLater(byId.get(to), byId.get(from));
    if (isReplaced) successors.set(from, to);
    else predecessors.set(from, [...(predecessors.get(from) ?? []), to]);
  }
  return found.map((record) => {
    const id = String(record.raw.id);
    const [by, over] = [successors.get(id), predecessors.get(id)];
    if (by === undefined && over === undefined) return record;
    const raw = {
      ...record.raw,
      ...(by === undefined ? {} : { superseded_by: by }),
      ...(over === undefined ? {} : { supersedes: [...new Set(over)] }),
    };
    return { ...record, raw };
  });
}

/** Is the issue that was linked to the later one? */
function isLater(to: FoundRecord["raw"] | undefined, from: FoundRecord["raw"] | undefined): boolean {
  const [toTime, fromTime] = [readTime(to?.date), readTime(from?.date)];
  if (toTime !== undefined && fromTime !== undefined && toTime !== fromTime) return toTime > fromTime;
  return from?.status === "reviewed";
}
