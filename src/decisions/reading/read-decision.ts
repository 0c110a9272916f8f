// From a stored record, as people and programs have written it, to a decision: which key says what, and which faults are
// told. Never throws for a record; what cannot be read is left out, or is a fault where it decides about the level.
import { sha256 } from "../../storage/sha256.ts";
import { readTime } from "../../time.ts";
import type { RawDecision, RecordFault, StoredDecision } from "../decision.ts";
import { OUTCOMES } from "../decision.ts";
import { canonicalJson } from "./canonical-json.ts";
import { isMap, listOf, share, text, textOrNumber } from "./field-values.ts";
import { readBridge, readReasons } from "./parts.ts";
import { readSupersession } from "./supersession.ts";

/** What is wrong with a record by itself, whatever others there are. */
export type OwnFault = RecordFault & { readonly code: Exclude<RecordFault["code"], "SUPERSEDED_IN_CIRCLE"> };

export interface ReadDecision {
  /** Absent for a record that is no decision: without id or text. */
  readonly decision?: StoredDecision;
  readonly faults: readonly OwnFault[];
}

export interface RecordPlace {
  /** What a fault calls a record without an id: a file, a line. */
  readonly name: string;
  /** Its date where the record has none, as the name of a file gives it. */
  readonly date?: string;
}

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
  const faults: OwnFault[] = [
    ...(date !== "" && decidedAt === undefined ? [unreadableDate(id)] : []),
    ...(typeof preserve === "boolean" ? [] : [unreadablePreserve(id)]),
  ];
  const decision: StoredDecision = {
    id,
    text: decided,
    date,
    ...present("decidedAt", decidedAt),
    category: text(raw.category) ?? "uncategorized",
    agent: text(raw.recorded_by) ?? text(raw.agent) ?? "",
    status: text(raw.status) ?? "pending",
    isPreserved: preserve !== false,
    ...present("confidence", share(raw.confidence)),
    ...present("stakes", text(raw.stakes)),
    ...present("context", text(raw.context)),
    reasons: readReasons(raw.reasons),
    tags: listOf(raw.tags).flatMap((tag) => textOrNumber(tag) ?? []),
    ...present("pattern", text(raw.pattern)),
    ...present("bridge", readBridge(raw.bridge)),
    ...present("deliberation", raw.deliberation ?? undefined),
    ...present(
      "outcome",
      OUTCOMES.find((outcome) => outcome === text(raw.outcome)?.toLowerCase()),
    ),
    ...present("actualResult", text(raw.actual_result)),
    ...present("lessons", text(raw.lessons)),
    ...present("reviewedAt", readTime(stamp(raw.reviewed_at))),
    ...readSupersession(raw, id),
    raw,
    hash: recordHash(raw),
  };
  return { decision, faults };
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

function present<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value };
}

function unreadableDate(id: string): OwnFault {
  return { id, code: "UNREADABLE_DATE", message: "Its date cannot be read, so it stays full." };
}

function unreadablePreserve(id: string): OwnFault {
  return {
    id,
    code: "UNREADABLE_PRESERVE",
    message: "Its preserve is neither true nor false, so it counts as preserved.",
  };
}
