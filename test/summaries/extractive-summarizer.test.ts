import { describe, expect, it } from "vitest";
import { EMPTY_LEDGER, type Ledger } from "../../src/facts/ledger.ts";
import { createExtractiveSummarizer } from "../../src/summaries/extractive-summarizer.ts";
import type { SummaryRequest } from "../../src/summaries/summarizer.ts";

const source = (message: number) => ({ step: 1, message });
const ledger: Ledger = {
  ...EMPTY_LEDGER,
  userMessages: Array.from(
    { length: 20 },
    (_, n) =>
      ({
        kind: "user_message",
        blocks: [`wish ${n} ${"because ".repeat(40)}`],
        author: "user",
        source: source(n),
      }) as const,
  ),
  files: [
    { kind: "file", path: "src/a.ts", operation: "written", symbols: [], edits: 1, source: source(3) },
    { kind: "file", path: "src/b.ts", operation: "read", symbols: [], edits: 0, source: source(4) },
  ],
  identifiers: Array.from(
    { length: 60 },
    (_, n) =>
      ({
        kind: "identifier",
        form: "path",
        value: `lib/file${n}.ts`,
        mentions: (n % 4) + 1,
        source: source(n),
      }) as const,
  ),
  statements: Array.from(
    { length: 30 },
    (_, n) =>
      ({
        kind: "statement",
        text: `Step ${n} is done and tested. ${"More words. ".repeat(20)}`,
        source: source(n),
      }) as const,
  ),
};
const request = (rest: Partial<SummaryRequest> = {}): SummaryRequest => ({
  passages: [],
  ledger,
  strategy: "task_state",
  maxTokens: 4000,
  count: (text) => Math.ceil(text.length / 4),
  ...rest,
});
const summarize = async (rest?: Partial<SummaryRequest>) =>
  (await createExtractiveSummarizer().summarize(request(rest))).text;

describe("the extractive summarizer", () => {
  it.each([60, 150, 300, 800, 2000, 4000, 20_000])("stays within a cap of %i tokens", async (maxTokens) => {
    const text = await summarize({ maxTokens });
    expect(Math.ceil(text.length / 4)).toBeLessThanOrEqual(maxTokens);
    expect(text).not.toBe("");
  });

  it("gives up identifiers first, then old reports, and the users' words and written files last", async () => {
    const [small, middle] = [await summarize({ maxTokens: 700 }), await summarize({ maxTokens: 3000 })];
    expect(small).toContain("src/a.ts");
    expect(small).toContain("wish 19");
    expect(small).not.toContain("lib/file4.ts");
    expect(middle).toContain("wish 0 ");
    expect(middle).toContain("Step 29 is done");
    expect(small).toMatch(/\d+ further facts found no room here/);
    expect(await summarize({ maxTokens: 50_000 })).not.toContain("further facts");
  });

  it("cites the message of every line, and says the same for the same input", async () => {
    const text = await summarize({ note: "keep the port" });
    for (const line of text.split("\n").filter((line) => line.startsWith("- "))) expect(line).toMatch(/\[1\.\d+\]/);
    expect(text).toContain("keep the port");
    expect(await summarize({ note: "keep the port" })).toBe(text);
  });

  it("quotes a user message whole up to 500 characters, and the first 500 of a longer one", async () => {
    const blocks = ["x".repeat(499), "y".repeat(2000)];
    const userMessages = [{ kind: "user_message", blocks, author: "user", source: source(1) }] as const;
    const text = await summarize({ ledger: { ...EMPTY_LEDGER, userMessages } });
    expect(text).toContain(`${"x".repeat(499)}\n${"y".repeat(500)}… (1,500 more characters)`);
  });

  it("is shorter under brief", async () => {
    expect((await summarize({ strategy: "brief" })).length).toBeLessThan(
      (await summarize({ maxTokens: 20_000 })).length,
    );
  });

  it("beyond the size that is wished for holds what must stay, a line of each section, and no more", async () => {
    const text = await summarize({ goal: { tokens: 200, leastMentions: 3 } });
    for (const { blocks } of ledger.userMessages) expect(text).toContain(blocks[0]);
    for (const { value, mentions } of ledger.identifiers) {
      if (mentions >= 3) expect(text).toContain(`${value}`);
      if (mentions === 1) expect(text).not.toMatch(new RegExp(`${value}\\b`));
    }
    expect(text).toContain("src/a.ts");
    expect(text).toContain("src/b.ts");
    expect(text.match(/^- .*is done and tested/gmu)).toHaveLength(1);
    expect(text).toContain("found no room here");
  });

  it("up to the size that is wished for is the same as with that cap", async () => {
    expect(await summarize({ goal: { tokens: 4000, leastMentions: 2 } })).toBe(await summarize());
  });
});
