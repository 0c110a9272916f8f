// From a stored record, as people and programs have written it, to a decision: which key says what, and which faults are
// told. Never throws for a record; what cannot be read is left out, or is a fault where it decides about the level.
import { sha256 } from "../storage/sha256.ts";
import { withoutUndefined } from "../text/json-values.ts";
import { readTime } from "../time.ts";
import {
  type Bridge,
  type Decision,
  OUTCOMES,
  type RawDecision,
  type Reason,
  type RecordFault,
  type StoredDecision,
} from "./decision.ts";
import { canonicalJson, isMap, listOf, share, text, textOrNumber } from "./record-values.ts";

export interface ReadDecision {
  /** Absent for a record that is no decision: without id or text. */
  readonly decision?: StoredDecision;
  readonly faults: readonly RecordFault[];
}

export interface RecordPlace {
  /** What a fault calls a record without an id: a file, a line. */
  readonly name: string;
  /** Its date where the record has none, as the name of a file gives it. */
  readonly date?: string;
}

const MESSAGES = {
  UNREADABLE_DATE: "Its date cannot be read, so it stays full.",
  UNREADABLE_PRESERVE: "Its preserve is neither true nor false, so it counts as preserved.",
} as const;

/** Decisions spec and its rulings: date is `date`, `timestamp`, `created_at`, the file's; text is `decision`, `summary`. */
export function readDecision(raw: unknown, place: RecordPlace): ReadDecision {
  const id = isMap(raw) ? textOrNumber(raw.id) : undefined;
  const unreadable = (message: string): ReadDecision => ({
    faults: [{ id: id ?? place.name, code: "UNREADABLE_RECORD", message }],
  });
  if (!isMap(raw)) return unreadable("The record is not a map of keys and values.");
  if (id === undefined) return unreadable("The record has no id.");
  const decided = text(raw.decision) ?? text(raw.summary);
  if (decided === undefined) return unreadable("The record has no text: neither decision nor summary.");
  const date = dateOf(raw) ?? place.date ?? "";
  const decidedAt = date === "" ? undefined : readTime(date);
  const preserve = raw.preserve ?? false;
  const fault = (code: keyof typeof MESSAGES): RecordFault => ({ id, code, message: MESSAGES[code] });
  const faults: RecordFault[] = [
    ...(date !== "" && decidedAt === undefined ? [fault("UNREADABLE_DATE")] : []),
    ...(typeof preserve === "boolean" ? [] : [fault("UNREADABLE_PRESERVE")]),
  ];
  const decision: StoredDecision = withoutUndefined({
    id,
    text: decided,
    date,
    decidedAt,
    category: text(raw.category) ?? "uncategorized",
    agent: text(raw.recorded_by) ?? text(raw.agent) ?? "",
    status: text(raw.status) ?? "pending",
    isPreserved: preserve !== false,
    confidence: share(raw.confidence),
    stakes: text(raw.stakes),
    context: text(raw.context),
    reasons: readReasons(raw.reasons),
    tags: listOf(raw.tags).flatMap((tag) => textOrNumber(tag) ?? []),
    pattern: text(raw.pattern),
    bridge: readBridge(raw.bridge),
    deliberation: raw.deliberation ?? undefined,
    outcome: OUTCOMES.find((outcome) => outcome === text(raw.outcome)?.toLowerCase()),
    actualResult: text(raw.actual_result),
    lessons: text(raw.lessons),
    reviewedAt: readTime(stamp(raw.reviewed_at)),
    ...readSupersession(raw, id),
    raw,
    hash: recordHash(raw),
  });
  return { decision, faults };
}

/** All that words are looked for in, in lower case. */
export function searchedTexts(decision: Decision): readonly string[] {
  const { text, context, pattern, lessons, actualResult, reasons, tags } = decision;
  const fields = [text, context, pattern, lessons, actualResult, ...reasons.map((reason) => reason.text), ...tags];
  return fields.flatMap((field) => field?.toLowerCase() ?? []);
}

/** Of all keys but `preserve`, whatever their order. */
export function recordHash(raw: RawDecision): string {
  const { preserve: _, ...rest } = raw;
  return sha256(canonicalJson(rest));
}

function dateOf(raw: RawDecision): string | undefined {
  for (const key of ["date", "timestamp", "created_at"]) {
    const written = stamp(raw[key]);
    if (typeof written === "number") return String(written);
    const given = text(written);
    if (given !== undefined) return given;
  }
  return undefined;
}

/** Some YAML readers give dates as such. */
function stamp(value: unknown): unknown {
  if (!(value instanceof Date)) return value;
  return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
}

// Reasons and bridge of a record.

/** Each a map with a text, or a text alone. */
function readReasons(value: unknown): readonly Reason[] {
  return listOf(value).flatMap((reason) => {
    const said = isMap(reason) ? text(reason.text) : text(reason);
    if (said === undefined) return [];
    const { type, strength, confidence } = isMap(reason) ? reason : {};
    return withoutUndefined({
      type: text(type) ?? "analysis",
      text: said,
      strength: share(strength),
      confidence: share(confidence),
    });
  });
}

/** Undefined where it says neither what the decision is nor what it is for. */
function readBridge(value: unknown): Bridge | undefined {
  if (!isMap(value)) return undefined;
  const structure = text(value.structure) ?? "";
  const purpose = text(value.function) ?? "";
  if (structure === "" && purpose === "") return undefined;
  const texts = (list: unknown) => listOf(list).flatMap((item) => text(item) ?? []);
  return {
    structure,
    function: purpose,
    tolerance: texts(value.tolerance),
    enforcement: texts(value.enforcement),
    prevention: texts(value.prevention),
  };
}

// What a record says about which decision took whose place. A mere likeness (a related decision with a distance) says
// nothing of the kind.

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
  return withoutUndefined({ supersedes: [...new Set(supersedes)], supersededBy });
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
