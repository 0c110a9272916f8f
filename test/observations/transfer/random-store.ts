// Stores as they may be, for property tests: sessions, rows of all kinds, equal rows, deleted ones, relations, prompts.
// No row is related to itself, and nothing stands for a live row: no command leaves that behind.
import fc from "fast-check";
import { COMPACTED_FROM, storedTime } from "../../../src/observations/observation.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { normalizedHash } from "../../../src/observations/saving/stored-text.ts";
import { NOW } from "../rows.ts";

const text = fc.string({ unit: "grapheme", maxLength: 40 });
const name = fc.constantFrom("shop", "site", "", "Ünï", "a\nb");
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
/** Few different times, so that equal rows come about. */
const time = fc.integer({ min: 0, max: 30 }).map((step) => storedTime(NOW - step * 86_399_000));
const session = fc.constantFrom("manual-save", "s-1", "s-2");

const observation = fc.record({
  session_id: session,
  type: fc.constantFrom("manual", "decision", "compaction_summary", ""),
  title: fc.oneof(fc.constantFrom("Note", "", "日本語"), text),
  content: fc.oneof(fc.constantFrom("same", "Same", "- a\n- b", '{"type":"page"}', "<private>x</private>"), text),
  tool_name: maybe(fc.constantFrom("knowledge-graph", "bash")),
  project: maybe(name),
  scope: fc.constantFrom("project", "personal"),
  topic_key: maybe(fc.constantFrom("design/a", "bug/b")),
  namespace: maybe(fc.constantFrom("n1", "n2")),
  hasHash: fc.boolean(),
  revision_count: fc.integer({ min: 1, max: 9 }),
  duplicate_count: fc.integer({ min: 1, max: 9 }),
  last_seen_at: maybe(time),
  created_at: time,
  updated_at: time,
  deleted_at: maybe(time),
});

const gaps = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 12 });

export const storeRows = fc.record({
  sessions: fc.record({ project: name, directory: text, ended_at: maybe(time), summary: maybe(text) }),
  observations: fc.array(observation, { maxLength: 12 }),
  gaps,
  prompts: fc.array(
    fc.record({
      session_id: session,
      content: fc.oneof(fc.constantFrom("go on"), text),
      project: maybe(name),
      namespace: maybe(fc.constantFrom("n1")),
      created_at: time,
    }),
    { maxLength: 5 },
  ),
  relations: fc.array(
    fc.record({
      from: fc.nat(11),
      to: fc.nat(11),
      type: fc.constantFrom("compacted_from", "relates_to"),
      note: maybe(text),
      created_at: time,
    }),
    { maxLength: 8 },
  ),
});

type StoreRows = typeof storeRows extends fc.Arbitrary<infer Rows> ? Rows : never;

export async function fill(store: ObservationStore, rows: StoreRows): Promise<void> {
  await store.write(async (writer) => {
    for (const id of ["manual-save", "s-1", "s-2"])
      await writer.addSession({ id, started_at: storedTime(NOW), ...rows.sessions });
    const ids: number[] = [];
    for (const [index, { hasHash, ...row }] of rows.observations.entries()) {
      const id = (ids.at(-1) ?? 0) + (rows.gaps[index] ?? 1);
      await writer.addObservation({ id, ...row, normalized_hash: hasHash ? normalizedHash(row.content) : null });
      ids.push(id);
    }
    for (const prompt of rows.prompts) await writer.addPrompt(prompt);
    for (const relation of relationsBetween(ids, rows)) await writer.addRelation(relation);
  });
}

function relationsBetween(ids: readonly number[], { observations, relations }: StoreRows) {
  return relations.flatMap(({ from, to, ...relation }) => {
    const [from_id, to_id] = [ids[from % ids.length], ids[to % ids.length]];
    if (from_id === undefined || to_id === undefined || from_id === to_id) return [];
    const isLive = observations[to % ids.length]?.deleted_at === null;
    const type = isLive && relation.type === COMPACTED_FROM ? "relates_to" : relation.type;
    return [{ ...relation, from_id, to_id, type }];
  });
}
