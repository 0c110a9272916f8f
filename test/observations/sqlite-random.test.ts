// The same random rows, with times in every shape, in a database and in memory: every question has the same answer. Enough
// rows that the database answers from its indexes rather than by reading all.
import { describe, expect, it } from "vitest";
import { createMemoryObservationStore } from "../../src/observations/memory-observation-store.ts";
import { type NewObservation, storedTime } from "../../src/observations/observation.ts";
import type {
  ObservationFilter,
  ObservationReader,
  ObservationStore,
} from "../../src/observations/observation-store.ts";
import { createSqliteObservationStore } from "../../src/observations/sqlite-observation-store.ts";
import { DAY_MS } from "../../src/time.ts";
import { newObservation, newSession } from "./suite/sample-rows.ts";

const ROWS = 2500;
const LAST = Date.UTC(2031, 2, 1);
const SPAN = 400 * DAY_MS;

type Random = () => number;
type Shape = (at: number, random: Random) => string;

const iso = (at: number) => new Date(at).toISOString();
const offset = (at: number, hours: number, minutes: number) => {
  const sign = hours < 0 ? "-" : "+";
  const local = iso(at + (hours * 60 + Math.sign(hours) * minutes) * 60_000).slice(0, 19);
  const part = (value: number) => String(Math.abs(value)).padStart(2, "0");
  return `${local}${sign}${part(hours)}:${part(minutes)}`;
};
const usual: Shape = (at) => storedTime(at);
const isoShape: Shape = (at) => iso(at);
const unreadable: readonly string[] = [
  "yesterday",
  "",
  "2031-02-30 10:00:00",
  "2030-06-15 24:30:00",
  "12345",
  "2030-13-01",
];
const shapes: readonly Shape[] = [
  usual,
  isoShape,
  (at) => `${iso(at).slice(0, 19)}Z`,
  (at) => iso(at).slice(0, 10),
  (at) => iso(at).slice(0, 16),
  (at) => ` ${storedTime(at)}\n`,
  (at) => `${storedTime(at)}.25`,
  (at) => `${storedTime(at)} UTC`,
  (at, random) => offset(at, Math.floor(random() * 27) - 12, 30),
  (at) => offset(at, 99, 59),
  (at) => offset(at, -99, 59),
  (at) => String(Math.floor(at / 1000)),
  (at) => (at / 1000).toFixed(3),
  (at) => String(at),
  (at) => `0${Math.floor(at / 1000)}`,
  (at) => String(Math.floor(at / 50_000)).padStart(9, "0"),
  // When seconds begin as years do.
  (at) => String(Math.floor(at / 1000) + 100_000_000),
  (_, random) => unreadable[Math.floor(random() * unreadable.length)] ?? "",
];
const anyShape: Shape = (at, random) => (shapes[Math.floor(random() * shapes.length)] ?? usual)(at, random);
const seldom =
  (other: Shape, main: Shape): Shape =>
  (at, random) =>
    (random() < 0.05 ? other : main)(at, random);

const words = ["alpha", "beta", "gamma", "C++", "a/b", "café", "日本語", "x_y", "100%", "😀"];

describe("a database answers as the memory does", () => {
  it.each<readonly [string, Shape]>([
    ["in the reference's shape, some in others", seldom(anyShape, usual)],
    ["in ISO 8601, some in others", seldom(anyShape, isoShape)],
    ["in every shape", anyShape],
  ])("with times %s", async (name, shape) => {
    const random = randomFrom(name.length);
    const rows = Array.from({ length: ROWS }, () => randomRow(random, shape));
    const stores = [createSqliteObservationStore({ path: ":memory:" }), createMemoryObservationStore()];
    for (const store of stores) await fill(store, rows);
    const [database, memory] = stores;
    for (const [what, ask] of questions(random)) {
      const [actual, expected] = [await database?.read(ask), await memory?.read(ask)];
      expect(actual, what).toStrictEqual(expected);
    }
    for (const store of stores) await store.close();
  });
});

type Question = readonly [what: string, ask: (rows: ObservationReader) => Promise<unknown>];

function questions(random: Random): readonly Question[] {
  const filters: readonly ObservationFilter[] = [
    {},
    { project: "common" },
    { project: "rare" },
    { scope: "project" },
    { project: "common", scope: "personal" },
    { project: "common", scope: "project", type: "bugfix" },
    { namespace: "team" },
  ];
  return filters
    .flatMap((filter) =>
      Array.from({ length: 3 }, (): Question[] => {
        const before = LAST - Math.floor(random() * SPAN * 1.1);
        const limit = 1 + Math.floor(random() * 60);
        const offset = Math.floor(random() * 40);
        const standing = (["live", "deleted", "any"] as const)[Math.floor(random() * 3)] ?? "any";
        const named = JSON.stringify({ filter, before: iso(before), limit, offset, standing });
        const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
        return [
          [`stale ${named}`, async (rows) => idsOf(await rows.stale({ filter, before, limit }))],
          [`next stale ${named}`, async (rows) => pagesOf(rows, filter, before, limit)],
          [`survey ${named}`, (rows) => rows.surveyStale(filter, [before, before - 30 * DAY_MS, before - 90 * DAY_MS])],
          [`count ${named}`, (rows) => rows.count(filter, standing)],
          [`list ${named}`, async (rows) => idsOf(await rows.list({ filter, standing, limit, offset }))],
        ];
      }).flat(),
    )
    .concat(
      [
        [
          "all, to the unreadable ones",
          async (rows) =>
            (await rows.list({ filter: {}, standing: "any", limit: ROWS, offset: 0 })).map(({ id }) => id),
        ],
      ],
      words.map(
        (text): Question => [
          `search ${text}`,
          async (rows) =>
            (
              await rows.search({
                words: [{ text, isSubstring: /[日😀%]/u.test(text) }],
                filter: {},
                standing: "live",
                limit: 0,
                offset: 0,
              })
            ).total,
        ],
      ),
      [["totals", (rows) => rows.totals()]],
    );
}

/** The next pages, as a caller goes through them. */
async function pagesOf(rows: ObservationReader, filter: ObservationFilter, before: number, limit: number) {
  const { readTime } = await import("../../src/time.ts");
  const ids: number[][] = [];
  let after: { createdAt: number; id: number } | undefined;
  for (let page = 0; page < 4; page++) {
    const found = await rows.stale({ filter, before, limit, ...(after === undefined ? {} : { after }) });
    ids.push(found.map(({ id }) => id));
    const last = found.at(-1);
    if (last === undefined) break;
    after = { createdAt: readTime(last.created_at) ?? 0, id: last.id };
  }
  return ids;
}

function randomRow(random: Random, shape: Shape): NewObservation {
  // Few distinct times, so that many are equal.
  const at = LAST - Math.floor(random() * 500) * (SPAN / 500);
  const text = Array.from({ length: 4 }, () => words[Math.floor(random() * words.length)]).join(" ");
  return newObservation({
    content: text,
    project: random() < 0.7 ? "common" : random() < 0.1 ? "rare" : null,
    scope: random() < 0.9 ? "project" : "personal",
    type: random() < 0.5 ? "bugfix" : "decision",
    namespace: random() < 0.1 ? "team" : null,
    created_at: shape(at, random),
    deleted_at: random() < 0.2 ? "2031-03-09 00:00:00" : null,
  });
}

async function fill(store: ObservationStore, rows: readonly NewObservation[]): Promise<void> {
  await store.write(async (writer) => {
    await writer.addSession(newSession());
    for (const row of rows) await writer.addObservation(row);
  });
}

/** Mulberry32. */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
