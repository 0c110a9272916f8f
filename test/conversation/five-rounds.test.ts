// A session that is compacted again and again: what mattered in the first round stands in the fifth.
import { describe, expect, it } from "vitest";
import { createMemoryArchive } from "../../src/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { workTurn } from "../summaries/work-session.ts";
import { assistant, bench, pair, summaryOf, textOf, user } from "./support.ts";

const FIRST = [
  user("Move the seed register to the new schema. Never touch the audit table. Success is a green nightly run."),
  assistant("Two ways:\n1. copy the rows\n2. write through a view\nWhich one do you want?"),
  user("2"),
  assistant("Then a view."),
  ...pair(["f1"], "ok", "write_file", { path: "src/register/view.sql", content: "create view seeds as select 1;" }),
  assistant("The view stands in src/register/view.sql."),
];

describe("five rounds", () => {
  it("carry the first request, its rule, the choice and the written file", async () => {
    verifies("conversation/rolling-summary-replacement");
    const { manager } = bench({ maxContextTokens: 64_000 });
    let messages: readonly unknown[] = FIRST;
    for (let round = 1; round <= 5; round += 1) {
      const work = Array.from({ length: 25 }, (_, n) => workTurn(round * 100 + n)).flat();
      messages = (await manager.compact("s", [...messages, ...work], { targetTokens: 14_000 })).messages;
      const summary = summaryOf(messages) ?? "";
      expect(summary).toContain(`<COMPACT-SUMMARY v${round}>`);
      expect(summary, `round ${round}`).toContain("Move the seed register to the new schema.");
      expect(summary).toContain("Never touch the audit table.");
      expect(summary).toMatch(/2 \(= 2: write through a view\) \(asked: Which one do you want\?\)/);
      expect(summary).toContain("src/register/view.sql");
      expect(summary.match(/<COMPACT-SUMMARY v/gu)).toHaveLength(1);
    }
    expect(textOf(messages)).toContain("[1.1]");
  });
});

describe("a state that an earlier version wrote", () => {
  it("is read on: what both versions know is carried", async () => {
    const source = { step: 1, message: 1 };
    const first = bench();
    const before = await first.manager.manualCompact("s", Array.from({ length: 30 }, (_, n) => workTurn(n + 1)).flat());
    const stored = (await first.archive.readState("s")) as { ledger: object };
    const archive = createMemoryArchive();
    const ledger = {
      version: 1,
      userMessages: [{ kind: "user_message", blocks: ["Keep the brass lamps."], author: "user", source }],
      rules: [{ kind: "rule", text: "Never oil the hinges.", polarity: "must_not", source }],
      responses: [{ kind: "response", to: source, source }],
      decisions: [{ kind: "decision", decision: "use brass", rationale: "it lasts", source }],
      files: [{ kind: "file", path: "docs/lamps.md", operation: "written", symbols: [], edits: 2, source }],
      commands: [],
      errors: [],
      plans: [],
      values: [{ kind: "value", key: "lamps", value: "48", source }],
      identifiers: [{ kind: "identifier", form: "path", value: "docs/lamps.md", mentions: 3, source }],
      statements: [],
    };
    const { manager } = bench({
      archive: { ...archive, readState: async () => ({ ...stored, ledger }) as never },
    });
    const work = Array.from({ length: 30 }, (_, n) => workTurn(n + 50)).flat();
    const summary = summaryOf(await manager.manualCompact("s", [...before, ...work])) ?? "";
    expect(summary).toMatch(/^<COMPACT-SUMMARY v2>/);
    expect(summary).toContain("Keep the brass lamps.");
    expect(summary).toContain("Never oil the hinges.");
    expect(summary).toContain("docs/lamps.md");
  });
});
