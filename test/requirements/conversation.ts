// Every scenario of the conversation part.
// `status` is kept by `npm run requirements -- --update`; everything else is written by hand.
import type { Requirement } from "./requirement.ts";

export const conversation: readonly Requirement[] = [
  {
    id: "conversation/accurate-token-estimate",
    source: "conversation spec, Token Budget Monitoring",
    behaviour:
      "The estimate covers system, developer, tool schemas and every message with the model's own encoding, within 10 ms per batch.",
    status: "proved",
  },
  {
    id: "conversation/budget-with-buffer-reserve",
    source: "conversation spec, Token Budget Monitoring",
    behaviour: "The budget is the window less the buffer: 126,500 tokens of 128,000 with a buffer of 1,500.",
    status: "proved",
  },
  {
    id: "conversation/automatic-trigger-at-85-percent",
    source: "conversation spec, Compaction Trigger Thresholds",
    behaviour: "108,800 of 128,000 tokens trigger compaction before the next model call, with an event that says so.",
    status: "proved",
  },
  {
    id: "conversation/no-trigger-below-threshold",
    source: "conversation spec, Compaction Trigger Thresholds",
    behaviour: "96,000 of 128,000 tokens leave the list alone and the trigger event says triggered=false.",
    status: "proved",
  },
  {
    id: "conversation/manual-compaction",
    source: "conversation spec, Manual Compaction Command",
    behaviour:
      "manualCompact compacts at any fill level, returns the compacted messages and puts the caller's note in the event.",
    status: "proved",
  },
  {
    id: "conversation/task-state-summary",
    source: "conversation spec, Summarization Strategies",
    behaviour:
      "task_state extracts goals, entities, constraints, decisions with reasons, open actions and sources, the same each time for a fixed seed.",
    status: "proved",
  },
  {
    id: "conversation/decision-log-summary",
    source: "conversation spec, Summarization Strategies",
    behaviour:
      "decision_log writes a chronological ledger of decision, rationale, inputs and outputs, and invents nothing.",
    status: "proved",
  },
  {
    id: "conversation/code-delta-summary",
    source: "conversation spec, Summarization Strategies",
    behaviour: "code_delta writes one bullet per changed file: what changed, why, and what follows.",
    status: "proved",
  },
  {
    id: "conversation/protected-message-never-pruned",
    source: "conversation spec, Protected Memory",
    behaviour: "A message marked protected stays unchanged in the output and out of the summarizer's input.",
    status: "proved",
  },
  {
    id: "conversation/role-based-protection",
    source: "conversation spec, Protected Memory",
    behaviour: "Messages of a role in roles_never_prune stay unchanged through any compaction.",
    status: "proved",
  },
  {
    id: "conversation/protected-only-exhausts-budget",
    source: "conversation spec, Protected Memory",
    behaviour: "Protected messages above the budget raise InsufficientBudget with an error event and advice.",
    status: "proved",
  },
  {
    id: "conversation/keep-recent-turns",
    source: "conversation spec, History Pruning Policies",
    behaviour: "The last keep_recent_turns turns stay unchanged, the older ones may be summarized.",
    status: "proved",
  },
  {
    id: "conversation/keep-tool-io-pairs",
    source: "conversation spec, History Pruning Policies",
    behaviour: "The last keep_tool_io_pairs tool pairs stay unchanged, the older ones may be summarized.",
    status: "proved",
  },
  {
    id: "conversation/incremental-reduction",
    source: "conversation spec, History Pruning Policies",
    behaviour:
      "Over the budget, kept turns and pairs fall by one at a time down to (1,1), then InsufficientBudget is raised.",
    status: "proved",
  },
  {
    id: "conversation/three-layer-output",
    source: "conversation spec, Memory Layers",
    behaviour:
      "The output is pinned messages, one summary with its versioned prefix, then recent messages; the event logs the layers.",
    status: "proved",
  },
  {
    id: "conversation/rolling-summary-replacement",
    source: "conversation spec, Memory Layers",
    behaviour:
      "A second compaction summarizes the earlier summary too, keeps its key facts and leaves exactly one summary.",
    status: "proved",
  },
  {
    id: "conversation/token-estimate-event",
    source: "conversation spec, Observability via Tracing",
    behaviour: "compact.token_estimate carries model, estimate, maximum, share and a breakdown by component.",
    status: "proved",
  },
  {
    id: "conversation/trigger-decision-event",
    source: "conversation spec, Observability via Tracing",
    behaviour:
      "compact.trigger_decision carries the outcome, the reason, the policy and, when triggered, what is kept and pruned.",
    status: "proved",
  },
  {
    id: "conversation/summary-created-event",
    source: "conversation spec, Observability via Tracing",
    behaviour: "compact.summary_created carries strategy, input count, summary size, ratio and the summary as payload.",
    status: "proved",
  },
  {
    id: "conversation/error-event",
    source: "conversation spec, Observability via Tracing",
    behaviour:
      "A failed compaction emits compact.error with status error, the type, the message and the fallback taken.",
    status: "proved",
  },
  {
    id: "conversation/non-blocking-http-export",
    source: "conversation spec, Ariadne Trace Viewer Integration",
    behaviour:
      "Events are posted to /ingest within two seconds at most, never block the loop, and failures are one stderr line with the [Ariadne] prefix.",
    status: "proved",
  },
  {
    id: "conversation/timeline-in-viewer",
    source: "conversation spec, Ariadne Trace Viewer Integration",
    behaviour:
      "Ingested events show as separate spans with durations, and the inspector reveals summary, policy and token counts.",
    status: "proved",
  },
  {
    id: "conversation/filesystem-archive",
    source: "conversation spec, Archival Storage",
    behaviour:
      "The fs adapter saves the transcript before compaction, the summary record and the event log under the session's folder.",
    status: "proved",
  },
  {
    id: "conversation/s3-archive-with-encryption",
    source: "conversation spec, Archival Storage",
    behaviour:
      "The s3 adapter uploads below bucket, prefix and session, uses KMS when configured and takes credentials from the role.",
    status: "proved",
  },
  {
    id: "conversation/redaction-before-archival",
    source: "conversation spec, Archival Storage",
    behaviour:
      "Messages are redacted before they are saved, and switched-off redaction is announced by a high-severity warning.",
    status: "proved",
  },
  {
    id: "conversation/yaml-configuration",
    source: "conversation spec, Configuration System",
    behaviour: "A YAML file is parsed and validated; errors name the field path.",
    status: "proved",
  },
  {
    id: "conversation/environment-overrides",
    source: "conversation spec, Configuration System",
    behaviour: "A COMPACT_ variable wins over the file.",
    status: "proved",
  },
  {
    id: "conversation/sensible-defaults",
    source: "conversation spec, Configuration System",
    behaviour: "Without configuration the documented defaults apply.",
    status: "proved",
  },
  {
    id: "conversation/before-model-call-hook",
    source: "conversation spec, OpenAI Agents SDK Integration",
    behaviour: "The model-call hook runs preflight and passes the compacted messages on to the model call.",
    status: "proved",
  },
  {
    id: "conversation/minimal-enablement",
    source: "conversation spec, OpenAI Agents SDK Integration",
    behaviour: "Switching compaction on takes fewer than ten lines of code.",
    status: "proved",
  },
  {
    id: "conversation/summarizer-failure-fallback",
    source: "conversation spec, Failure Mode Handling",
    behaviour: "A failing summarizer falls back to pruning only, with an error event, and compaction still completes.",
    status: "proved",
  },
  {
    id: "conversation/oversized-summary-retry",
    source: "conversation spec, Failure Mode Handling",
    behaviour: "A summary above its cap is asked for again with half the cap, at most twice, then pruning only.",
    status: "proved",
  },
  {
    id: "conversation/model-refusal",
    source: "conversation spec, Failure Mode Handling",
    behaviour: "A refusal is retried with the brief strategy, then pruning only, and every failure is in the events.",
    status: "proved",
  },
  {
    id: "conversation/redaction-on-by-default",
    source: "conversation spec, Security and Redaction",
    behaviour: "Redaction is on without being asked for and covers API keys, passwords, tokens and private keys.",
    status: "proved",
  },
  {
    id: "conversation/redaction-before-export",
    source: "conversation spec, Security and Redaction",
    behaviour: "An exported message loses the key's value while the message in memory stays as it was.",
    status: "proved",
  },
  {
    id: "conversation/audit-event-per-export",
    source: "conversation spec, Security and Redaction",
    behaviour:
      "Each saved transcript emits compact.archival with session, step, adapter and place, kept in the event log.",
    status: "proved",
  },
  {
    id: "conversation/seeded-golden-summaries",
    source: "conversation spec, Deterministic Testing Support",
    behaviour: "With seed 42 and temperature 0 the same input gives the same summary every time.",
    status: "proved",
  },
  {
    id: "conversation/property-invariants",
    source: "conversation spec, Deterministic Testing Support",
    behaviour: "In 100 random runs protected items survive and the result stays within the budget.",
    status: "proved",
  },
  {
    id: "conversation/overhead-below-ten-percent",
    source: "conversation spec, Performance and Overhead",
    behaviour:
      "A session of 1,000 turns and five compactions spends under 10 % on compaction and under 10 ms per check.",
    status: "proved",
  },
  {
    id: "conversation/export-never-blocks",
    source: "conversation spec, Performance and Overhead",
    behaviour: "Trace export neither blocks nor raises, and gives up after two seconds.",
    status: "proved",
  },
  {
    id: "conversation/suite-quality-gate",
    source: "conversation spec, Comprehensive Test Coverage",
    behaviour: "The suite has unit, golden, property, soak and security tests and covers at least 85 % of the lines.",
    status: "proved",
  },
  {
    id: "conversation/three-windows-session",
    source: "conversation spec, Comprehensive Test Coverage",
    behaviour:
      "A session of three windows completes without InsufficientBudget in several rounds and ends below the budget.",
    status: "proved",
  },
  {
    id: "conversation/quick-start-readme",
    source: "conversation spec, Documentation and Examples",
    behaviour: "The README has motivation, a ten-line start, configuration, API and links to the deeper pages.",
    status: "proved",
  },
  {
    id: "conversation/integration-examples",
    source: "conversation spec, Documentation and Examples",
    behaviour: "Three examples exist: minimal integration, a coding session with tracing, a long research session.",
    status: "proved",
  },
  {
    id: "conversation/observability-guide",
    source: "conversation spec, Documentation and Examples",
    behaviour: "The observability page has the event schema, the viewer setup, OTLP and a timeline example.",
    status: "proved",
  },
];
