// What a person sees on the viewer's page of real runs: bars that tell what took the time, runs and rows that are told
// apart, labels that fit, and a line for each row.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Archive,
  CompactManager,
  createAriadneSink,
  createCallbackSink,
  createMemoryArchive,
  type TraceSink,
} from "../../../src/index.ts";
import type { CompactEvent } from "../../../src/trace/compact-event.ts";
import { verifies } from "../../requirements/verifies.ts";
import { emitAll, runId, sampleRun, summaryCreated, warning } from "../viewer/sample-events.ts";
import { groupsOf, responseText, timelineOf } from "../viewer/timeline.ts";
import { startViewer, type Viewer } from "../viewer/viewer.ts";

const NOON = Date.UTC(2031, 0, 2, 12);
/** What the page shows of a label before it grows to its right: measured at 1,500 pixels. */
const WIDEST = 80;

let viewer: Viewer;
let now: number;
let events: CompactEvent[];
beforeEach(async () => {
  viewer = await startViewer();
  now = NOON;
  events = [];
});
afterEach(() => viewer.close());

const work = (seconds: number) => {
  now += seconds * 1_000;
};
const slowly =
  <Given extends unknown[], Result>(seconds: number, does: (...given: Given) => Promise<Result>) =>
  (...given: Given) => {
    work(seconds);
    return does(...given);
  };
const inner = createMemoryArchive();
/** Choosing takes 5 s, saving 2 s each; a clock that else stands still. */
const archive = (): Archive => ({
  ...inner,
  nextStep: slowly(5, inner.nextStep),
  saveTranscript: slowly(2, inner.saveTranscript),
  saveSummary: slowly(2, inner.saveSummary),
});
const talk = (turns = 60) =>
  Array.from({ length: turns }, (_, n) => [
    { role: "user", content: `Question ${n}: ${"where is the ferry ".repeat(20)}?` },
    { role: "assistant", content: `Answer ${n}: ${"it is at the pier ".repeat(20)}.` },
  ]).flat();
const managerWith = (options: object = {}, trace: readonly TraceSink[] = []) =>
  new CompactManager({
    maxContextTokens: 10_000,
    archive: archive(),
    now: () => now,
    trace: [createAriadneSink({ url: viewer.url }), createCallbackSink((event) => void events.push(event)), ...trace],
    ...options,
  });
/** Of the only run, or the last one: rows below its root, seconds from noon. */
const rows = () => {
  const id = viewer.traces.at(-1)?.trace_id ?? "";
  return timelineOf(viewer.records, id).map(({ span, depth, bar }) => ({
    name: span.name ?? "",
    depth,
    bar,
    span,
    from: Math.floor((Date.parse(span.started_at ?? "") - NOON) / 1_000),
    to: Math.floor((Date.parse(span.ended_at ?? "") - NOON) / 1_000),
  }));
};
const rowOf = (name: string) => {
  const row = rows().find((candidate) => candidate.name === name);
  if (row === undefined) throw new Error(`no row ${name}: ${rows().map((one) => one.name)}`);
  return row;
};
const arrived = async (manager: CompactManager) => {
  for (let count = 0; count < 3; count++) await manager.flush();
};

