// One text for a set of notes: what was settled and what comes next, then a line a note.
import { describe, expect, it } from "vitest";
import { type NotesRequest, type SummarizedNote, summarizeNotes } from "../../src/summaries/notes.ts";
import { createExtractiveSummarizer } from "../../src/summaries/record.ts";
import type { SummaryRequest } from "../../src/summaries/summarizer.ts";

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

describe("notes", () => {
  it("are a line each, cited by their labels", async () => {
    const { text, source, leftOut } = await summaryOf([
      note(4, "The queue is drained at night. The port is 8443."),
      note(12, "Redis runs on port 6380.", { title: "" }),
    ]);
    expect(source).toBe("extractive");
    expect(leftOut).toBe(0);
    expect(text).toBe(
      "## Notes\n- [#4] Note 4: The queue is drained at night. The port is 8443.\n- [#12] Redis runs on port 6380.",
    );
  });

  it("have their choices, rules and next steps apart, and say them once", async () => {
    const { text } = await summaryOf([
      note(1, "We decided to use Redis instead of Postgres because it is faster.\n\n## Next\n\n- Paint the shed\n"),
      note(
        2,
        "Never flush the cache by hand.\n\n## Decisions\n\n- Keep keys for a day\n\n## Next\n\n- ✅ Oil the pump\n",
      ),
      note(3, "- We decided to use Redis instead of Postgres because it is faster.\n- It took 40 minutes.\n"),
    ]);
    expect(text.split("\n\n").slice(0, 2)).toEqual([
      "## Decisions and rules\n- [#2] Never flush the cache by hand.\n- [#2] Keep keys for a day\n- [#3] We decided to use Redis instead of Postgres because it is faster.",
      "## Next steps\n- [#1] Paint the shed",
    ]);
    expect(text).toContain("- [#3] Note 3: It took 40 minutes.");
  });

  it("are told by their own words: no label of a form, no path alone, no beginning that all titles share", async () => {
    const ports = ["8443", "9001", "9002", "9003", "9004"];
    const { text } = await summaryOf(
      ports.map((port, at) =>
        note(
          at + 1,
          `Commit message:\nci: serve on port ${port}\n\nChanged files:\nsrc/serve-${at}.ts\ndocs/serve-${at}.md`,
          {
            title: `Saved commit c${at}f00d`,
          },
        ),
      ),
    );
    expect(text).toBe(
      `## Notes\n${ports.map((port, at) => `- [#${at + 1}] c${at}f00d: ci: serve on port ${port}`).join("\n")}`,
    );
  });

  it("keep what is not to be done before what is done", async () => {
    const places = ["harbour", "mill", "quarry", "orchard"];
    const { text } = await summaryOf(
      places.map((place, at) =>
        note(
          at + 1,
          `The report on the ${place} was drawn up, sent to three offices and filed there. No merge for the ${place} without a second reader. The ${place} was painted in spring by two people.`,
        ),
      ),
      { maxTokens: 64 },
    );
    for (const place of places) expect(text).toContain(`No merge for the ${place} without a second reader.`);
  });

  it("say how many choices and rules have no room, and how many notes", async () => {
    const rules = Array.from(
      { length: 40 },
      (_, at) => `- ${String.fromCharCode(97 + (at % 26)).repeat(4)} valve ${at} of the tank stays shut\n`,
    ).join("");
    const many = await summaryOf([note(1, `## Rules\n\n${rules}`), note(2, "A quiet day.")], { maxTokens: 80 });
    const told = many.text.match(/valve \d+ of/gu)?.length ?? 0;
    expect(told).toBeGreaterThan(3);
    expect(many.leftOut).toBe(40 - told);
    expect(many.text).toContain(`## Decisions and rules\n(${40 - told} more in the notes.)\n`);
    const notes = Array.from({ length: 50 }, (_, at) => note(at + 1, `Day ${at} was quiet.`));
    const few = await summaryOf(notes, { maxTokens: 60 });
    expect(few.leftOut).toBeGreaterThan(10);
    expect(few.text).toContain(`(${few.leftOut} notes are not listed.)`);
    expect(few.text).toContain("[#50]");
  });

  it("stay within their cap whatever the labels take, and no note takes the room of all", async () => {
    const chars = (text: string) => Math.ceil(text.length / 3);
    const notes = Array.from({ length: 20 }, (_, at) =>
      note(at + 1, `- Ran ${at} jobs\n- Port ${8000 + at} is open\n${"- Looked at the log again\n".repeat(at * 5)}`, {
        label: `2031-02-${at + 10}-a-rather-long-name`,
      }),
    );
    for (const maxTokens of [500, 800, 1500]) {
      const { text } = await summaryOf(notes, { maxTokens, count: chars });
      expect(chars(text)).toBeLessThanOrEqual(maxTokens);
    }
    const { text } = await summaryOf(notes, { maxTokens: 800, count: chars });
    expect(text.match(/Ran \d+ jobs|Port \d+ is open/g)?.length).toBeGreaterThanOrEqual(20);
  });

  it("split Chinese at its sentences and break no character", async () => {
    const { text } = await summaryOf([
      note(1, "缓存的端口是 6380。重启之后要先清空旧的索引！𠮷野家的订单有 25 个，明天再看。", { title: "" }),
      note(2, "👨‍👩‍👧‍👦".repeat(200), { title: "" }),
    ]);
    expect(text).toContain("缓存的端口是 6380。重启之后要先清空旧的索引！𠮷野家的订单有 25 个，明天再看。");
    expect(text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
  });

  it("are shown to a model whole and redacted; what it says comes first, what was settled stays", async () => {
    const seen: SummaryRequest[] = [];
    const summarizer = {
      kind: "model" as const,
      summarize: async (request: SummaryRequest) => {
        seen.push(request);
        return { text: `## Findings and results\n- a = 1 [${request.passages[1]?.id}]`, source: "model" as const };
      },
    };
    const { text, source } = await summaryOf(
      [note(1, "Never flush the cache. The key is s3cret."), note(2, "See src/a.ts", { label: "2031-02-03" })],
      { summarizer, redact: (words) => words.replaceAll("s3cret", "<REDACTED>") },
    );
    expect(source).toBe("model");
    expect(text.startsWith("## Findings and results\n- a = 1 [2031-02-03]\n\n## Decisions and rules\n")).toBe(true);
    expect(text).toContain("- [#1] Never flush the cache.");
    expect(text).toContain("- [2031-02-03] Note 2: See src/a.ts");
    expect(seen[0]?.passages.map((passage) => passage.text)).toEqual([
      "Note 1\n\nNever flush the cache. The key is <REDACTED>.",
      "Note 2\n\nSee src/a.ts",
    ]);
    expect(text).not.toContain("s3cret");
  });

  it("stop with the signal", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(summaryOf([note(1, "a")], { signal })).rejects.toThrow("enough");
  });
});
