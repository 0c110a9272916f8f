// Decisions that the tests of texts share, as people and agents write them.
import type { RawDecision, StoredDecision } from "../../../src/decisions/decision.ts";
import { readDecision } from "../../../src/decisions/read-decision.ts";

export function decisionOf(raw: RawDecision): StoredDecision {
  const { decision } = readDecision({ id: "d1", ...raw }, { name: "d1" });
  if (decision === undefined) throw new Error("The record is no decision");
  return decision;
}

export const REVIEWED: RawDecision = {
  decision: "Serve price lists from a cache in the shop's own process instead of the shared Redis cluster",
  category: "architecture",
  confidence: 0.8,
  status: "reviewed",
  date: "2031-03-02T10:00:00Z",
  context:
    "Price lists were read from Redis on each request. The cluster sits in eu-west-3 and every read costs 11 ms. Support had 40 complaints in February.",
  reasons: [
    { type: "intuition", text: "Simple things break less often.", strength: 0.2 },
    { type: "empirical", text: "A list changes twice a day and is read 900 times a minute.", strength: 0.9 },
    { type: "constraint", text: "The cluster must not be scaled before June.", strength: 0.7 },
  ],
  outcome: "partial",
  actual_result: "p95 fell from 410 ms to 60 ms. One shop showed old prices for 20 minutes.",
  lessons: "Never cache without a way to drop the cache by hand.",
  reviewed_at: "2031-03-20T08:00:00Z",
};
