// What was decided where the specs are silent or contradict each other: one entry a ruling.
// `status` is kept by `npm run requirements -- --update`; everything else is written by hand.
import type { Requirement } from "./requirement.ts";

export const rulings: readonly Requirement[] = [
  {
    id: "rulings/plan-then-apply",
    source: "rulings, Everywhere 1",
    behaviour: "Each part plans without writing, apply takes that plan, and a plan with changed inputs is refused.",
    status: "proved",
  },
  {
    id: "rulings/nothing-is-lost",
    source: "rulings, Everywhere 2",
    behaviour:
      "What leaves live memory is archived or soft-deleted first and can be listed, searched and restored; without an archive nothing is pruned.",
    status: "proved",
  },
  {
    id: "rulings/no-model-needed",
    source: "rulings, Everywhere 3",
    behaviour:
      "Everything works without a key through a deterministic summarizer; a model's output is checked against facts found by code.",
    status: "proved",
  },
  {
    id: "rulings/names-of-the-specs",
    source: "rulings, Everywhere 4",
    behaviour: "What users see keeps the specified names; code is camelCase inside.",
    status: "proved",
  },
  {
    id: "rulings/reading-times",
    source: "rulings, Everywhere 5",
    behaviour:
      "One clock, UTC in storage, four date shapes read, and an unreadable date is reported without losing the batch.",
    status: "proved",
  },
  {
    id: "rulings/cutting-text",
    source: "rulings, Everywhere 6",
    behaviour: "No cut splits a surrogate pair or a combining sequence.",
    status: "proved",
  },
  {
    id: "rulings/false-duplicate-guard",
    source: "rulings, Everywhere 7",
    behaviour: "Texts that differ in a number, date, negation or name are different facts, decided in one place.",
    status: "proved",
  },
  {
    id: "rulings/series-collapse",
    source: "rulings, Everywhere 7",
    behaviour:
      "Under --aggressive three lines or more of a section, the same but for a counter or date that rises, become the last with a count; archived and restorable.",
    status: "proved",
  },
  {
    id: "rulings/bare-heading",
    source: "rulings, Memory files 4",
    behaviour: "A heading alone is no content: it holds nothing back unless it carries a number, a date or a name.",
    status: "proved",
  },
  {
    id: "rulings/redacted-copies-and-restoring",
    source: "rulings, Everywhere 8",
    behaviour:
      "Restoring from an archive reports each value it cannot return; undo and workspace archives are byte-exact; resuming needs only a small state file.",
    status: "proved",
  },
  {
    id: "rulings/strings-inside-ids-refused",
    source: "rulings, Everywhere 9",
    behaviour: "Strings inside compact_ids are refused while scalar parameters given as text are coerced.",
    status: "proved",
  },
  {
    id: "rulings/trigger-and-budget",
    source: "rulings, Conversation 1",
    behaviour: "The trigger is the share of the window or an overrun of the budget, and requested output is reserved.",
    status: "proved",
  },
  {
    id: "rulings/turns-and-tool-pairs",
    source: "rulings, Conversation 2",
    behaviour:
      "Turns and tool pairs are whole units, counted apart; either count keeps a unit; the recent layer keeps its order.",
    status: "proved",
  },
  {
    id: "rulings/never-removed",
    source: "rulings, Conversation 3",
    behaviour:
      "Pinned messages, the open request, an open call at the tail, the newest tool result and the user's standing rules stay.",
    status: "proved",
  },
  {
    id: "rulings/fit-before-summarizing",
    source: "rulings, Conversation 4",
    behaviour:
      "Room for the summary is reserved first, counts fall alternately, released units are summarized, and an oversized result is shortened before the error.",
    status: "proved",
  },
  {
    id: "rulings/no-thrash",
    source: "rulings, Conversation 5",
    behaviour:
      "The fit aims below the trigger, waits after landing at the floor, calls the summarizer once and discards results that do not help.",
    status: "proved",
  },
  {
    id: "rulings/summary-message",
    source: "rulings, Conversation 6",
    behaviour:
      "One framed summary, a user's message behind the pinned layer, recognised by state and never by its text; forged markers stay text.",
    status: "proved",
  },
  {
    id: "rulings/summary-versions",
    source: "rulings, Conversation 7",
    behaviour: "Each summary's version is the previous one plus one, and its facts are carried by code as well.",
    status: "proved",
  },
  {
    id: "rulings/failing-model-ladder",
    source: "rulings, Conversation 8",
    behaviour:
      "Failing, empty, long, refused and partial answers each have their step, ending in pruning with a notice and a circuit breaker.",
    status: "proved",
  },
  {
    id: "rulings/damaged-input",
    source: "rulings, Conversation 9",
    behaviour: "Damaged input is healed with its compaction and listed, or refused with each index in strict mode.",
    status: "proved",
  },
  {
    id: "rulings/kept-messages-identical",
    source: "rulings, Conversation 10",
    behaviour: "Kept messages are the same objects with every field.",
    status: "proved",
  },
  {
    id: "rulings/concurrent-compaction",
    source: "rulings, Conversation 11",
    behaviour:
      "Messages appended meanwhile are kept, one compaction runs per session, and a commit needs its prefix to be there still.",
    status: "proved",
  },
  {
    id: "rulings/redaction-of-values",
    source: "rulings, Conversation 12",
    behaviour: "Only values are redacted, JSON stays valid, ordinary code stays, and every export is covered.",
    status: "proved",
  },
  {
    id: "rulings/archive-naming",
    source: "rulings, Conversation 13",
    behaviour: "Session ids are encoded, steps continue after a restart and files are created exclusively.",
    status: "proved",
  },
  {
    id: "rulings/event-log",
    source: "rulings, Conversation 14",
    behaviour: "The event log holds every redacted event, and switched-off redaction is a high-severity warning.",
    status: "proved",
  },
  {
    id: "rulings/observation-schema",
    source: "rulings, Observations 1",
    behaviour: "The store's schema stays as it is and an existing database opens, also one without a namespace column.",
    status: "proved",
  },
  {
    id: "rulings/refused-ids",
    source: "rulings, Observations 2",
    behaviour:
      "Deleted, unknown, foreign, too many, empty or non-integer ids change nothing; duplicates count once; a JSON string or an array is accepted.",
    status: "proved",
  },
  {
    id: "rulings/younger-ids-warned",
    source: "rulings, Observations 3",
    behaviour: "Ids younger than the given age are compacted and named in a warning.",
    status: "proved",
  },
  {
    id: "rulings/compacted-from-relations",
    source: "rulings, Observations 4",
    behaviour:
      "The summary is related to each compacted row in the same transaction, both ways visible, and a restore tool undoes it.",
    status: "proved",
  },
  {
    id: "rulings/omitted-scope",
    source: "rulings, Observations 5",
    behaviour:
      "No scope means all scopes, the summary takes the shared one, counts come from the transaction, and no summary is stored for nothing.",
    status: "proved",
  },
  {
    id: "rulings/age-by-creation",
    source: "rulings, Observations 6",
    behaviour:
      "Age is the creation time, strictly; living documents and earlier summaries are marked and left out of the ready call.",
    status: "proved",
  },
  {
    id: "rulings/identify-contents",
    source: "rulings, Observations 7",
    behaviour: "The list shows the agreed fields, age buckets, totals, tokens and the ready call.",
    status: "proved",
  },
  {
    id: "rulings/sessions-on-demand",
    source: "rulings, Observations 8",
    behaviour: "Sessions are created on demand, and search survives any text and finds CJK substrings.",
    status: "proved",
  },
  {
    id: "rulings/compacted-rows-findable",
    source: "rulings, Observations 9",
    behaviour: "Compacted rows can be found when asked for.",
    status: "proved",
  },
  {
    id: "rulings/level-ranges",
    source: "rulings, Decisions 1",
    behaviour:
      "Preserved and unreviewed are full; else whole days since the decision decide, or since the review if so configured.",
    status: "proved",
  },
  {
    id: "rulings/digest-and-survivors",
    source: "rulings, Decisions 2",
    behaviour:
      "A digest is grouped and never repeats the text, bridges and calibration survive, and wisdom returns no raw fields.",
    status: "proved",
  },
  {
    id: "rulings/wisdom-statistics",
    source: "rulings, Decisions 3",
    behaviour:
      "Rates, principles and failure modes are counted over reviewed decisions by the agreed rules and rounding.",
    status: "proved",
  },
  {
    id: "rulings/lesson-never-a-failure",
    source: "rulings, Decisions 3",
    behaviour:
      "What failed is a pattern or a decision; what its failures taught stands beside it, never as a way to fail.",
    status: "proved",
  },
  {
    id: "rulings/principles-by-kind",
    source: "rulings, Decisions 3",
    behaviour: "Patterns come before lessons of successes, these before reasons, and filler is no principle.",
    status: "proved",
  },
  {
    id: "rulings/existing-wording-offered",
    source: "rulings, Decisions 3",
    behaviour: "Whoever words a pattern or a lesson otherwise than the log does is offered the log's wording.",
    status: "proved",
  },
  {
    id: "rulings/wisdom-formats",
    source: "rulings, Decisions 4",
    behaviour:
      "Wisdom comes in the specified form or structured, other results use the wire format, and batches are answered.",
    status: "proved",
  },
  {
    id: "rulings/raw-records-unaltered",
    source: "rulings, Decisions 5",
    behaviour: "Only setPreserve alters a record, in both stores, and one unreadable record does not stop the rest.",
    status: "proved",
  },
  {
    id: "rulings/record-date-and-text",
    source: "rulings, Decisions 6",
    behaviour: "A record's date and text come from the agreed fields in order.",
    status: "proved",
  },
  {
    id: "rulings/dry-run-by-default",
    source: "rulings, Memory files 1",
    behaviour: "Writing has to be asked for, and aggressive alone writes nothing.",
    status: "proved",
  },
  {
    id: "rulings/two-token-counts",
    source: "rulings, Memory files 2",
    behaviour: "The specified formula and the exact count stand side by side, and either above 500 marks a section.",
    status: "proved",
  },
  {
    id: "rulings/size-limits",
    source: "rulings, Memory files 3",
    behaviour: "The limits and thresholds are the agreed bytes, and the plan says what brings the file under.",
    status: "proved",
  },
  {
    id: "rulings/redundancy-over-token-sets",
    source: "rulings, Memory files 4",
    behaviour:
      "Similarity is over token sets with containment and novel tokens, and a section with a fact of its own is never removed by itself.",
    status: "proved",
  },
  {
    id: "rulings/edits-by-offset",
    source: "rulings, Memory files 5",
    behaviour: "Edits follow a real parse and leave everything outside the planned ranges as it was.",
    status: "proved",
  },
  {
    id: "rulings/aggressive-dedup-bounds",
    source: "rulings, Memory files 6",
    behaviour:
      "Dedup works within one section outside fences, tables and front matter, and one run removes at most half of a file.",
    status: "proved",
  },
  {
    id: "rulings/rotation-as-apply",
    source: "rulings, Memory files 7",
    behaviour:
      "Rotation makes an exclusive byte copy, never of today's note; removed sections are archived and can be put back.",
    status: "proved",
  },
  {
    id: "rulings/daily-note-names",
    source: "rulings, Memory files 8",
    behaviour: "Only real dates with an optional slug are daily notes, and archived files are not analysed.",
    status: "proved",
  },
  {
    id: "rulings/workspace-lookup",
    source: "rulings, Memory files 9",
    behaviour:
      "The workspace is found in the agreed order, an explicit one must exist, and links leaving it are refused.",
    status: "proved",
  },
  {
    id: "rulings/replaced-expected-values",
    source: "rulings, Where these rulings replace an expected value",
    behaviour: "The replaced expected values hold as ruled.",
    status: "proved",
  },
];
