// Whatever an attempt comes to, it leaves a decision, where one was made, and one end with its reason: in memory and in the
// session's events.jsonl.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  type Archive,
  CompactError,
  type ConversationConfig,
  createFsArchive,
  createMemoryArchive,
  type Summarizer,
} from "../../../src/index.ts";
import { createScriptedModel, type ModelStep } from "../../../src/testing.ts";

import { verifies } from "../../requirements/verifies.ts";
import { assistant, pair, system, turns, user } from "../support.ts";
import { asInFile, newFolder, onDisk, only, runsOf } from "./runs.ts";

const small = { maxContextTokens: 12_000, policy: { triggerPct: 0.4, keepRecentTurns: 2 } };
const due = () => [...turns(25), user("go on")];
const saying = (text: string): Summarizer => ({ kind: "model", summarize: async () => ({ text, source: "model" }) });
const failing = (error: unknown): Summarizer => ({ kind: "model", summarize: () => Promise.reject(error) });

/** One preflight or manual compaction of a list that is due, whatever it comes to. */
async function attempted(
  config: ConversationConfig,
  { isManual = false, list = due() as readonly unknown[], path = newFolder() } = {},
) {
  const made = onDisk({ ...small, ...config, policy: { ...small.policy, ...config.policy } }, path);
  const thrown = await (isManual ? made.manager.manualCompact("s", list) : made.manager.preflight("s", list)).then(
    () => undefined,
    (error: unknown) => error,
  );
  const run = only(runsOf(made.events));
  expect(await made.written("s")).toEqual(made.events.map(asInFile));
  return { ...made, run, thrown };
}

const decisionsOf = (run: { readonly events: readonly { readonly event: string }[] }) =>
  run.events.filter(({ event }) => event === "compact.trigger_decision").length;

describe("a model that fails", () => {
  it.each<[string, ModelStep, string]>([
    ["refuses the call", { error: "rejected" }, "MODEL_REJECTED"],
    ["refuses the task", { error: "refused" }, "REFUSED"],
    ["says that the input is too long", { error: "too_long" }, "MODEL_INPUT_TOO_LONG"],
    ["is not there", { error: "unavailable" }, "MODEL_UNAVAILABLE"],
    ["does not answer in time", { hang: true }, "MODEL_TIMEOUT"],
    ["answers nothing", "", "EMPTY_ANSWER"],
    ["is cut off", { text: "## Goals and success criteria\n- ship the lex", finish: "length" }, "TRUNCATED_ANSWER"],
    ["chats", "Great, running the tests now…", "NO_SUMMARY"],
    ["throws", { throws: new TypeError("x is not a function") }, ""],
  ])(
    "that %s: pruned with a notice, kept, or handed on, and said each time",
    async (_name, step, code) => {
      verifies("field/failure-leaves-no-trace");
      const summarizer = () => ({ model: createScriptedModel([step]), timeoutMs: 100 });
      const [pruned, replaced, kept, thrown] = await Promise.all([
        attempted({ summarizer: summarizer() }),
        attempted({ summarizer: summarizer(), policy: { onSummaryFailure: "extractive" } }),
        attempted({ summarizer: summarizer(), policy: { onSummaryFailure: "keep" } }),
        attempted({ summarizer: summarizer(), policy: { onSummaryFailure: "keep" } }, { isManual: true }),
      ]);
      expect(pruned.run.end).toMatchObject({ event: "compact.preflight", outcome: "completed", step: 1 });
      expect(replaced.run.end).toMatchObject({ event: "compact.preflight", outcome: "completed", step: 1 });
      expect(kept.run.end).toMatchObject({ event: "compact.preflight", outcome: "skipped", reason: "summary_failed" });
      expect(thrown.run.end).toMatchObject({ event: "compact.manual", outcome: "failed" });
      expect(thrown.run.end.reason).toBe((thrown.thrown as CompactError).code);
      for (const { run, of } of [pruned, replaced, kept, thrown]) {
        expect(decisionsOf(run)).toBe(1);
        const errors = of("compact.error");
        expect(errors.at(-1)?.code ?? "").toContain(code);
        // How often it was tried, and what was done after each.
        for (const [index, { attempt, fallback }] of errors.slice(0, -1).entries()) {
          expect(attempt).toBe(index + 1);
          expect(fallback).toMatch(/^(retry|raise-cap|halve-cap|brief|split-input)$/);
        }
      }
      const instead = [pruned, replaced, kept, thrown].map(({ of }) => of("compact.error").at(-1)?.fallback);
      expect(instead).toEqual(["pruning-only", "extractive", "kept-original", "kept-original"]);
    },
    60_000,
  );

  it.each([
    ["an error of its own", failing(new Error("fetch failed: ECONNRESET"))],
    ["a package that is missing", failing(new CompactError("MissingDependency", "The package ai is not installed."))],
    ["blanks", saying(" \n")],
  ])("as a function, with %s", async (_name, summarizer) => {
    const { run, of } = await attempted({ summarizer });
    expect(run.end).toMatchObject({ outcome: "completed" });
    expect(of("compact.error")).toMatchObject([{ fallback: "pruning-only", run_id: run.end.run_id }]);
  });

  it("so often that it is not asked any more", async () => {
    const error = new CompactError("SummarizationFailed", "503", { data: { failures: 3 } });
    const made = onDisk({
      ...small,
      summarizer: failing(error),
      policy: { ...small.policy, onSummaryFailure: "keep" },
    });
    const grown = [...due(), assistant("ok"), ...turns(6, (n) => `later ${n}`), user("on")];
    expect(await made.manager.preflight("s", due())).toHaveLength(due().length);
    expect(await made.manager.preflight("s", grown)).toHaveLength(grown.length);
    const ends = runsOf(made.events).map(({ end }) => [end.outcome, end.reason]);
    expect(ends).toEqual([
      ["skipped", "summary_failed"],
      ["skipped", "model_paused"],
    ]);
  });
});

