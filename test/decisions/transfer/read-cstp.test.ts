import { describe, expect, it } from "vitest";
import { detectDecisionFormat } from "../../../src/decisions/import/decision-source.ts";
import { readDecisionRecords } from "../../../src/decisions/import/read-decision-records.ts";

const read = (text: string, name = "log.yaml") => readDecisionRecords([{ name, text }]);

describe("CSTP records", () => {
  it("are taken as they are written, unknown keys and nulls included", () => {
    const { records, faults } = read(
      "id: 01234568\nsummary: Use one\n  queue\nconfidence: 0.90\ncontext: null\nours: {a: [1]}\n",
    );
    expect(faults).toEqual([]);
    expect(records).toEqual([
      { id: "01234568", summary: "Use one queue", confidence: 0.9, context: null, ours: { a: [1] } },
    ]);
  });

  it("may be several documents of one file; a broken one stops no other", () => {
    const text =
      "%YAML 1.2\n---\n# first\nid: a\nsummary: A\n---\nid: [b\n--- # third\nid: c\nsummary: C\n...\n---\n- just\n- a list\n---\nid: d\n";
    const { records, faults } = read(text);
    expect(records.map(({ id }) => id)).toEqual(["a", "c"]);
    expect(faults.map(({ id, code }) => `${id} ${code}`)).toEqual([
      "log.yaml UNREADABLE_RECORD",
      "log.yaml UNREADABLE_RECORD",
      "log.yaml UNREADABLE_RECORD",
      "d UNREADABLE_RECORD",
    ]);
    expect(faults[0]?.message).toMatch(/^Line 6 of log\.yaml: line [78] of the file is no YAML/);
  });

  it("get id and date from the name of their file where they have none", () => {
    const { records } = read("summary: A\n", "decisions/2031/02/2031-02-01-decision-984c066f.yaml");
    expect(records).toEqual([{ summary: "A", id: "984c066f", date: "2031-02-01" }]);
    const own = read("id: x\nsummary: A\ntimestamp: '2031-02-03T00:00:00'\n", "2031-02-01-decision-984c066f.yaml");
    expect(own.records).toEqual([{ id: "x", summary: "A", timestamp: "2031-02-03T00:00:00" }]);
  });

  it("get the name of their file as id where it is all that names them, and may write keys in camel case", () => {
    const camel = {
      decision: "Use one queue",
      createdAt: "2031-02-03T00:00:00Z",
      actualResult: "good",
      ours: { aB: 1 },
    };
    const { records, faults } = read(JSON.stringify(camel), "decisions/use-one-queue.json");
    expect(faults).toEqual([]);
    expect(records).toEqual([
      {
        id: "use-one-queue",
        decision: "Use one queue",
        created_at: "2031-02-03T00:00:00Z",
        actual_result: "good",
        ours: { aB: 1 },
      },
    ]);
    const both = read("id: a\ndecision: A\ncreated_at: 2031-01-01\ncreatedAt: 2031-02-02\n").records[0];
    expect(both).toMatchObject({ created_at: "2031-01-01", createdAt: "2031-02-02" });
    expect(read("- {decision: A}\n- {decision: B}\n").records).toEqual([]);
    expect(read("services: {web: {image: x}}\n", "compose.yaml").records).toEqual([]);
  });

  it("may be a list, JSON, or JSON Lines", () => {
    expect(read("- {id: a, summary: A}\n- {id: b, summary: B}\n").records).toHaveLength(2);
    expect(read('{"decisions":[{"id":"a","decision":"A"}]}', "x.json").records).toEqual([{ id: "a", decision: "A" }]);
    expect(read('{"id":"a","decision":"A"}\n{"id":"b","decision":"B"}\n', "x.jsonl").records).toHaveLength(2);
  });

  it("that are hostile are listed, one by one", () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefghij"].map((key, at) => `${key}: &${key} [${Array(9).fill(`*${"abcdefghij"[at]}`).join(",")}]`).join("\n")}\nid: bomb\nsummary: B\n`;
    for (const text of [
      bomb,
      `id: x\nsummary: ${"[".repeat(100_000)}`,
      `${"- ".repeat(20_000)}x`,
      `id: x\nsummary: "${"y".repeat(6_000_000)}"`,
      "\u0000\u0001binary",
      "",
    ]) {
      const { records, faults } = readDecisionRecords([
        { name: "bad.yaml", text },
        { name: "good.yaml", text: "\ufeffid: good\r\nsummary: G\r\n" },
      ]);
      expect(records).toEqual([{ id: "good", summary: "G" }]);
      expect(faults.length).toBeGreaterThan(0);
      for (const { message } of faults) expect(message).not.toContain("binary");
    }
  });
});

describe("the format of a file", () => {
  it.each([
    ["a.md", "", "adr"],
    ["a.yml", "", "cstp"],
    ["a.yaml.gz", "", "cstp"],
    ["a.jsonl", '{"id":"a","title":"t","status":"open"}', "issues"],
    ["a.jsonl", 'garbage\n{"id":"a","decision":"t"}', "cstp"],
    ["a.json", '[{"number":1,"title":"t"}]', "issues"],
    ["a.json", '{"name":"x"}', undefined],
    ["-", "---\nstatus: accepted\n---\n\n# T\n", "adr"],
    ["-", "# T\n", "adr"],
    ["-", "id: x\nsummary: y\n", "cstp"],
    ["-", '{"id":"a","title":"t","status":"open"}', "issues"],
    ["-", "Dear diary", undefined],
    ["a.png", "\u0089PNG", undefined],
  ])("%s %j", (name, text, format) => {
    expect(detectDecisionFormat(name, text)).toBe(format);
  });

  it("that is none is told, and can be given", () => {
    const { records, faults } = read("Dear diary", "diary.txt");
    expect([records, faults.map(({ code }) => code)]).toEqual([[], ["NOT_A_RECORD"]]);
    expect(
      readDecisionRecords([{ name: "x.txt", text: "id: x\nsummary: y\n" }], { format: "cstp" }).records,
    ).toHaveLength(1);
  });
});
