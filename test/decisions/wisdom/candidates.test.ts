// Which groups of wordings the log is asked about: all that are told in the end, and few besides.
import { describe, expect, it } from "vitest";
import type { WordingGroup } from "../../../src/decisions/decision-log.ts";
import { leadingFailures, leadingGroups, leadingPrinciples } from "../../../src/decisions/wisdom/principles.ts";

import { randomFrom } from "./records.ts";

type Random = () => number;
const upTo = (random: Random, most: number) => Math.floor(random() * (most + 1));

/** A decision by what it does for or against a wording: a success, a failure, neither. */
interface Holder {
  readonly outcome: "success" | "failure" | "other";
  /** Of a group's wordings, by their places. */
  readonly holds: readonly number[];
}

function numbers(holders: readonly Holder[]) {
  const count = (outcome: string) => holders.filter((holder) => holder.outcome === outcome).length;
  const [confirmations, failures] = [count("success"), count("failure")];
  return { confirmations, contradictions: failures, failures, decisions: holders.length, rank: 0 };
}

/** Some wordings of one group, which decisions may hold several of, and what a recount of the decisions gives. */
function randomGroup(random: Random, at: number) {
  const places = Array.from({ length: 1 + upTo(random, 2) }, (_, place) => place);
  const holders = Array.from({ length: 1 + upTo(random, 12) }, (): Holder => {
    const first = upTo(random, places.length - 1);
    const also = places.filter((place) => place !== first && random() < 0.3);
    return { outcome: (["success", "failure", "other"] as const)[upTo(random, 2)] ?? "other", holds: [first, ...also] };
  });
  const wordings = places.map((place) => ({
    key: `${at} ${place}`,
    weight: `${at}`,
    ...numbers(holders.filter(({ holds }) => holds.includes(place))),
  }));
  const nobody = { confirmingIds: [], contradictingIds: [], failingIds: [] };
  const recount: WordingGroup = { text: `text ${at}`, categories: ["process"], ...nobody, ...numbers(holders) };
  return { wordings, recount };
}

describe("the groups that the log is asked about", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])("hold all that are told, whatever the overlaps (seed %i)", async (seed) => {
    const random = randomFrom(seed);
    const groups = Array.from({ length: 25 }, (_, at) => randomGroup(random, at));
    const recounts = new Map(groups.map(({ wordings, recount }) => [wordings[0]?.key, recount]));
    const all = groups.map(({ recount }) => recount);
    const asked: string[] = [];
    const ask = async (wanted: readonly (readonly { readonly key: string }[])[]) =>
      wanted.map(([first]) => {
        asked.push(first?.key ?? "");
        return recounts.get(first?.key) ?? expect.fail("A group was asked for that is none.");
      });
    const lists = groups.map(({ wordings }) => wordings);
    const counted = await leadingGroups(lists, ask, { withFailures: true });
    expect(leadingPrinciples([...counted.values()])).toEqual(leadingPrinciples(all));
    expect(leadingFailures([...counted.values()])).toEqual(leadingFailures(all));
    expect(new Set(asked).size).toBe(asked.length);
  });

  it("are the five likeliest where no other can have more", async () => {
    const groups = Array.from({ length: 20 }, (_, at) => {
      const counts = { confirmations: 40 - at, contradictions: 0, failures: 0, decisions: 50, rank: 0 };
      return [{ key: `${at}`, weight: `${at}`, ...counts }];
    });
    const asked: string[] = [];
    await leadingGroups(
      groups,
      async (wanted) =>
        wanted.map(([wording]) => {
          asked.push(wording?.key ?? "");
          const nobody = { confirmingIds: [], contradictingIds: [], failingIds: [] };
          const none = { confirmations: 0, contradictions: 0, failures: 0, decisions: 0, rank: 3 };
          return { text: wording?.key ?? "", categories: [], ...nobody, ...(wording ?? none) };
        }),
      { withFailures: true },
    );
    expect(asked).toEqual(["0", "1", "2", "3", "4"]);
  });
});