describe("bars", () => {
  it("of the decision, of the choosing and of the summary are each its own", async () => {
    verifies("fault/runs-that-look-alike");
    const manager = managerWith();
    await manager.preflight("s", talk());
    await arrived(manager);
    const [decision, choice] = [rowOf("compact.trigger_decision"), rowOf("compact.layer_choice")];
    expect([decision.from, decision.to, choice.from, choice.to]).toEqual([0, 0, 0, 5]);
    expect(rowOf("compact.summary_created").span.data?.duration_ms).toBe(0);
  });

  it("of the pruning and of a failure are seen: they begin where it began", async () => {
    const manager = managerWith();
    await manager.preflight("s", talk());
    await arrived(manager);
    expect([rowOf("compact.pruned_messages").from, rowOf("compact.pruned_messages").to]).toEqual([7, 9]);
    const failing = managerWith({
      archive: { ...archive(), saveTranscript: slowly(3, () => Promise.reject(new Error("no room"))) },
    });
    now = NOON;
    await expect(failing.preflight("t", talk())).rejects.toThrow();
    await arrived(failing);
    expect([rowOf("compact.error").from, rowOf("compact.error").to]).toEqual([5, 8]);
    const tight = managerWith({ policy: { rolesNeverPrune: ["user", "assistant"] } });
    now = NOON;
    await expect(tight.preflight("u", talk())).rejects.toMatchObject({ kind: "InsufficientBudget" });
    await arrived(tight);
    expect([rowOf("compact.error").from, rowOf("compact.error").to]).toEqual([0, 5]);
    for (const { bar } of rows().filter(({ name }) => name !== "compact.token_estimate"))
      expect((bar?.left ?? 0) + 1).toBeLessThanOrEqual(100);
  });

  it("are seen where a run ends with what took no time", async () => {
    const manager = managerWith();
    await manager.preflight("s", talk(2));
    await arrived(manager);
    const bars = rows().map(({ bar }) => (bar?.left ?? 100) + 1);
    expect(bars).toHaveLength(3);
    for (const end of bars) expect(end).toBeLessThanOrEqual(100);
  });

  it("of a model that is not there, and of a save that may fail, begin where these began", async () => {
    const { signal } = new AbortController();
    const manager = managerWith({
      archiveOptional: true,
      archive: { ...archive(), saveTranscript: slowly(3, () => Promise.reject(new Error("no room"))) },
      summarizer: {
        kind: "model",
        summarize: slowly(4, () => Promise.reject(new Error("gone"))),
      },
    });
    await manager.preflight("s", talk(), { signal });
    await arrived(manager);
    const warned = rowOf("compact.warning not_archived");
    expect([warned.from, warned.to]).toEqual([5, 8]);
    const failed = rowOf("compact.error");
    expect([failed.from, failed.to]).toEqual([8, 12]);
  });
});

describe("rows", () => {
  it("of one run are all told apart", async () => {
    let calls = 0;
    const model = async () => {
      work(1);
      if (++calls < 3) throw Object.assign(new Error("overloaded"), { status: 503 });
      return "## Goals and success criteria\n- Find the ferry [1.1]";
    };
    const manager = managerWith({ summarizer: { model } });
    await manager.preflight("s", talk());
    await arrived(manager);
    const names = rows().map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(["compact.archival transcript", "compact.archival summary"]));
    expect(names.filter((name) => name.startsWith("compact.error"))).toHaveLength(2);
  }, 20_000);

  it("that began in one millisecond stand in the order in which they were told, whichever post brought them", async () => {
    const sink = createAriadneSink({ url: viewer.url });
    const run = sampleRun(runId(7)).map((event) => ({ ...event, started_at: sampleRun(runId(7))[0]?.at ?? "" }));
    // Each in a post of its own.
    for (const event of run) await emitAll(sink, [event as (typeof run)[number] as never]);
    expect(viewer.posts.length).toBeGreaterThan(3);
    expect(rows().map(({ span }) => span.name)).toEqual([
      "compact.preflight",
      "compact.token_estimate",
      "compact.trigger_decision",
      "compact.summary_created",
      "compact.error",
      "compact.pruned_messages",
    ]);
  });

  it("have a line under Response, every kind of them", async () => {
    const manager = managerWith();
    await manager.preflight("s", talk(2));
    await manager.preflight("s", talk());
    await arrived(manager);
    const counts = { before: 1_200, after: 40 };
    const part = { part: "observations", ids: [1], counts };
    const others = ["plan", "applied", "restored"].map((name) => warning("x", { event: `compact.${name}`, ...part }));
    const expired = { event: "compact.expired", step: 1, storage_adapter: "fs", reason: "age", bytes: 5_000 };
    await emitAll(createAriadneSink({ url: viewer.url }), [...others, warning("x", expired)]);
    for (const { name, data } of viewer.spans) expect(responseText(data), name).toMatch(/\S/);
    const textOf = (start: string) => responseText(viewer.spans.findLast(({ name }) => name?.startsWith(start))?.data);
    expect(textOf("compact.token_estimate")).toMatch(/^[\d,]{5,6} of 10,000 tokens \([\d.]+ %\)/);
    expect(textOf("compact.trigger_decision")).toBe("compacts: over_budget");
    expect(textOf("compact.layer_choice")).toMatch(/^\d+ messages leave; stay: 0 pinned, \d+ recent turns/);
    expect(textOf("compact.pruned_messages")).toMatch(/^\d+ messages left: [\d,]+ -> [\d,]+ tokens$/);
    expect(textOf("compact.archival transcript")).toContain("transcript of step ");
  });
});

