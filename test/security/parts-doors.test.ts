// Secrets in observations, decisions and memory files: none in what a model is asked, and none in an event. Stores, plans,
// journals and `memory/archive/` are the user's own place and keep every byte, so they are no doors.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decisionPolicies } from "../../src/decisions/levels.ts";
import { compactDecisions, createDecisionTextWriter, createMemoryDecisionLog } from "../../src/decisions.ts";
import { createCallbackSink } from "../../src/index.ts";
import { applyMemoryFilesCompaction, planMemoryFilesCompaction } from "../../src/memory-files.ts";
import { applyObservationCompaction, planObservationCompaction } from "../../src/observations.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { type ScriptedServer, startScriptedServer } from "../../src/testing.ts";
import { createTrace } from "../../src/trace/emit.ts";
import { filled } from "../decisions/levels/logs.ts";
import { aged, NOW as DECISIONS_NOW } from "../decisions/levels/records.ts";
import { longNote, NOW, storeOf } from "../observations/grouping/rows.ts";
import { createPlanter, type Planter } from "./planting/planter.ts";

let planter: Planter;
let server: ScriptedServer;
let events: string[];
beforeEach(async () => {
  planter = createPlanter(53);
  events = [];
  server = await startScriptedServer(["## Progress\n- The work went on [1.1]\n\nThe queue was moved to its own host."]);
});
afterEach(() => server.close());

const model = () => ({ type: "openai-compatible", model: "writer", baseUrl: server.openaiUrl }) as const;
const traceTo = (now: number) =>
  createTrace([createCallbackSink((event) => void events.push(JSON.stringify(event)))], createRedactor(), () => now);

function expectNothingOut(): void {
  const asked = server.calls.map(({ body }) => JSON.stringify(body)).join("\n");
  expect(asked).toContain("<REDACTED>");
  expect(events.length).toBeGreaterThan(0);
  expect(planter.leaksIn(`${asked}\n${events.join("\n")}`)).toEqual([]);
}

describe("a model and the sinks get no secret", () => {
  it("of observations, whichever field holds it", async () => {
    const notes = planter.kinds.map((kind, at) => {
      const plant = planter.plantOf(kind);
      return {
        title: plant("title"),
        content: `${plant("content")}\n${longNote(at % 3)}`,
        topic_key: `planting/n${at % 3}`,
        tool_name: plant("tool name"),
      };
    });
    const store = await storeOf(notes);
    const plan = await planObservationCompaction(
      store,
      { olderThanDays: 30, summarizer: model() },
      { now: () => NOW, trace: traceTo(NOW) },
    );
    expect(plan.groups.length).toBeGreaterThan(0);
    await applyObservationCompaction(store, plan, { now: () => NOW, trace: traceTo(NOW) });
    expectNothingOut();
  }, 60_000);

  it("of decisions, whichever field holds it", async () => {
    const records = planter.kinds.map((kind, at) => {
      const plant = planter.plantOf(kind);
      return aged(`decision-${at}`, 40, {
        decision: plant("decision"),
        context: `The jobs were lost twice. ${plant("context")}`,
        lessons: plant("lessons"),
        reasons: [{ type: "analysis", text: plant("reason"), confidence: 0.8 }],
        tags: [plant("tag")],
      });
    });
    const log = await filled(async () => createMemoryDecisionLog(), records);
    await compactDecisions(
      log,
      {},
      {
        policies: decisionPolicies(),
        now: () => DECISIONS_NOW,
        trace: traceTo(DECISIONS_NOW),
        texts: createDecisionTextWriter({ summarizer: model(), model: "writer" }),
      },
    );
    expect(server.calls.length).toBeGreaterThan(10);
    expectNothingOut();
  }, 60_000);

  it("of memory files and notes", async () => {
    const root = mkdtempSync(join(tmpdir(), "parts-doors-"));
    try {
      mkdirSync(join(root, "memory"));
      const now = Date.UTC(2031, 5, 1);
      const texts = (field: string) =>
        planter.kinds.map((kind) => `### Work with ${kind.id}\n\n${planter.plantOf(kind)(field)}\n`).join("\n");
      writeFileSync(join(root, "MEMORY.md"), `# Memory\n\n${texts("memory")}`);
      for (const day of [10, 11, 12])
        writeFileSync(join(root, "memory", `2031-02-${day}.md`), `# Day\n\n${texts("note")}`);
      const { plan } = await planMemoryFilesCompaction(
        root,
        { levers: ["digest"], aggressive: true },
        { now: () => now, summarizer: model(), trace: traceTo(now) },
      );
      await applyMemoryFilesCompaction(root, plan, { now: () => now, trace: traceTo(now) });
      expect(server.calls.length).toBeGreaterThan(0);
      expectNothingOut();
    } finally {
      rmSync(root, { recursive: true });
    }
  }, 60_000);
});