describe("a budget that cannot be kept", () => {
  it("is a decision, an error and a failed run", async () => {
    verifies("field/failure-leaves-no-trace");
    const { run, of, thrown } = await attempted({}, { list: [system("rule ".repeat(13_000)), ...due()] });
    expect(thrown).toMatchObject({ kind: "InsufficientBudget" });
    expect(of("compact.trigger_decision")).toMatchObject([{ triggered: true, reason: "over_budget" }]);
    expect(of("compact.error")).toMatchObject([{ error_type: "InsufficientBudget", fallback: "kept-original" }]);
    expect(run.end).toMatchObject({ outcome: "failed", reason: (thrown as CompactError).code });
    expect(run.end).toHaveProperty("tokens_before", of("compact.token_estimate")[0]?.t_est);
  });

  it("is said when compaction is switched off, too", async () => {
    const { run, of } = await attempted({ enabled: false }, { list: turns(80) });
    expect(run.end).toMatchObject({ outcome: "skipped", reason: "disabled" });
    expect(of("compact.warning")).toMatchObject([{ code: "limit_exceeded", run_id: run.end.run_id }]);
  });
});

describe("nothing to do", () => {
  it("is an end with its reason", async () => {
    const { manager, events } = onDisk({ ...small, policy: { ...small.policy, keepRecentTurns: 6 } });
    await manager.preflight("below", turns(3));
    await manager.manualCompact("nothing", [user("hello")]);
    const compacted = await manager.preflight("growth", due());
    await manager.preflight("growth", [...compacted, assistant("ok"), user("and?")]);
    const ends = runsOf(events).map(({ end }) => [end.session_id, end.event, end.outcome, end.reason]);
    expect(ends).toEqual([
      ["below", "compact.preflight", "skipped", "below_trigger"],
      ["nothing", "compact.manual", "skipped", "nothing_to_compact"],
      ["growth", "compact.preflight", "completed", "over_trigger_pct"],
      ["growth", "compact.preflight", "skipped", expect.stringMatching(/^(below_trigger|waiting_for_growth)$/)],
    ]);
  });

  it("is said of a result that is no smaller, with the step that its transcript took", async () => {
    const { manager, events, of } = onDisk({ ...small, summarizer: saying("A long summary. ".repeat(400)) });
    const list = [...turns(3, () => "q").map((message) => ({ ...message, content: "short" })), user("go on")];
    await manager.manualCompact("s", list);
    const { end } = only(runsOf(events));
    expect(end.outcome).toBe("skipped");
    expect(end.reason).toMatch(/^(not_beneficial|nothing_to_compact)$/);
    expect(end.step).toBe(of("compact.archival")[0]?.step);
    expect(of("compact.pruned_messages")).toEqual([]);
  });
});

