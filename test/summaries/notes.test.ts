// One text for a set of notes, as rows of a store and as documents.
import { describe, expect, it } from "vitest";
import { createExtractiveSummarizer } from "../../../src/summaries/extractive-summarizer.ts";
import { type NotesRequest, summarizeNotes } from "../../../src/summaries/notes/summarize-notes.ts";
import type { SummarizedNote } from "../../../src/summaries/notes/summarized-note.ts";
import type { SummaryRequest } from "../../../src/summaries/summarizer.ts";

const count = (text: string) => text.split(/\s+/u).filter(Boolean).length;

const note = (id: number, text: string, rest: Partial<SummarizedNote> = {}): SummarizedNote => ({
  id,
  label: `#${id}`,
  title: `Note ${id}`,
  text,
  ...rest,
});

function summaryOf(notes: readonly SummarizedNote[], rest: Partial<NotesRequest> = {}) {
  const summarizer = createExtractiveSummarizer();
  return summarizeNotes({
    ...{ notes, maxTokens: 400, summarizer, strategy: "brief", count, redact: (text) => text },
    ...rest,
  });
}

describe("records", () => {
  it("are a line each, cited by their labels, with what code finds besides", async () => {
    const { text, source } = await summaryOf([
      note(4, "The queue is drained at night. The port is 8443."),
      note(12, "We decided to use Redis instead of Postgres because it is faster.", { title: "" }),
    ]);
    expect(source).toBe("extractive");
    expect(
      text.startsWith("## Notes\n- [#4] Note 4: The queue is drained at night. The port is 8443.\n- [#12] We"),
    ).toBe(true);
    expect(text).not.toMatch(/777|## Decisions and rules|## Names/);
    expect(text).toMatch(/\[#4\]$/m);
  });

  it("that speak of the steps of the citations keep their words", async () => {
    const { text } = await summaryOf([note(4, "Section 777.4 was moved to 778.4 by hand.")]);
    expect(text).toContain("Section 777.4 was moved to 778.4 by hand.");
  });
});

describe("documents", () => {
  const documents = (notes: readonly SummarizedNote[], rest: Partial<NotesRequest> = {}) =>
    summaryOf(notes, { form: "document", ...rest });

  it("have their choices, rules and names apart, and say them once", async () => {
    const { text } = await documents([
      note(1, "- We decided to use Redis instead of Postgres because it is faster.\n- Files in src/cache/redis.ts"),
      note(
        2,
        "Never flush the cache by hand.\n\n## Decisions\n\n- Keep keys for a day\n- Keep:\n\n```\nsee src/cache/keys.ts\n```\n",
      ),
      note(
        3,
        "- We decided to use Redis instead of Postgres because it is faster.\n- It failed but never wrote a line.",
      ),
    ]);
    expect(text.split("\n\n")[0]?.split("\n")).toEqual([
      "## Decisions and rules",
      "- [#2] Never flush the cache by hand.",
      "- [#2] Keep keys for a day",
      "- [#3] We decided to use Redis instead of Postgres because it is faster.",
    ]);
    expect(text.match(/Never flush/g)).toHaveLength(1);
    expect(text).toContain("- [#1] Note 1: Files in src/cache/redis.ts");
    expect(text.split("## Names\n")[1]).toMatch(/^- \[#2\] src\/cache\/keys\.ts$/m);
  });

  it("part list items, and leave out what only leads in or was said", async () => {
    const { text } = await documents([
      note(1, "- Moved 12 files\n- Next steps:\n- Wrote 3 tests\n- 100 %\n- Opened 5 doors\n"),
      note(2, "- Wrote 3 tests\n- Read 4 books\n"),
    ]);
    expect(text).toContain("- [#1] Note 1: Moved 12 files; Opened 5 doors\n- [#2] Note 2: Wrote 3 tests; Read 4 books");
  });

  it("split Chinese at its sentences and break no character", async () => {
    const text = "缓存的端口是 6380。重启之后要先清空旧的索引！𠮷野家的订单有 25 个，明天再看。";
    const summary = await documents([
      note(1, text.repeat(1), { title: "" }),
      note(2, "👨‍👩‍👧‍👦".repeat(200), { title: "" }),
    ]);
    expect(summary.text).toContain("缓存的端口是 6380。");
    expect(summary.text).toContain("重启之后要先清空旧的索引！");
    expect(summary.text).toContain("𠮷野家的订单有 25 个，明天再看。");
    expect(summary.text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
  });

  it("stay within their cap whatever the labels take, and share it evenly", async () => {
    const chars = (text: string) => Math.ceil(text.length / 3);
    const notes = Array.from({ length: 20 }, (_, at) =>
      note(
        at + 1,
        `- Ran ${at} jobs\n- ${`Long sentence ${at} of many words in a row `.repeat(6)}\n- Port ${8000 + at} is open\n`,
        {
          label: `2031-02-${at + 10}-a-rather-long-name`,
        },
      ),
    );
    for (const maxTokens of [500, 800, 1500]) {
      const { text } = await documents(notes, { maxTokens, count: chars });
      expect(chars(text)).toBeLessThanOrEqual(maxTokens);
    }
    const { text } = await documents(notes, { maxTokens: 800, count: chars });
    expect(text.match(/Ran \d+ jobs|Port \d+ is open/g)?.length).toBeGreaterThanOrEqual(20);
  });

  it("are shown to a model whole and redacted, without what code says", async () => {
    const seen: SummaryRequest[] = [];
    const summarizer = {
      kind: "model" as const,
      summarize: async (request: SummaryRequest) => {
        seen.push(request);
        return { text: `## Values in force\n- a = 1 [${request.passages[1]?.id}]`, source: "model" as const };
      },
    };
    const { text, source } = await documents(
      [note(1, "Never flush the cache. The key is s3cret."), note(2, "See src/a.ts", { label: "2031-02-03" })],
      { summarizer, redact: (words) => words.replaceAll("s3cret", "<REDACTED>") },
    );
    expect(source).toBe("model");
    expect(text).toContain("## Values\n- a = 1 [2031-02-03]");
    expect(text).toContain("- [2031-02-03] Note 2\n");
    expect(seen[0]?.passages.map((passage) => passage.text)).toEqual([
      "Note 1\n\nNever flush the cache. The key is <REDACTED>.",
      "Note 2\n\nSee src/a.ts",
    ]);
    expect(seen[0]?.ledger).toMatchObject({ decisions: [], rules: [], identifiers: [] });
    expect(text).not.toContain("s3cret");
  });

  it("stop with the signal", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(documents([note(1, "a")], { signal })).rejects.toThrow("enough");
  });
});
