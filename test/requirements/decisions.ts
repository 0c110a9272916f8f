// Every level, process step, method, phase and integration point of the decisions part.
// `status` is kept by `npm run requirements -- --update`; everything else is written by hand.
import type { Requirement } from "./requirement.ts";

export const decisions: readonly Requirement[] = [
  {
    id: "decisions/level-full",
    source: "decisions spec, Compaction Levels",
    behaviour: "Under 7 days a decision is served whole, with reasoning, traces and context.",
    status: "proved",
  },
  {
    id: "decisions/level-summary",
    source: "decisions spec, Compaction Levels",
    behaviour: "From 7 to 30 days a decision is served as text, outcome, key pattern and confidence against actual.",
    status: "proved",
  },
  {
    id: "decisions/level-digest",
    source: "decisions spec, Compaction Levels",
    behaviour: "From 30 to 90 days decisions are one line each, grouped by category.",
    status: "proved",
  },
  {
    id: "decisions/level-wisdom",
    source: "decisions spec, Compaction Levels",
    behaviour: "From 90 days on decisions are served as statistics and principles.",
    status: "proved",
  },
  {
    id: "decisions/process-trigger",
    source: "decisions spec, Compaction Process",
    behaviour: "Compaction runs on a daily schedule or on demand.",
    status: "proved",
  },
  {
    id: "decisions/process-summarize",
    source: "decisions spec, Compaction Process",
    behaviour: "Summaries keep the essence of a decision, written by a model or without one.",
    status: "proved",
  },
  {
    id: "decisions/process-preserve-raw",
    source: "decisions spec, Compaction Process",
    behaviour: "Raw records always stay in storage; compaction shapes answers only.",
    status: "proved",
  },
  {
    id: "decisions/process-protect",
    source: "decisions spec, Compaction Process",
    behaviour: "Preserved and unreviewed decisions are never compacted.",
    status: "proved",
  },
  {
    id: "decisions/api-compact",
    source: "decisions spec, API",
    behaviour: "cstp.compact runs a compaction cycle.",
    status: "proved",
  },
  {
    id: "decisions/api-get-compacted",
    source: "decisions spec, API",
    behaviour: "cstp.getCompacted serves decisions at the level they are due.",
    status: "proved",
  },
  {
    id: "decisions/api-set-preserve",
    source: "decisions spec, API",
    behaviour: "cstp.setPreserve marks a decision as never to be compacted.",
    status: "proved",
  },
  {
    id: "decisions/api-get-wisdom",
    source: "decisions spec, API",
    behaviour: "cstp.getWisdom serves principles by category.",
    status: "proved",
  },
  {
    id: "decisions/example-wisdom-shape",
    source: "decisions spec, Example Output",
    behaviour:
      "A wisdom item has category, count, success rate, principles with confirmations and the common failure mode.",
    status: "proved",
  },
  {
    id: "decisions/phase-time-based-levels",
    source: "decisions spec, Phases",
    behaviour: "Levels by age appear in query answers.",
    status: "proved",
  },
  {
    id: "decisions/phase-model-summaries",
    source: "decisions spec, Phases",
    behaviour: "Summary and digest texts can come from a model.",
    status: "proved",
  },
  {
    id: "decisions/phase-wisdom-extraction",
    source: "decisions spec, Phases",
    behaviour: "Principles are mined across decisions.",
    status: "proved",
  },
  {
    id: "decisions/phase-configurable-policies",
    source: "decisions spec, Phases",
    behaviour: "Policies can differ by agent and category.",
    status: "proved",
  },
  {
    id: "decisions/query-integration",
    source: "decisions spec, Integration Points",
    behaviour: "The level decides how large a query answer is.",
    status: "proved",
  },
  {
    id: "decisions/calibration-integration",
    source: "decisions spec, Integration Points",
    behaviour: "Compacted decisions keep their calibration values.",
    status: "proved",
  },
  {
    id: "decisions/bridge-integration",
    source: "decisions spec, Integration Points",
    behaviour: "Bridge summaries survive compaction.",
    status: "proved",
  },
  {
    id: "decisions/confidence-integration",
    source: "decisions spec, Integration Points",
    behaviour: "Confidence components inform what is compacted first.",
    status: "proved",
  },
];
