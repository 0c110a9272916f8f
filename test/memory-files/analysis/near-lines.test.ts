import { describe, expect, it } from "vitest";
import { findNearLines } from "../../../src/memory-files/analysis/near-lines.ts";
import { fileOf } from "../planning/planned.ts";

const BESIDE = [
  "- The nightly job copies each table into cold storage",
  "- Every invoice waits in the outbox for two accountants",
  "- Release notes go to the mailing list on the same day",
].join("\n");

describe("lines of two sections that say nearly the same", () => {
  it("are told with what each says alone, and in what kind of thing they differ", () => {
    const text = `# M\n\n## Setup\n\n- The pump of bed three is switched by relay nine at port 8080\n${BESIDE}\n\n## Field log\n\n- The pump of bed three is switched by relay nine, port 9090 since spring\n`;
    expect(findNearLines(fileOf(text))).toMatchObject([
      {
        lines: [5, 12],
        differs_in: "number",
        only: [
          ["at", "8080"],
          ["9090", "since", "spring"],
        ],
      },
    ]);
  });

  it("are weighed by words that are rare in the file: what every line has tells nothing", () => {
    const note = (name: string) => `- [research note](notes/2031-02-03-${name}.md) is done, code is verified`;
    const text = `## A\n${note("alpha")}\n${note("beta")}\n${note("gamma")}\n## B\n${note("delta")}\n${note("epsilon")}\n`;
    expect(findNearLines(fileOf(text))).toEqual([]);
  });

  it("are none in one section, where they are equal, and where each is the state of its day", () => {
    const line = "- The pump of bed three is switched by relay nine at port 8080";
    for (const text of [
      `## A\n${line}\n${line} today\n${BESIDE}\n`,
      `## A\n${line}\n${BESIDE}\n## B\n${line}\n`,
      `## 2031-02-03\n${line}\n${BESIDE}\n## 2031-02-04\n${line.replace("8080", "9090")}\n`,
      `## A\n\`\`\`\n${line}\n\`\`\`\n${BESIDE}\n## B\n${line} today\n`,
    ])
      expect(findNearLines(fileOf(text)), text).toEqual([]);
  });
});
