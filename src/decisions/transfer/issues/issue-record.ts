// One issue of beads or of GitHub (of its command line or its API) as a record.
import { isMap, listOf, text, textOrNumber } from "../../reading/field-values.ts";

type Issue = Readonly<Record<string, unknown>>;

const CLOSED = new Set(["closed", "done", "resolved", "completed", "tombstone", "merged"]);
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

export function recordOfIssue(issue: Issue): Issue {
  const state = lower(issue.status) ?? lower(issue.state) ?? "open";
  const isTombstone = state === "tombstone";
  const isClosed = CLOSED.has(state);
  const reason = lower(issue.state_reason) ?? lower(issue.stateReason);
  const labels = [
    ...labelsOf(issue.labels),
    ...(isTombstone ? ["deleted"] : []),
    ...(reason === "duplicate" ? ["duplicate"] : []),
  ];
  const body = text(issue.description) ?? text(issue.body);
  const result = isTombstone ? text(issue.delete_reason) : text(issue.close_reason);
  const closedAt = (isTombstone ? text(issue.deleted_at) : undefined) ?? text(issue.closed_at) ?? text(issue.closedAt);
  const outcome = isClosed && reason !== undefined ? OUTCOMES.get(reason) : undefined;
  return present({
    id: issueId(issue),
    decision: text(issue.title),
    date: text(issue.created_at) ?? text(issue.createdAt),
    category: categoryOf(issue),
    status: isClosed ? "reviewed" : "pending",
    issue_status: reason === undefined ? state : `${state} (${reason})`,
    recorded_by: text(issue.created_by) ?? loginOf(issue.author) ?? loginOf(issue.user),
    context: body,
    tags: labels.length === 0 ? undefined : [...new Set(labels)],
    ...Object.fromEntries(KEPT.map((key) => [key, issue[key] === "" ? undefined : issue[key]])),
    assignee: text(issue.assignee) ?? loginOf(issue.assignee),
    outcome,
    actual_result: isClosed ? result : undefined,
    reviewed_at: isClosed ? closedAt : undefined,
  });
}

/** The review of such a record is what its tracker said: nobody has reviewed it in the log since. */
export function isOfTracker(record: Issue): boolean {
  const [, state = "", reason] = /^(\w{1,50})(?: \((\w{1,50})\))?$/.exec(text(record.issue_status) ?? "") ?? [];
  const said = ["lessons", "review_notes", "reviewed_by"].some((key) => text(record[key]) !== undefined);
  return CLOSED.has(state) && !said && text(record.outcome) === OUTCOMES.get(reason ?? "");
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

function present(record: Issue): Issue {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== null));
}