describe("headings and traces", () => {
  it("tell a session's runs apart by what they came to, and are not doubled by their roots", async () => {
    verifies("fault/runs-that-look-alike");
    const manager = managerWith();
    await manager.preflight("s", talk(2));
    await manager.preflight("s", talk());
    await expect(manager.preflight("s", "text" as never)).rejects.toThrow();
    await arrived(manager);
    const [skipped, done, failed] = viewer.traces.map(({ name }) => name);
    const pruned = events.find((event) => event.event === "compact.pruned_messages");
    const { tokens_before, tokens_after } = pruned as Extract<CompactEvent, { event: "compact.pruned_messages" }>;
    expect(skipped).toBe("skipped: below_trigger");
    expect(done).toBe(`${tokens_before.toLocaleString("en-US")} -> ${tokens_after.toLocaleString("en-US")}`);
    expect(failed).toBe("failed: INVALID_INPUT");
    for (const { trace_id, name } of viewer.traces)
      expect(timelineOf(viewer.records, trace_id)[0]?.span.name).not.toBe(name);
    expect(groupsOf(viewer.records)).toHaveLength(1);
  });

  it.each(["observations", "decisions", "memory_files"] as const)("name the part: %s", async (part) => {
    const event = {
      event: "compact.applied",
      part,
      session_id: "manual-save",
      ids: [1],
      counts: { deleted: 3, after: 1_200 },
    };
    await emitAll(createAriadneSink({ url: viewer.url }), [warning("x", event)]);
    expect(groupsOf(viewer.records)).toMatchObject([{ label: part.replace("_", " ") }]);
    expect(viewer.traces[0]).toMatchObject({ name: "deleted 3, after 1,200", group_id: part });
  });

  it.each([
    ["long", "/home/dev/projects/".repeat(20)],
    ["without a space", "x".repeat(5_000)],
    ["of wide letters", "渡し船".repeat(100)],
    ["of several lines", "one\ntwo\r\n".repeat(40)],
  ])("fit the page whatever the id of a session is: %s", async (_name, id) => {
    const sink = createAriadneSink({ url: viewer.url });
    const ids = [`${id}-a`, `${id}-b`];
    for (const session_id of ids) {
      const run_id = runId(ids.indexOf(session_id));
      await emitAll(sink, [
        warning(id, { session_id, run_id }),
        { ...summaryCreated(run_id, 0, 1), session_id } as never,
        { ...sampleRun(run_id).at(-1), session_id, outcome: "failed", reason: id } as never,
      ]);
    }
    const groups = groupsOf(viewer.records);
    const labels = [
      ...groups.map(({ label }) => label),
      ...viewer.traces.map(({ name = "" }) => name),
      ...viewer.spans.map(({ name = "" }) => name),
    ];
    const cellsOf = (text: string) => [...text].reduce((sum, letter) => sum + (letter > "\u2fff" ? 2 : 1), 0);
    for (const label of labels) expect(cellsOf(label), label).toBeLessThan(WIDEST);
    for (const label of labels) expect(label).not.toMatch(/[\r\n]/);
    // Two sessions whose ids differ at their end alone are two headings that can be told apart.
    if (id.length < 500) expect(new Set(groups.map(({ label }) => label)).size).toBe(2);
  });
});
