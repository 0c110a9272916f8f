// A folder of decision files as other programs leave it: links that lead out, words of YAML 1.1, JSON,
// records that are too large or cannot be read.
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDecisionRecords } from "../../../src/decisions/import/read-decision-records.ts";
import { reviewDecision, setPreserve } from "../../../src/decisions/review-decision.ts";
import { options } from "../levels/records.ts";
import { faultsIn, filesOf, folderOf, idsIn, openLog, yamlOf } from "./sample-folder.ts";

const first = async (root: string) => (await openLog(root).read((reader) => reader.decisions(["a"])))[0];
const adding = (root: string) =>
  openLog(root)
    .write((writer) => writer.add({ id: "a", decision: "A", date: "2031-01-02" }))
    .catch((error) => error);

describe("a link in a folder", () => {
  it.each([
    ["a year", "2031", ""],
    ["a month", "2031/01", ""],
    ["a year, to nothing that is there", "2031", "missing"],
    ["what is kept beside records", ".agent-compact", ""],
    ["what is kept beside records, to nothing that is there", ".agent-compact", "missing"],
  ])("that leads out is refused before anything is made: %s", async (_, name, target) => {
    const outside = folderOf();
    const root = folderOf({ "2030/b.yaml": yamlOf("b") });
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync(join(outside, target), join(root, name));
    const failure = await adding(root);
    expect(failure).toMatchObject({ kind: "StoreFailed", code: "LEADS_OUT" });
    expect(failure.hint).not.toContain("session");
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(outside, "missing"))).toBe(false);
    expect(await idsIn(openLog(root))).toEqual(["b"]);
  });

  it("is something else than a file in the place of a folder", async () => {
    const root = folderOf({ "2031": "mine" });
    const failure = await adding(root);
    expect(failure.kind).toMatch(/StoreFailed|Conflict/);
    expect(failure.code).not.toBe("LEADS_OUT");
    expect(filesOf(root)).toEqual({ "2031": "mine" });
  });
});

describe("preserve in a file", () => {
  it.each(["yes", "Yes", "YES", "on", "On", "ON", "true"])("is true as plain %s", async (word) => {
    const root = folderOf({ "a.yaml": yamlOf("a", `preserve: ${word} # kept\n`) });
    expect(await first(root)).toMatchObject({ isPreserved: true, raw: { preserve: true } });
    expect(await faultsIn(openLog(root))).toEqual([]);
    await setPreserve(openLog(root), { id: "a", preserve: false }, options);
    expect(filesOf(root)["a.yaml"]).toBe(yamlOf("a", "preserve: false # kept\n"));
  });

  it.each(["no", "No", "NO", "off", "Off", "OFF", "false"])("is false as plain %s", async (word) => {
    const root = folderOf({ "a.yaml": yamlOf("a", `preserve: ${word}\n`) });
    expect(await first(root)).toMatchObject({ isPreserved: false, raw: { preserve: false } });
    expect(await faultsIn(openLog(root))).toEqual([]);
    await openLog(root).write((writer) => writer.change("a", { preserve: true }));
    expect(filesOf(root)["a.yaml"]).toBe(yamlOf("a", "preserve: true\n"));
  });

  it.each(["'no'", '"off"', "!!str no", "nO", "n", "never", "0", "[no]"])("is a fault as %s", async (word) => {
    const root = folderOf({ "a.yaml": yamlOf("a", `preserve: ${word}\n`) });
    expect((await first(root))?.isPreserved).toBe(true);
    expect(await faultsIn(openLog(root))).toEqual(["UNREADABLE_PRESERVE a"]);
  });

  it("says nothing about such words elsewhere", async () => {
    const root = folderOf({ "a.yaml": yamlOf("a", "answer: no\nnested: {preserve: no}\n") });
    expect((await first(root))?.raw).toMatchObject({ answer: "no", nested: { preserve: "no" } });
  });

  it("is read so in a file to be imported, of one record and of many", () => {
    const read = (text: string) => readDecisionRecords([{ name: "log.yaml", text }]).records.map((raw) => raw.preserve);
    expect(read(yamlOf("a", "preserve: no\n"))).toEqual([false]);
    expect(read("- {id: a, decision: A, preserve: Off}\n- {id: b, decision: B, preserve: yes}\n")).toEqual([
      false,
      true,
    ]);
    expect(read("decisions:\n  - {id: a, decision: A, preserve: no}\n")).toEqual([false]);
  });
});

describe("a file", () => {
  it("that is larger than a new record may be is read, marked and reviewed, and grows no further", async () => {
    const text = yamlOf("a", `context: ${"word ".repeat(200_000)}\n`);
    const root = folderOf({ "a.yaml": text });
    const log = openLog(root);
    await log.write((writer) => writer.change("a", { preserve: true }));
    expect(filesOf(root)["a.yaml"]).toBe(`${text}preserve: true\n`);
    const growing = log.write((writer) => writer.change("a", { lessons: "x".repeat(1_000_000) }));
    await expect(growing).rejects.toMatchObject({ kind: "InvalidInput", code: "RECORD_TOO_LARGE" });
    expect(filesOf(root)["a.yaml"]).toBe(`${text}preserve: true\n`);
  });

  it("is never made larger than a file that is read", async () => {
    const text = yamlOf("a", `context: ${"word ".repeat(498_000)}\n`);
    const root = folderOf({ "a.yaml": text });
    const growing = openLog(root).write((writer) => writer.change("a", { lessons: "x".repeat(300_000) }));
    await expect(growing).rejects.toMatchObject({ kind: "InvalidInput" });
    expect(filesOf(root)["a.yaml"]).toBe(text);
  });

  it("that is JSON stays JSON", async () => {
    const raw = { id: "a", decision: "A", date: "2031-01-02", status: "pending" };
    const root = folderOf({ "a.yaml": JSON.stringify(raw, null, 2) });
    await openLog(root).write((writer) => writer.change("a", { status: "reviewed", lessons: "Ask: first" }));
    const text = filesOf(root)["a.yaml"] ?? "";
    expect(JSON.parse(text)).toEqual({ ...raw, status: "reviewed", lessons: "Ask: first" });
    expect(text.split("\n")).toHaveLength(7);
  });
});

describe("a record that cannot be read", () => {
  const name = "2031/01/2031-01-02-decision-abcd1234.yaml";
  const root = () =>
    folderOf({
      [name]: `${yamlOf("abcd1234")}---\nid: other\n`,
      "noted.yaml": "id: eeee5555\n",
      "b.yaml": yamlOf("bbbb"),
    });

  it.each([
    ["abcd1234", name],
    ["abcd", name],
    ["2031-01-02-decision-abcd1234", name],
    [name, name],
    ["eeee5555", "eeee5555"],
  ])("is named to somebody who asks for %s", async (id, unreadable) => {
    const log = openLog(root());
    expect(await setPreserve(log, { id, preserve: true }, options)).toMatchObject({
      success: false,
      error: expect.stringContaining(unreadable),
    });
    const reviewing = reviewDecision(log, { id, outcome: "success" }, options);
    await expect(reviewing).rejects.toMatchObject({
      kind: "NotFound",
      code: "UNKNOWN_DECISION",
      message: expect.stringMatching(/^Decision not found: .*cannot be read/),
      data: { id, unreadable },
    });
  });

  it.each(["abc", "cd1234", "zzzz"])("is not taken for %s", async (id) => {
    const { error } = await setPreserve(openLog(root()), { id, preserve: true }, options);
    expect(error).toBe(`Decision not found: ${id}`);
  });
});
