// Random records: every answer of a log is the one that plain code works out over all of them.
import { describe, expect, it } from "vitest";
import type { Level, RawDecision, StoredDecision } from "../../../src/decisions/decision.ts";
import type {
  DecisionFilter,
  DecisionReader,
  LevelView,
  PageQuery,
  Position,
} from "../../../src/decisions/decision-log.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { DAY_MS } from "../../../src/time.ts";
import {
  evidenceOf,
  expectedChanges,
  expectedGroup,
  expectedPage,
  expectedSurvey,
  expectedTally,
  expectedWordings,
  readAll,
} from "./oracle.ts";
import { AGENTS, CATEGORIES, pick, type Random, randomFrom, randomRecords } from "./random-records.ts";
import { addAll, type CurrentLog, NOW } from "./sample-records.ts";

const VIEWS: readonly LevelView[] = [
  { policies: decisionPolicies(), now: NOW },
  { policies: decisionPolicies(), now: NOW + 1 },
  { policies: decisionPolicies({ ageBasis: "review", preserveStakes: ["high"] }), now: NOW },
  { policies: decisionPolicies({ isEnabled: false }), now: NOW },
  {
    policies: decisionPolicies({ thresholds: { full: 5, summary: 10 }, preserveTags: ["keep", "7"] }, [
      { name: "careful", agent: "o'hara", thresholds: { digest: 365 }, preserveTags: [] },
      { name: "both", agent: "coder", category: "process", thresholds: { full: 14, summary: 45, digest: 100 } },
      { name: "process", category: "process", isEnabled: false },
      { name: "wide", category: "日本語", ageBasis: "review", preserveStakes: ["low", "Extreme"] },
    ]),
    now: NOW - 3 * DAY_MS,
  },
];

export function describeRandom(current: CurrentLog, count: number): void {
  describe("random records", () => {
    it.each([1, 2])(
      "have the answers of plain code (seed %i)",
      async (seed) => {
        const log = current();
        const random = randomFrom(seed);
        const records = await fill(current, random, count);
        const decisions = readAll(records);
        const before = await keepLevels(current, random, decisions);
        await log.read(async (reader) => {
          expect(await reader.decisions(decisions.map(({ id }) => id))).toStrictEqual(decisions);
          for (const [turn, [view, filter]] of questions(random).entries()) {
            await comparePages(reader, random, decisions, filter, view);
            await compareReviewed(reader, random, decisions, filter, turn % 3 === 2 ? undefined : view);
            const changes = await reader.levelChanges(view, filter);
            expect(changes, JSON.stringify(filter)).toStrictEqual(expectedChanges(decisions, before, view, filter));
          }
        });
      },
      120_000,
    );
  });
}

/** Every view over all records and over some. */
function questions(random: Random): readonly (readonly [LevelView, DecisionFilter])[] {
  return VIEWS.flatMap((view) =>
    Array.from({ length: 8 }, (_, turn) => [view, turn === 0 ? {} : randomFilter(random)] as const),
  );
}

/** Adds all, then changes some and replaces some. Gives the records as they are then. */
async function fill(current: CurrentLog, random: Random, count: number): Promise<readonly RawDecision[]> {
  const records = new Map(randomRecords(random, count).map((record) => [String(record.id), copied(record)]));
  await addAll(current(), [...records.values()]);
  const ids = [...records.keys()];
  const others = randomRecords(random, Math.ceil(count / 10)).map(copied);
  await current().write(async (log) => {
    for (const [index, other] of others.entries()) {
      const id = pick(random, ids);
      const { id: _, ...changes } = other;
      const changed = index % 2 === 0 ? { ...records.get(id), ...changes } : { ...other, id };
      await (index % 2 === 0 ? log.change(id, changes) : log.replace(changed));
      records.set(id, changed);
    }
  });
  return [...records.values()];
}

/** Without keys that are undefined, as a store gives it back. */
function copied(record: RawDecision): RawDecision {
  return JSON.parse(JSON.stringify(record));
}

async function keepLevels(current: CurrentLog, random: Random, decisions: readonly StoredDecision[]) {
  const levels = decisions
    .filter(() => random() < 0.5)
    .map(({ id }) => ({ id, level: pick(random, ["full", "summary", "digest", "wisdom"] as const) }));
  await current().write((log) => log.setLevels(levels));
  return new Map<string, Level>(levels.map(({ id, level }) => [id, level]));
}

function randomFilter(random: Random): DecisionFilter {
  const often = <Value>(share: number, value: Value | undefined) => random() < share && value !== undefined;
  const category = pick(random, CATEGORIES);
  const agent = pick(random, AGENTS);
  const words = [pick(random, ["search", "FIRST", "queue", "x%", "検索", "ÉCRIRE"]), pick(random, ["a", "decide"])];
  return {
    ...(often(0.4, category) ? { category: category ?? "" } : {}),
    ...(often(0.3, agent) ? { agent: agent ?? "" } : {}),
    ...(often(0.2, "") ? { status: pick(random, ["reviewed", "pending"]) } : {}),
    ...(often(0.3, "") ? { words } : {}),
  };
}

async function comparePages(
  reader: DecisionReader,
  random: Random,
  decisions: readonly StoredDecision[],
  filter: DecisionFilter,
  view: LevelView,
): Promise<void> {
  const levels = pick(random, [undefined, ["wisdom"], ["full", "digest"], ["summary"]] as const);
  const common = {
    filter,
    view,
    includePreserved: random() < 0.7,
    ...(levels === undefined ? {} : { levels }),
  };
  const place = pick(random, decisions);
  const after: Position = {
    id: place.id,
    ...(place.decidedAt === undefined ? {} : { decidedAt: place.decidedAt }),
  };
  const query: PageQuery = { ...common, limit: 1 + Math.floor(random() * 80), ...(random() < 0.6 ? { after } : {}) };
  const named = JSON.stringify(query);
  expect(await reader.page(query), named).toStrictEqual(expectedPage(decisions, query));
  expect(await reader.survey(common), named).toStrictEqual(expectedSurvey(decisions, common));
}

async function compareReviewed(
  reader: DecisionReader,
  random: Random,
  decisions: readonly StoredDecision[],
  filter: DecisionFilter,
  view: LevelView | undefined,
): Promise<void> {
  const query = { filter, ...(view === undefined ? {} : { view }) };
  const named = JSON.stringify(query);
  const tally = (await reader.tally(query)).map(
    ({ category, outcome, confidence, count }) => `${JSON.stringify([category, outcome, confidence])} ${count}`,
  );
  expect([...tally].sort(), named).toStrictEqual(expectedTally(decisions, query));
  const most = pick(random, [1, 3, 100]);
  const wordings = await reader.wordings(query, most);
  expect(grouped(wordings), named).toStrictEqual(grouped(expectedWordings(decisions, query, most)));
  const keys = [...new Set(decisions.slice(0, 200).flatMap((decision) => evidenceOf(decision).map(({ key }) => key)))];
  const groups = [keys, keys.slice(0, 1), keys.slice(0, 3), keys.slice(2, 6), [pick(random, keys), "none"]];
  const expected = groups.map((group) => expectedGroup(decisions, query, group));
  expect(await reader.groupWordings(query, groups), named).toStrictEqual(expected);
}

function grouped(wordings: readonly { readonly category: string }[]): Readonly<Record<string, unknown>> {
  const groups: Record<string, unknown[]> = {};
  for (const wording of wordings) {
    groups[wording.category] = [...(groups[wording.category] ?? []), wording];
  }
  return groups;
}