describe("an archive that fails", () => {
  const broken = new CompactError("ArchiveFailed", "No space left.", { code: "DISK_FULL" });
  const breaking = (method: keyof Archive, error: unknown = broken): Archive => ({
    ...createMemoryArchive(),
    [method]: () => Promise.reject(error),
  });

  it.each<[keyof Archive]>([["readState"], ["nextStep"], ["saveTranscript"], ["saveSummary"], ["writeState"]])(
    "at %s ends the run with its code, or is passed over where it may be",
    async (method) => {
      verifies("field/failure-leaves-no-trace");
      const { run, of, thrown } = await attempted({ archive: breaking(method) });
      expect(thrown).toBe(broken);
      expect(of("compact.error")).toMatchObject([{ code: "DISK_FULL", fallback: "kept-original" }]);
      expect(run.end).toMatchObject({ outcome: "failed", reason: "DISK_FULL" });
      expect(decisionsOf(run)).toBe(method === "readState" ? 0 : 1);
      expect(of("compact.pruned_messages")).toEqual([]);
      const careless = await attempted({ archive: breaking(method), archiveOptional: true });
      expect(careless.run.end).toMatchObject({ outcome: "completed", step: 1 });
      const told = careless.events.filter(({ event }) => event === "compact.warning" || event === "compact.error");
      expect(told).toHaveLength(method === "nextStep" ? 0 : 1);
    },
  );

  it("whose every step another takes ends the run after a while, with one decision", async () => {
    const taken = new CompactError("Conflict", "The step is taken.", { code: "STEP_TAKEN" });
    const { run, of } = await attempted({ archive: breaking("saveTranscript", taken) });
    expect(run.end).toMatchObject({ outcome: "failed", reason: "STEP_TAKEN" });
    expect(of("compact.error")).toHaveLength(1);
  });

  it("with a state that cannot be read fails each caller, in a run of its own", async () => {
    const path = newFolder();
    mkdirSync(join(path, "s"));
    writeFileSync(join(path, "s", "state.json"), '{"version":1}');
    const { manager, events, written } = onDisk(small, path);
    const both = await Promise.allSettled([manager.preflight("s", due()), manager.manualCompact("s", due())]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    for (const { events: ofRun, end } of runsOf(events)) {
      expect(ofRun.map(({ event }) => event)).toEqual(["compact.error", end.event]);
      expect(end).toMatchObject({ outcome: "failed", reason: "STATE_UNREADABLE" });
    }
    expect(runsOf(events)).toHaveLength(2);
    expect(await written("s")).toEqual(events.map(asInFile));
  });
});

describe("what is refused before there is a session", () => {
  it.each<[string, unknown, unknown, object, string]>([
    ["no session id", undefined, [], {}, "INVALID_INPUT"],
    ["an empty session id", "", [], {}, "INVALID_INPUT"],
    ["no list", "s", "text", {}, "INVALID_INPUT"],
    ["an unknown option", "s", [], { strict: true }, "INVALID_INPUT"],
    ["an unknown format", "s", turns(2), { format: "smoke-signals" }, "UNKNOWN_FORMAT"],
    [
      "damage, where it is not healed",
      "s",
      [{ role: "tool", tool_call_id: "x", content: "y" }],
      { isStrict: true },
      "",
    ],
  ])("is a failed run: %s", async (_name, sessionId, list, options, code) => {
    verifies("field/failure-leaves-no-trace");
    const { manager, events, written } = onDisk();
    const thrown = await manager
      .compact(sessionId as string, list as never, options as object)
      .catch((error: unknown) => error);
    const { end, events: ofRun } = only(runsOf(events));
    expect(end).toMatchObject({ outcome: "failed", reason: (thrown as CompactError).code });
    expect(end.reason).toContain(code);
    expect(ofRun.filter(({ event }) => event === "compact.error")).toHaveLength(1);
    if (sessionId === "s") expect(await written("s")).toEqual(events.map(asInFile));
  });

  it("or a plan that is stale", async () => {
    const { manager, events } = onDisk();
    const plan = await manager.plan("s", due());
    expect(events).toEqual([]);
    await expect(
      manager.apply(
        turns(25, (n) => `other ${n}`),
        plan,
      ),
    ).rejects.toMatchObject({ code: "STALE_PLAN" });
    await manager.apply(due(), plan);
    const ends = runsOf(events).map(({ end }) => [end.event, end.outcome, end.reason]);
    expect(ends).toEqual([
      ["compact.manual", "failed", "STALE_PLAN"],
      ["compact.manual", "completed", "manual"],
    ]);
  });
});

describe("a caller that gives up", () => {
  it("while the model writes, or while another attempt runs: each run is aborted", async () => {
    verifies("field/failure-leaves-no-trace");
    let asked = 0;
    const summarizer: Summarizer = {
      kind: "model",
      summarize: ({ signal }) => {
        asked++;
        return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
      },
    };
    const { manager, events, written } = onDisk({ ...small, summarizer });
    const caller = new AbortController();
    const first = manager.manualCompact("s", due(), { signal: caller.signal, note: "names" });
    const second = manager.preflight("s", due(), { signal: caller.signal });
    const both = Promise.allSettled([first, second]);
    await vi.waitFor(() => expect(asked).toBe(1));
    caller.abort(new Error("The user left."));
    expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const ends = runsOf(events).map(({ end }) => end);
    expect(ends).toMatchObject([
      { event: "compact.manual", outcome: "aborted", reason: "manual", note: "names" },
      { event: "compact.preflight", outcome: "aborted", reason: "over_trigger_pct" },
    ]);
    expect(await written("s")).toEqual(events.map(asInFile));
  });

  it("without a signal of ours is aborted as well; an error of ours is a failure whatever the signal says", async () => {
    const gone = new DOMException("Gone.", "AbortError");
    const archive = { ...createMemoryArchive(), nextStep: () => Promise.reject(gone) };
    expect((await attempted({ archive })).run.end).toMatchObject({ outcome: "aborted" });
    const { manager, events } = onDisk(small);
    await manager.compact("s", [], { targetTokens: -1, signal: AbortSignal.abort() }).catch(() => undefined);
    expect(only(runsOf(events)).end).toMatchObject({ outcome: "failed", reason: "INVALID_INPUT" });
  });
});

describe("several at once", () => {
  it("have a run each, that began when it was asked for", async () => {
    verifies("field/failure-leaves-no-trace");
    let now = Date.UTC(2031, 0, 2);
    const open: (() => void)[] = [];
    const summarizer: Summarizer = {
      kind: "model",
      summarize: () => new Promise((resolve) => open.push(() => resolve({ text: "A summary.", source: "model" }))),
    };
    const { manager, events } = onDisk({ ...small, summarizer, now: () => now });
    const first = manager.manualCompact("s", due());
    await vi.waitFor(() => expect(open).toHaveLength(1));
    now += 1000;
    const second = manager.preflight("s", due());
    now += 2000;
    open[0]?.();
    await Promise.all([first, second]);
    const ends = runsOf(events).map(({ end }) => end);
    expect(ends).toMatchObject([
      { event: "compact.manual", outcome: "completed", started_at: "2031-01-02T00:00:00.000Z", duration_ms: 3000 },
      { event: "compact.preflight", outcome: "skipped", started_at: "2031-01-02T00:00:01.000Z", duration_ms: 2000 },
    ]);
  });

  it("in several processes take a step each, and decide once each", async () => {
    const path = newFolder();
    const archive = createFsArchive({ path });
    const benches = Array.from({ length: 4 }, () => onDisk({ ...small, archive }, path));
    await Promise.all(
      benches.map(({ manager }, n) =>
        manager.manualCompact(
          "s",
          turns(12, (t) => `${n} ${t}`),
        ),
      ),
    );
    const runs = benches.flatMap(({ events }) => runsOf(events));
    expect(runs.map(({ end }) => end.step).sort()).toEqual([1, 2, 3, 4]);
    for (const run of runs) {
      expect(run.end.outcome).toBe("completed");
      expect(decisionsOf(run)).toBe(1);
    }
  });

  it("with orphans and calls that never came back", async () => {
    const list = [...pair(["lost"]).slice(0, 1), ...due(), ...pair(["x"]).slice(1)];
    const { run } = await attempted({}, { list });
    expect(run.end).toMatchObject({ outcome: "completed", step: 1 });
  });
});
