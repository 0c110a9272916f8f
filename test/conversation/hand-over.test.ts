// With `memory`, what a session taught is in a memory store after each compaction, without anybody calling for it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openObservationStore, searchObservations } from "../../src/observations.ts";
import { assistant, bench, type ChatMessage, pair, system, user } from "./support.ts";

const task = (n: number): readonly ChatMessage[] => [
  user(
    `Please find out why berth ${n} is billed twice in the table of month ${n}, and mend it. <private>name ${n}</private>`,
  ),
  ...pair([`c${n}`], `row ${n}\n`.repeat(80), "run_command", { command: `grep -n berth-${n} billing.csv` }),
  assistant(
    `Berth ${n} is billed twice because the night job ran again at ${n} o'clock and has no key for a row; it has one now, and the second bill of month ${n} is gone.`,
  ),
];
const tasks = (most: number) => [system("s"), ...Array.from({ length: most }, (_, n) => task(n + 1)).flat()];

function open(memory: { readonly project?: string } = {}, path = "memory.db") {
  const folder = mkdtempSync(join(tmpdir(), "hand-over-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const observations = join(folder, path);
  const opened = bench({ model: "gpt-4o", memory: { observations, ...memory } });
  const rows = async () => {
    const store = openObservationStore({ path: observations });
    onTestFinished(() => store.close());
    const { found } = await searchObservations(store, { query: "berth billed twice", limit: 100 });
    return found.map(({ observation }) => observation).sort((a, b) => a.id - b.id);
  };
  return { ...opened, folder, rows };
}

describe("a session that is compacted", () => {
  it("leaves a row for each request that left it, once, and adds those of the next compaction", async () => {
    const { manager, rows } = open({ project: "harbour" });
    const first = await manager.compact("s-1", tasks(12), { targetTokens: 1_500 });
    expect(first.report.status).toBe("compacted");
    const early = await rows();
    expect(early.length).toBeGreaterThan(4);
    expect(early[0]).toMatchObject({ session_id: "s-1", project: "harbour", type: "discovery", tool_name: "remember" });
    expect(early[0]?.title).toMatch(/^Please find out why berth 1 is billed twice/);
    expect(early[0]?.content).toContain("the second bill of month 1 is gone");
    expect(JSON.stringify(early)).not.toContain("name 1");
    await manager.compact("s-1", [...first.messages, ...tasks(20).slice(tasks(12).length)], { targetTokens: 1_500 });
    const late = await rows();
    expect(late.slice(0, early.length)).toEqual(early);
    expect(late.length).toBeGreaterThan(early.length + 4);
    expect(new Set(late.map(({ title }) => title)).size).toBe(late.length);
  });

  it("is of the working directory's project where nobody says", async () => {
    const { manager, rows } = open();
    await manager.compact("s-1", tasks(12), { targetTokens: 1_500 });
    expect((await rows())[0]?.project).toBe(process.cwd().split(/[\\/]/).at(-1));
  });

  it("is compacted all the same where the store cannot be written, and that is told", async () => {
    const { manager, of, folder } = open({}, "file/memory.db");
    writeFileSync(join(folder, "file"), "");
    const { report } = await manager.compact("s-1", tasks(12), { targetTokens: 1_500 });
    expect(report.status).toBe("compacted");
    expect(of("compact.warning")).toMatchObject([{ code: "memory_failed", session_id: "s-1" }]);
  });
});
