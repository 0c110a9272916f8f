// `mem_context` for a task: what matters for it, of all memories that the server has, within the room that there is.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ToolContext } from "../../../src/mcp/tool.ts";
import { memContext } from "../../../src/mcp/tools/mem-context.ts";
import { createMemoryObservationStore } from "../../../src/observations/memory-observation-store.ts";
import { newFolder } from "../../cli/command-line.ts";
import { row, seed } from "../../observations/rows.ts";
import { callTool } from "./call-tool.ts";
import { decided, decisionContext } from "./decision-context.ts";
import { toolContext } from "./tool-context.ts";

const RETRY = "Retries of the payment provider wait twice as long each time, because it counts refused calls.";

async function open(): Promise<ToolContext> {
  const store = createMemoryObservationStore();
  await seed(store, [
    row({ title: "Payment retries", content: RETRY }),
    ...Array.from({ length: 30 }, (_, at) =>
      row({ title: `Note ${at}`, content: `The ferry timetable of pier ${at}.` }),
    ),
  ]);
  const pattern = "Ask the payment provider before a change of its retries";
  const records = [1, 2, 3, 4, 5].map((at) => decided(`0000000${at}`, 200 + at, { pattern }));
  const failure = decided("00000009", 210, { outcome: "failure", pattern: "Retry payments without a key" });
  const { context } = await decisionContext([...records, failure]);
  const root = newFolder();
  mkdirSync(join(root, "memory"));
  const memory =
    "# Memory\n\n## Payments\n\n- Each retry of a payment carries its idempotency key.\n\n## Piers\n\n- Pier 9 is closed.\n";
  writeFileSync(join(root, "MEMORY.md"), memory);
  return toolContext(store, {
    ...(context.decisions && { decisions: context.decisions }),
    memoryFiles: { root, maxMemoryKb: 15 },
  });
}

describe("mem_context with a task", () => {
  const task = "change how payments are retried";

  it("gives the rows, principles, ways to fail and sections that speak of it, and no others", async () => {
    const { text, structured } = await callTool(memContext, { task }, await open());
    expect(structured).toMatchObject({ observations: [{ title: "Payment retries" }], sessions: [], prompts: [] });
    const { knowledge } = structured as { knowledge: { kind: string; of: string; text: string }[] };
    expect(new Set(knowledge.map(({ kind }) => kind))).toEqual(new Set(["principle", "failure", "section"]));
    expect(knowledge.find(({ kind }) => kind === "section")).toEqual({
      ...{ kind: "section", of: "MEMORY.md: Payments" },
      text: "- Each retry of a payment carries its idempotency key.",
    });
    for (const told of [
      "## Memory for This Task",
      RETRY,
      "Principle (architecture): Ask the payment provider",
      "Failed before",
    ])
      expect(text).toContain(told);
    for (const other of ["ferry", "Pier 9"]) expect(text).not.toContain(other);
  });

  it("keeps to max_tokens, the best first, and says how much more there is", async () => {
    const context = await open();
    const small = await callTool(memContext, { task, max_tokens: 120 }, context);
    expect(small.text).toMatch(/left out for max_tokens: \d of decisions and memory files/);
    expect(small.structured).toMatchObject({ left_out: { sessions: 0, prompts: 0, knowledge: expect.any(Number) } });
    const { text } = await callTool(memContext, { task: "the ferry timetable of a pier", max_tokens: 400 }, context);
    expect(context.count(text)).toBeLessThanOrEqual(400);
    expect(text).toMatch(/Showing \d+ of \d+/);
    expect(text).toContain("Pier 9 is closed");
  });

  it("says so where nothing does, and needs neither log nor workspace", async () => {
    const { text } = await callTool(memContext, { task: "quarks" }, await open());
    expect(text).toContain("Nothing in memory speaks of this task.");
    const store = createMemoryObservationStore();
    await seed(store, [row({ title: "Payment retries", content: RETRY })]);
    const { structured } = await callTool(memContext, { task }, toolContext(store));
    expect(structured).toMatchObject({ total: 1 });
    expect(structured).not.toHaveProperty("knowledge");
  });
});
