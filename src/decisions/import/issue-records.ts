// Issues as decisions: what was to be done is what was decided, and a closing that says what came of it is the review.
// Nothing is made up: an issue of which nobody said that is not reviewed, and one that was deleted is none.
import { splitSentences } from "../../language/sentences.ts";
import { plainPlural } from "../../text/figures.ts";
import { readTime } from "../../time.ts";
import type { Outcome } from "../decision.ts";
import { isMap, listOf, text, textOrNumber, withoutSilent } from "../record-values.ts";
import {
  brokenLines,
  type DecisionFile,
  type FileReading,
  type FoundRecord,
  faultAt,
  type JsonItem,
  readJsonItems,
  type SourceFault,
} from "./decision-source.ts";

export function readIssueRecords(file: DecisionFile): FileReading {
  const { items, faults: broken } = readJsonItems(file.text);
  const faults = brokenLines(file, broken);
  const found: FoundRecord[] = [];
  const links: IssueLink[] = [];
  const deleted = items.filter(({ value }) => isDeleted(value)).length;
  if (deleted > 0) {
    const what = `${plainPlural(deleted, "deleted issue")} of ${file.name}`;
    faults.push({ id: file.name, code: "NOT_A_RECORD", message: `${what} ${deleted === 1 ? "is" : "are"} left out.` });
  }
  for (const item of items) {
    if (isDeleted(item.value)) continue;
    const record = readItem(item, file, faults);
    if (record === undefined) continue;
    found.push(record);
    links.push(...linksOf(item.value, String(record.raw.id)));
  }
  return { found: placeLinks(found, links), faults };
}

function isDeleted(value: unknown): boolean {
  return isMap(value) && lower(value.status) === "tombstone";
}

function readItem({ value, line }: JsonItem, file: DecisionFile, faults: SourceFault[]): FoundRecord | undefined {
  const reject = (what: string) => {
    faults.push(faultAt(file, line, what));
    return undefined;
  };
  if (!isMap(value)) return reject("it is no issue but another kind of value.");
  if (textOrNumber(value.id) === undefined && textOrNumber(value.number) === undefined) {
    return reject("the issue has neither id nor number.");
  }
  if (text(value.title) === undefined) return reject("the issue has no title.");
  return { raw: recordOfIssue(value), file: file.name, line };
}

// One issue of beads or of GitHub (of its command line or its API) as a record.

type Issue = Readonly<Record<string, unknown>>;

const CLOSED = new Set(["closed", "done", "resolved", "completed", "merged"]);
/** What GitHub says of a closed issue, where it says what came of it. */
const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ["completed", "success"],
  ["not_planned", "abandoned"],
]);
/** Kept as they are: they say something, but nothing that a decision has a field for. */
const KEPT = [
  "priority",
  "design",
  "acceptance_criteria",
  "notes",
  "assignee",
  "external_ref",
  "url",
  "html_url",
] as const;

function recordOfIssue(issue: Issue): Issue {
  const state = lower(issue.status) ?? lower(issue.state) ?? "open";
  const isClosed = CLOSED.has(state);
  const reason = lower(issue.state_reason) ?? lower(issue.stateReason);
  const labels = [...labelsOf(issue.labels), ...(reason === "duplicate" ? ["duplicate"] : [])];
  const body = text(issue.description) ?? text(issue.body);
  const result = text(issue.close_reason);
  const closedAt = text(issue.closed_at) ?? text(issue.closedAt);
  const outcome = isClosed ? outcomeOf(reason, result) : undefined;
  return withoutSilent({
    id: issueId(issue),
    decision: text(issue.title),
    date: text(issue.created_at) ?? text(issue.createdAt),
    category: categoryOf(issue),
    status: outcome === undefined ? (isClosed ? "closed" : "pending") : "reviewed",
    issue_status: reason === undefined ? state : `${state} (${reason})`,
    recorded_by: text(issue.created_by) ?? loginOf(issue.author) ?? loginOf(issue.user),
    context: body,
    tags: [...new Set(labels)],
    ...Object.fromEntries(KEPT.map((key) => [key, issue[key]])),
    closed_at: isClosed && outcome === undefined ? closedAt : undefined,
    assignee: text(issue.assignee) ?? loginOf(issue.assignee),
    outcome,
    actual_result: isClosed ? result : undefined,
    reviewed_at: outcome === undefined ? undefined : closedAt,
  });
}

function outcomeOf(reason: string | undefined, result: string | undefined): string | undefined {
  return OUTCOMES.get(reason ?? "") ?? (result === undefined ? undefined : outcomeOfReason(result));
}

