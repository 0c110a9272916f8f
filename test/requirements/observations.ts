// Every functional and non-functional requirement and success criterion of the observations part.
// `status` is kept by `npm run requirements -- --update`; everything else is written by hand.
import type { Requirement } from "./requirement.ts";

export const observations: readonly Requirement[] = [
  {
    id: "observations/find-stale-observations",
    source: "observations spec, Functional Requirements",
    behaviour:
      "Stale live rows are listed by project and scope, oldest first, with a 100-character snippet, 50 by default and 200 at most.",
    status: "proved",
  },
  {
    id: "observations/identify-mode",
    source: "observations spec, Functional Requirements",
    behaviour: "Without ids the tool lists candidates with their number, their ages and what to do next.",
    status: "proved",
  },
  {
    id: "observations/execute-mode",
    source: "observations spec, Functional Requirements",
    behaviour: "With ids the tool soft-deletes them and stores an optional summary in one transaction.",
    status: "proved",
  },
  {
    id: "observations/tool-parameters",
    source: "observations spec, Functional Requirements",
    behaviour:
      "The tool takes project, scope, older_than_days, compact_ids, summary title and content, and a session with its default.",
    status: "proved",
  },
  {
    id: "observations/execution-response",
    source: "observations spec, Functional Requirements",
    behaviour: "The answer counts deleted rows, names the summary and gives totals before and after for the filter.",
    status: "proved",
  },
  {
    id: "observations/validation-rules",
    source: "observations spec, Functional Requirements",
    behaviour: "A bad age, bad or empty ids, a summary without title and ids already deleted are refused.",
    status: "proved",
  },
  {
    id: "observations/summary-metadata",
    source: "observations spec, Functional Requirements",
    behaviour:
      "The summary row has its own type, the scope of what it replaces, the project of the filter and the caller's text.",
    status: "proved",
  },
  {
    id: "observations/server-instructions",
    source: "observations spec, Functional Requirements",
    behaviour: "The server's instructions explain the two phases: identify, then compact.",
    status: "proved",
  },
  {
    id: "observations/research-foundations-page",
    source: "observations spec, Functional Requirements",
    behaviour: "The documentation names the context-engineering research this rests on.",
    status: "proved",
  },
  {
    id: "observations/tool-count-in-documents",
    source: "observations spec, Functional Requirements",
    behaviour: "The documents state the number of tools that the server really offers.",
    status: "proved",
  },
  {
    id: "observations/batch-delete-performance",
    source: "observations spec, Non-Functional Requirements",
    behaviour: "200 rows are soft-deleted in one transaction within 500 ms.",
    status: "proved",
  },
  {
    id: "observations/atomic-compaction",
    source: "observations spec, Non-Functional Requirements",
    behaviour: "A summary that cannot be stored leaves every row live.",
    status: "proved",
  },
  {
    id: "observations/no-schema-changes",
    source: "observations spec, Non-Functional Requirements",
    behaviour: "The existing table and its deleted_at column are enough; no table or column is added.",
    status: "proved",
  },
  {
    id: "observations/no-regressions",
    source: "observations spec, Non-Functional Requirements",
    behaviour: "Every other tool and test works as before.",
    status: "proved",
  },
  {
    id: "observations/goal-one-call-identify",
    source: "observations spec, Success Criteria",
    behaviour: "One tool call finds the observations older than N days.",
    status: "proved",
  },
  {
    id: "observations/goal-atomic-batch",
    source: "observations spec, Success Criteria",
    behaviour: "One call soft-deletes a batch and creates its replacement summary atomically.",
    status: "proved",
  },
  {
    id: "observations/goal-one-new-tool",
    source: "observations spec, Success Criteria",
    behaviour: "Compaction adds exactly one tool, mem_compact, to the specified set.",
    status: "proved",
  },
  {
    id: "observations/goal-existing-tests-pass",
    source: "observations spec, Success Criteria",
    behaviour: "All earlier tests still pass.",
    status: "proved",
  },
];
