// What of a document stays: what stands under headings that say so, whole, and nothing that the next sentence takes back.
import { describe, expect, it } from "vitest";
import { createExtractiveSummarizer } from "../../../../src/summaries/extractive-summarizer.ts";
import { readDocument } from "../../../../src/summaries/notes/document/read-document.ts";
import { summarizeNotes } from "../../../../src/summaries/notes/summarize-notes.ts";

const count = (text: string) => text.split(/\s+/u).filter(Boolean).length;
const note = (text: string, id = 1) => ({ id, label: `n${id}`, title: "", isTitleOfParts: true, text });
const partsOf = (text: string) => readDocument(note(text), (words) => words).parts;

async function textOf(texts: readonly string[], maxTokens = 400): Promise<string> {
  const notes = texts.map((text, at) => note(text, at + 1));
  const request = { summarizer: createExtractiveSummarizer(), strategy: "brief" as const, count };
  const { text } = await summarizeNotes({
    ...{ notes, maxTokens, form: "document", redact: (words: string) => words },
    ...request,
  });
  return text;
}

describe("a document", () => {
  it("is read in parts, each with its heading and its lead-in", () => {
    const parts = partsOf("## Pump\n\nChecked:\n\n- the seal\n- the belt\n\n**Next steps:**\n- order oil\n");
    expect(parts.map(({ subject, lead, kind, sentences }) => [subject, lead, kind, ...sentences])).toEqual([
      ["Pump", "Checked:", undefined, "the seal"],
      ["Pump", "Checked:", undefined, "the belt"],
      ["Pump", "Next steps:", "next", "order oil"],
    ]);
  });

  it.each([
    ["Decision", "settled"],
    ["⚠️ Lessons learned", "learnt"],
    ["Entscheidungen", "settled"],
    ["Nächste Schritte", "next"],
    ["Lecciones", "learnt"],
    ["Pendientes", "next"],
    ["Décisions", "settled"],
    ["Cause", "learnt"],
    ["Próximos passos", "next"],
    ["设计决策", "settled"],
    ["经验教训", "learnt"],
    ["下一步计划", "next"],
    ["決定", "settled"],
    ["今後", "next"],
    ["Opening hours", undefined],
  ])("knows what a heading says: %s", (heading, kind) => {
    expect(partsOf(`## ${heading}\n\n- This is said below it\n`)[0]?.kind).toBe(kind);
  });

  it("keeps a sentence together with the one that takes it back", () => {
    const list =
      "## Tank\n\n- Not only beds A and B are watered.\n- Rain puts nothing off.\n\nThat was a fault: it was set.\n";
    expect(partsOf(list).map(({ sentences }) => sentences)).toEqual([
      ["Not only beds A and B are watered.", "Rain puts nothing off.", "That was a fault: it was set."],
    ]);
    const filler = "The log of the day was read from the first to the last line and says no more than this. ".repeat(4);
    const long = partsOf(`${filler}The cache is safe to delete. However, it is not while a run goes on.`);
    const told = long.map(({ sentences }) => sentences.join(" "));
    expect(told.length).toBeGreaterThan(1);
    expect(told.filter((text) => text.includes("safe to delete"))).toEqual([
      expect.stringContaining("However, it is not"),
    ]);
  });

  it("counts logs, tables and rows of one form, names their faults, and takes none of them for a choice", async () => {
    const log = Array.from({ length: 12 }, (_, at) => `06:${10 + at} pump must never stop, step ${at}`);
    log[4] = "06:14 ERROR valve 3 stuck";
    const rows = Array.from(
      { length: 9 },
      (_, at) => `- Bed ${at}, left side, day ${at}: old valve out, new one always in, ${at} openings`,
    );
    const table = `| run | bar |\n| --- | --- |\n${Array.from({ length: 20 }, (_, at) => `| ${at} | 2.${at} |`).join("\n")}`;
    const text = await textOf([
      `## Log\n\n\`\`\`\n${log.join("\n")}\n\`\`\`\n\n## Decided\n\n- Washers under all clamps\n\n${rows.join("\n")}\n\n## Runs\n\n${table}\n`,
    ]);
    expect(text).toContain("12 log lines from 06:10 to 06:21; marked as faults: 06:14 ERROR valve 3 stuck");
    expect(text).toContain("9 entries of one form, the first: Bed 0, left side");
    expect(text).toContain("table of 20 rows: run, bar");
    expect(text.split("\n\n")[0]).toBe("## Decisions and rules\n- [n1] Washers under all clamps");
    expect(text).not.toContain("Bed 1,");
  });

  it("tells a small table row by row, under its heading", async () => {
    const text = await textOf([
      "## Alarm list\n\n| alarm | may wait |\n| --- | --- |\n| tank low | yes |\n| valve open | no |\n",
    ]);
    expect(text).toContain("Alarm list: tank low: may wait yes; valve open: may wait no");
  });

  it("keeps the next steps of every note, the last of equal ones, and none that is done", async () => {
    const text = await textOf([
      "## Next\n\n- Paint the shed\n- Oil the pump\n",
      "## Next\n\n- Oil the pump\n- ✅ Close the vent\n",
    ]);
    expect(text).toContain("## Next steps\n- [n1] Paint the shed\n- [n2] Oil the pump\n");
  });

  it("takes a choice with the paragraph that says what it is about", async () => {
    const text = await textOf([
      "## Heater\n\nThe controller may switch it. A lost frame leaves it on; decided to leave it alone.\n",
    ]);
    expect(text).toContain(
      "- [n1] Heater: The controller may switch it. A lost frame leaves it on; decided to leave it alone.",
    );
  });

  it("states no value apart from its sentence", async () => {
    const text = await textOf(["A delay of 5 seconds was not enough, 20 were.\n\n- 测试：1/1 通过\n"]);
    expect(text).not.toContain("## Values");
    expect(text).toContain("A delay of 5 seconds was not enough, 20 were.");
  });
});