/** The review of such a record is what its tracker said: nobody has reviewed it in the log since. */
export function isOfTracker(record: Issue): boolean {
  const [, state = "", reason] = /^(\w{1,50})(?: \((\w{1,50})\))?$/.exec(text(record.issue_status) ?? "") ?? [];
  const said = ["lessons", "review_notes", "reviewed_by"].some((key) => text(record[key]) !== undefined);
  const outcome = text(record.outcome);
  return (
    CLOSED.has(state) && !said && (outcome === undefined || outcome === outcomeOf(reason, text(record.actual_result)))
  );
}

/** Numbers of GitHub are its repository's, so that two repositories do not meet: `owner-name-12`. */
function issueId(issue: Issue): string {
  const number = textOrNumber(issue.number);
  if (number === undefined) return textOrNumber(issue.id) ?? "";
  const address = text(issue.html_url) ?? text(issue.url) ?? text(issue.repository_url) ?? "";
  const [, owner, name] = /\/\/[^/\s]{1,200}\/(?:repos\/)?([\w.-]{1,100})\/([\w.-]{1,100})(?:\/|$)/.exec(address) ?? [];
  return owner === undefined || name === undefined ? `issue-${number}` : `${owner}-${name}-${number}`;
}

function categoryOf(issue: Issue): string | undefined {
  const type = isMap(issue.type) ? text(issue.type.name) : text(issue.type);
  const isPull = issue.pull_request !== undefined && issue.pull_request !== null;
  return (
    text(issue.original_type) ?? text(issue.issue_type) ?? type?.toLowerCase() ?? (isPull ? "pull-request" : undefined)
  );
}

function labelsOf(labels: unknown): readonly string[] {
  return listOf(labels).flatMap((label) => (isMap(label) ? text(label.name) : textOrNumber(label)) ?? []);
}

function loginOf(person: unknown): string | undefined {
  return isMap(person) ? text(person.login) : undefined;
}

function lower(value: unknown): string | undefined {
  return text(value)?.toLowerCase();
}

// What came of an issue, by the sentence with which it was closed. Said to be done: a success; said to be moot: abandoned.
// What says neither, or both, says nothing: nobody has reviewed such an issue.

/** A reason begins so, or names the work and then says so. */
const DONE =
  "implemented|fixed|added|changed|merged|completed|resolved|removed|released|refactored|updated|documented|migrated|extracted|replaced|verified|renamed|upgraded|landed|shipped|deployed|created|built|committed|rewritten|rewrote";
const MOOT =
  /\b(?:won'?t (?:fix|do|be)|not (?:planned|needed|a bug|reproducible|doing|implementing|pursuing)|cannot reproduce|obsolete|stale|spurious|duplicate|superseded|rejected|invalid|wrong (?:repo|rig|project|place)|misfiled|orphaned|no longer|skipp(?:ed|ing)|abandoned|refil(?:ed|ing)|deferred|moved to)\b/i;
const BEGINS_DONE = new RegExp(`^(?:all |already )?(?:${DONE}|complete)\\b`, "i");
const ENDS_DONE = new RegExp(
  `^(?:pr|mr|gh|reviewed|pull request|release|all|both|epic|phase|implementation|work|fix|feature|tests?|workflow)\\b.{0,100}\\b(?:${DONE}|complete|successfully)\\b`,
  "i",
);
const UNDONE = /\b(?:not|never|failed|fails|partially|partly|requested changes|todo|remaining|except|but)\b/i;

/** Undefined where it says neither. */
function outcomeOfReason(reason: string): Outcome | undefined {
  const [first = ""] = splitSentences(reason.trim());
  const isDone = BEGINS_DONE.test(first) || ENDS_DONE.test(first);
  if (isDone && /\b(?:partially|partly)\b/i.test(first)) return "partial";
  if (isDone) return UNDONE.test(first) ? undefined : "success";
  return MOOT.test(first) && !/\bmerged\b/i.test(first) ? "abandoned" : undefined;
}

// Which issue took whose place. Beads writes one kind of link in both directions: an issue "supersedes" an older one when
// it was linked by hand, and a newer one when it was closed in its favour. So of the two the later one stands.

interface IssueLink {
  readonly from: string;
  readonly to: string;
  /** `replaced`: `to` stands in the place of `from`, for certain. `either`: the later one stands. */
  readonly kind: "replaced" | "either";
}

function linksOf(issue: unknown, id: string): readonly IssueLink[] {
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
function placeLinks(found: readonly FoundRecord[], links: readonly IssueLink[]): readonly FoundRecord[] {
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
  return from !== undefined && from.status !== "pending";
}
