// Families of one principle in other words, and near pairs that are two principles. Both were written before the rules that
// tell them apart.
import { describe, expect, it } from "vitest";
import { wordingKey } from "../../../src/decisions/evidence.ts";
import { mergeWordings, weightOf } from "../../../src/decisions/wisdom/merge-wordings.ts";
import { verifies } from "../../requirements/verifies.ts";

function groupsOf(texts: readonly string[]): readonly number[] {
  const keys = [...new Set(texts.map(wordingKey))];
  const counts = { confirmations: 1, contradictions: 0, failures: 0, decisions: 1, rank: 0 };
  return mergeWordings(keys.map((key) => ({ key, weight: weightOf(key), ...counts }))).map((group) => {
    const merged = new Set(group.map(({ key }) => key));
    return texts.filter((text) => merged.has(wordingKey(text))).length;
  });
}

/** Of each family four of five have to meet. */
const FAMILIES: readonly (readonly string[])[] = [
  ["Test before deploying", "Test before you deploy", "Test first, then deploy", "Always test before deploying"],
  [
    "Feature flags prevent broken releases",
    "Feature flags avoid broken releases",
    "Feature-flags prevented broken releases",
    "A feature flag prevents broken releases",
    "Feature flags keep releases from breaking",
  ],
  [
    "Two small releases > one large release",
    "Two small releases beat one large release",
    "Two small releases over a single large release",
    "Two small releases beat a single large release",
    "Small releases in pairs are what we want",
  ],
  [
    "Prepare the fallback before the cutover",
    "Write the fallback before the cutover",
    "Have a fallback ready before each cutover",
    "Prepare the fallback plan before the cutover",
  ],
  [
    "Validate inputs before migrating",
    "Validate the input before the migration",
    "Validate inputs first, then migrate",
    "Always validate inputs before migration",
    "Validate your inputs before every migration",
  ],
  ["Ask first", "Ask before acting", "Always ask first", "Ask before you start", "Ask before deciding"],
  [
    "Plain SQL beats a generated query",
    "Plain SQL > generated query",
    "Plain SQL over generated queries",
    "Plain SQL outperforms a generated query",
    "We no longer use the query generator",
  ],
  [
    "Review the plan before the implementation",
    "Review the plan before implementing",
    "Do a review of the plan before implementing",
    "Review the plan before you implement",
    "Always review the plan before implementing",
  ],
];

/** Twenty by negation, number, name and scope; twenty by something else. */
const NEAR: readonly (readonly [string, string, string])[] = [
  ["negation", "Cache the parsed manifest", "Never cache the parsed manifest"],
  ["negation", "Retries are safe on this endpoint", "Retries are not safe on this endpoint"],
  ["negation", "Deploy with a rollback", "Deploy without a rollback"],
  ["negation", "Always measure before optimising", "Never measure before optimising"],
  ["negation", "Search first prevents duplicate work", "Search first does not prevent duplicate work"],
  ["number", "Keep three replicas of the index", "Keep five replicas of the index"],
  ["number", "One strong argument is enough", "Two strong arguments are enough"],
  ["number", "Rotate the keys every 30 days", "Rotate the keys every 90 days"],
  ["number", "Keep a single writer", "Keep two writers"],
  ["number", "Pin the runtime to version 20", "Pin the runtime to version 22"],
  ["name", "SQLite is enough for a single writer", "Postgres is enough for a single writer"],
  ["name", "Prefer Redis over Memcached", "Prefer Memcached over Redis"],
  ["name", "Ask Carla before the migration", "Ask Dmitri before the migration"],
  ["name", "Run the checks on staging", "Run the checks on production"],
  ["name", "Parse dates with Luxon", "Parse dates with Temporal"],
  ["scope", "Write the rollback before the migration", "Write the rollback before each data migration"],
  ["scope", "Validate input in the gateway", "Validate input in the worker"],
  ["scope", "Test before deploying", "Test before deploying the gateway"],
  ["scope", "Cache reads of the user table", "Cache reads of the order table"],
  ["scope", "Review all changes", "Review some changes"],
  ["order of things", "Measure before optimising", "Optimise before measuring"],
  ["order of things", "Write tests first, then code", "Write code first, then tests"],
  ["before and after", "Take a backup before the migration", "Take a backup after the migration"],
  ["who beats whom", "Many small tests beat one large test", "One large test beats many small tests"],
  ["who beats whom", "Composition over inheritance", "Inheritance over composition"],
  ["must and may", "Reviewers must run the tests", "Reviewers may run the tests"],
  ["always and sometimes", "Always ask first", "Sometimes ask first"],
  ["another doing", "Write the rollback before the migration", "Test the rollback before the migration"],
  ["another doing", "Prepare the release notes", "Publish the release notes"],
  ["another thing", "Write the rollback before the migration", "Write the announcement before the migration"],
  ["another effect", "Search first prevents duplicate work", "Search first causes duplicate work"],
  ["another kind", "Use optimistic locking for carts", "Use pessimistic locking for carts"],
  ["another kind", "Prefer static typing", "Prefer dynamic typing"],
  ["a condition", "Retry the upload", "Retry the upload if it timed out"],
  ["a condition", "Ask first", "Ask first when data is lost"],
  ["more and fewer", "More moving parts mean more failures", "Fewer moving parts mean fewer failures"],
  ["a direction", "Copy from the archive into the store", "Copy from the store into the archive"],
  ["who and whom", "The client retries, the server fails fast", "The server retries, the client fails fast"],
  ["a whole and a part", "Back up the database before upgrades", "Back up the database schema before upgrades"],
  ["time of it", "Profile during the load test", "Profile before the load test"],
];

describe("rewordings of one principle", () => {
  it.each(FAMILIES.map((texts) => [texts[0], texts] as const))("meet: %s", (_, texts) => {
    const most = Math.max(...groupsOf(texts));
    expect(most / texts.length).toBeGreaterThanOrEqual(0.8);
  });
});

describe("near pairs", () => {
  it("are forty", () => {
    expect(new Set(NEAR.map((pair) => pair.join())).size).toBe(40);
  });

  it.each(NEAR)("that differ by %s stay two: %s | %s", (_, a, b) => {
    verifies("field/different-facts-merged");
    expect(groupsOf([a, b])).toHaveLength(2);
    expect(groupsOf([b, a])).toHaveLength(2);
  });
});
