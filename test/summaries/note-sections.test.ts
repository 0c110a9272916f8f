// How a note is read: by its headings, lead-ins and labels, and what they say of what stands below them.
import { describe, expect, it } from "vitest";
import { sectionsOf } from "../../src/summaries/note-sections.ts";

const told = (text: string) => sectionsOf(text).map(({ heading, kind, text }) => [heading, kind, text]);

describe("a note", () => {
  it("is read in sections, each with its heading and its lead-in", () => {
    expect(
      told(
        "Opened at 6.\n\n## Pump\n\nChecked:\n\n- the seal\n- the belt\n\nAll well.\n\n**Next steps:**\n- order oil\n",
      ),
    ).toEqual([
      ["", undefined, "Opened at 6."],
      ["Pump: Checked", undefined, "the seal\nthe belt"],
      ["Pump", undefined, "All well."],
      ["Pump: Next steps", "next", "order oil"],
    ]);
  });

  it("is read by the labels of its lines", () => {
    expect(told("## Tank\n\n- Cause: a worn ring\n- Colour: green\n- **Decision**: buy two\n")).toEqual([
      ["Tank: Cause", "learnt", "a worn ring"],
      ["Tank", undefined, "Colour: green"],
      ["Tank: Decision", "settled", "buy two"],
    ]);
  });

  it("keeps the kind of a heading for those below it, until another of its level", () => {
    expect(told("## Rules\n\n### Water\n\n- Boil it\n\n## Day\n\n- Dry\n").map(([, kind]) => kind)).toEqual([
      "settled",
      undefined,
    ]);
  });

  it("takes one reason for the choice that a heading says itself", () => {
    expect(told("### Decision: KEEP\n\n- Faster\n- Smaller\n")).toEqual([
      ["Decision: KEEP", "settled", "Faster"],
      ["Decision: KEEP", undefined, "Smaller"],
    ]);
  });

  it("drops next steps that are done, and what stands behind a line across is not under the heading", () => {
    expect(told("## Next\n\n- ✅ Close the vent\n- Oil the pump\n\n---\n\nWritten at home\n")).toEqual([
      ["Next", "next", "Oil the pump"],
      ["", undefined, "Written at home"],
    ]);
  });

  it("shows one of many rows of one form, and what is different among them", () => {
    const log = Array.from(
      { length: 12 },
      (_, at) => `06:${10 + at} pump of bed ${"ABCD"[at % 4]} was started by hand`,
    );
    log[4] = "06:14 ERROR valve 3 stuck";
    expect(told(`## Log\n\n- ${log.join("\n- ")}\n`)).toEqual([
      [
        "Log",
        undefined,
        "06:10 pump of bed A was started by hand (and 10 more lines of this form)\n06:14 ERROR valve 3 stuck",
      ],
    ]);
  });

  it("takes no heading from code", () => {
    expect(told("## Run\n\n```sh\n# Rules\n```\n")).toEqual([["Run", undefined, "```sh\n# Rules\n```"]]);
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
    expect(sectionsOf(`## ${heading}\n\n- This is said below it\n`)[0]?.kind).toBe(kind);
  });
});
