// A folder of decision files: what a write makes of it, and what it leaves as it was.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCstpYamlDecisionLog } from "../../../src/decisions/cstp-yaml-decision-log.ts";
import { faultsIn, filesOf, folderOf, idsIn, openLog, putFiles, VIEW, yamlOf } from "./sample-folder.ts";

const CORPUS = process.env.AGENT_CORPUS;

describe("writing into a folder", () => {
  it("makes a file of the layout, and reads it back", async () => {
    const root = join(folderOf(), "made", "here");
    const log = createCstpYamlDecisionLog({ path: root, create: true });
    expect(await idsIn(log)).toEqual([]);
    const raw = {
      id: "1a2b3c4d",
      decision: "Ask: first",
      date: "2031-03-31T23:30:00-02:00",
      yes: "yes",
      when: "2031-01-02",
      notes: "a\n\n b\n",
    };
    const added = await log.write((writer) => writer.add(raw));
    expect(added.raw).toEqual(raw);
    const name = "2031/04/2031-04-01-decision-1a2b3c4d.yaml";
    expect(Object.keys(filesOf(root))).toEqual([name]);
    // Quoted for readers of YAML 1.1, which see a boolean and a date.
    expect(readFileSync(join(root, name), "utf8")).toMatch(/^yes: 'yes'$|^'yes': 'yes'$/m);
    expect(readFileSync(join(root, name), "utf8")).toMatch(/when: '2031-01-02'/);
    expect((await openLog(root).read((reader) => reader.decisions(["1a2b3c4d"])))[0]).toEqual(added);
    expect(readFileSync(join(root, ".agent-compact", ".gitignore"), "utf8")).toBe("*\n");
  });

  it("gives a record without a date no date by the name of its file", async () => {
    const root = folderOf();
    const log = openLog(root);
    await log.write(async (writer) => {
      await writer.add({ id: "a", decision: "A" });
      await writer.add({ id: "b", decision: "B", date: "soon" });
      await writer.add({ id: "c", decision: "C", date: "2031-01-02" });
    });
    expect(Object.keys(filesOf(root))).toEqual([
      "2031/01/2031-01-02-decision-c.yaml",
      "undated/decision-a.yaml",
      "undated/decision-b.yaml",
    ]);
    await log.write((writer) => writer.replace({ id: "c", decision: "C2" }));
    expect((await openLog(root).read((reader) => reader.decisions(["c"])))[0]).toMatchObject({ text: "C2", date: "" });
    expect(Object.keys(filesOf(root))).toContain("undated/decision-c.yaml");
    expect(await faultsIn(openLog(root))).toEqual(["UNREADABLE_DATE b"]);
  });

  it.each(["../../out", "/etc/x", ".", "..", ".hidden", "a/b", "a\\b", "x".repeat(101), "con:", "ü", "a b", "nul\0"])(
    "never takes an unsafe id (%j) into a path, and keeps the id",
    async (id) => {
      const root = join(folderOf(), "in");
      const log = createCstpYamlDecisionLog({ path: root, create: true });
      await log.write((writer) => writer.add({ id, decision: "A" }));
      const [name, ...others] = Object.keys(filesOf(root));
      expect(others).toEqual([]);
      expect(name).toMatch(/^undated\/decision-[A-Za-z0-9_-]{1,40}--[0-9a-f]{32}\.yaml$/);
      expect(Object.keys(filesOf(join(root, "..")))).toEqual([`in/${name}`]);
      expect(await idsIn(openLog(root))).toEqual([id]);
      await expect(log.write((writer) => writer.add({ id, decision: "A" }))).rejects.toMatchObject({
        kind: "Conflict",
      });
    },
  );

  it("does not write where a folder of the layout is a link that leads out", async () => {
    const outside = folderOf();
    const root = folderOf();
    symlinkSync(outside, join(root, "2031"));
    const adding = openLog(root).write((writer) => writer.add({ id: "a", decision: "A", date: "2031-01-02" }));
    await expect(adding).rejects.toMatchObject({ kind: "StoreFailed" });
    expect(filesOf(outside)).toEqual({});
  });

  it("does not write over a file that is there and no record", async () => {
    const root = folderOf({ "2031/01/2031-01-02-decision-a.yaml": "- mine" });
    const before = filesOf(root);
    const adding = openLog(root).write((writer) => writer.add({ id: "a", decision: "A", date: "2031-01-02" }));
    await expect(adding).rejects.toMatchObject({ kind: "Conflict", code: "DECISION_EXISTS" });
    expect(filesOf(root)).toEqual(before);
  });

  it.each([
    [0o755, 0o644],
    [0o750, 0o640],
    [0o700, 0o600],
  ])("makes a file as readable as the folder (%o)", async (mode, expected) => {
    const root = folderOf();
    chmodSync(root, mode);
    await openLog(root).write((writer) => writer.add({ id: "a", decision: "A", date: "2031-01-02" }));
    expect(statSync(join(root, "2031/01/2031-01-02-decision-a.yaml")).mode & 0o777).toBe(expected);
  });

  it("keeps what stands beside the records to its owner", async () => {
    const root = folderOf();
    chmodSync(root, 0o755);
    const log = openLog(root);
    await log.write((writer) => writer.add({ id: "a", decision: "A", date: "2031-01-02" }));
    await log.write((writer) => writer.setState("lease", { owner: "x" }));
    const files = readdirSync(join(root, ".agent-compact"), { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toContain("writer");
    for (const { name } of files)
      expect([name, statSync(join(root, ".agent-compact", name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  it("changes a record and no byte beside it, and keeps the mode of its file", async () => {
    const text = "# mine\r\nid: 'a'  # id\r\ndecision: \"Choose\"\r\nstatus: pending # soon\r\ntags:\r\n- x\r\n";
    const root = folderOf({ "a.yaml": text, "b.yaml": yamlOf("b") });
    chmodSync(join(root, "a.yaml"), 0o640);
    const log = openLog(root);
    const review = { status: "reviewed", outcome: "success", lessons: "One\nand: two" };
    await log.write((writer) => writer.change("a", review));
    expect(filesOf(root)).toEqual({
      "a.yaml": `${text.replace("pending", "reviewed")}outcome: success\r\nlessons: "One\\nand: two"\r\n`,
      "b.yaml": yamlOf("b"),
    });
    expect(statSync(join(root, "a.yaml")).mode & 0o777).toBe(0o640);
    expect((await openLog(root).read((reader) => reader.decisions(["a"])))[0]?.raw).toMatchObject(review);
  });

  it.each([
    ["a file without the key", yamlOf("a"), "preserve: false\n"],
    ["a file with the key", `${yamlOf("a")}preserve: no # yes?\nx: 1\n`, undefined],
  ])("sets preserve to true and to false again in %s", async (_, text, added) => {
    const root = folderOf({ "a.yaml": text });
    const log = openLog(root);
    await log.write((writer) => writer.change("a", { preserve: true }));
    expect((await log.read((reader) => reader.decisions(["a"])))[0]?.isPreserved).toBe(true);
    await log.write((writer) => writer.change("a", { preserve: false }));
    const expected = added === undefined ? text.replace("preserve: no ", "preserve: false ") : text + added;
    expect(filesOf(root)["a.yaml"]).toBe(expected);
    expect((await openLog(root).read((reader) => reader.decisions(["a"])))[0]?.isPreserved).toBe(false);
  });

  it("refuses what cannot be spliced, and leaves the file and the index alone", async () => {
    const root = folderOf({ "a.yaml": `${yamlOf("a")}preserve: &p [1]\nx: *p\n`, "b.yaml": yamlOf("b") });
    const before = filesOf(root);
    const log = openLog(root);
    const changing = log.write(async (writer) => {
      await writer.change("b", { preserve: true });
      await writer.change("a", { preserve: true });
    });
    await expect(changing).rejects.toMatchObject({ kind: "InvalidInput", code: "UNEDITABLE_RECORD" });
    expect(filesOf(root)).toEqual(before);
    expect((await log.read((reader) => reader.decisions(["b"])))[0]?.isPreserved).toBe(false);
  });

  it("does not write over what an editor saved meanwhile", async () => {
    const root = folderOf({ "a.yaml": yamlOf("a") });
    const changing = openLog(root).write(async (writer) => {
      await writer.change("a", { preserve: true });
      putFiles(root, { "a.yaml": yamlOf("a", "mine: 1\n") });
    });
    await expect(changing).rejects.toMatchObject({ kind: "Conflict", code: "RECORD_CHANGED" });
    expect(filesOf(root)).toEqual({ "a.yaml": yamlOf("a", "mine: 1\n") });
  });

  it("takes all of a transaction back when one of its files cannot be written", async () => {
    const root = folderOf({ "a.yaml": yamlOf("a"), "shut/b.yaml": yamlOf("b") });
    const before = filesOf(root);
    const log = openLog(root);
    const changing = log.write(async (writer) => {
      await writer.change("a", { preserve: true });
      await writer.add({ id: "new", decision: "N", date: "2031-01-02" });
      // Somebody takes the place of the next file while the transaction is under way.
      await writer.add({ id: "late", decision: "L" });
      mkdirSync(join(root, "undated", "decision-late.yaml"), { recursive: true });
    });
    await expect(changing).rejects.toMatchObject({ kind: "Conflict" });
    expect(filesOf(root)).toEqual(before);
    expect(existsSync(join(root, ".agent-compact", "pending.json"))).toBe(false);
    expect(await idsIn(log)).toEqual(["a", "b"]);
    expect((await log.read((reader) => reader.decisions(["a"])))[0]?.isPreserved).toBe(false);
  });

  it("keeps levels, texts, runs and state for other processes, and does without them", async () => {
    const root = folderOf({ "a.yaml": yamlOf("a") });
    const [log, other] = [openLog(root), openLog(root)];
    const level = (of: typeof log) =>
      of.read(async (reader) => (await reader.levelChanges(VIEW, {})).map(({ from }) => from));
    expect(await level(other)).toEqual(["full"]);
    await log.write(async (writer) => {
      await writer.setLevels([{ id: "a", level: "summary" }]);
      await writer.setState("lease", { owner: "one" });
    });
    expect(await level(other)).toEqual(["summary"]);
    expect(await other.read((reader) => reader.state("lease"))).toEqual({ owner: "one" });
    await other.write((writer) => writer.setState("lease", undefined));
    expect(await log.read((reader) => reader.state("lease"))).toBeUndefined();
    putFiles(root, { ".agent-compact/levels.json": "{ broken", ".agent-compact/runs.jsonl": "{}\n[" });
    expect(await level(log)).toEqual(["full"]);
    expect(await log.read((reader) => reader.runs(5))).toEqual([]);
    rmSync(join(root, ".agent-compact"), { recursive: true });
    expect(await level(log)).toEqual(["full"]);
    expect(await idsIn(log)).toEqual(["a"]);
  });
});

describe.skipIf(CORPUS === undefined)("records of a real log", () => {
  it("load whole, and setting preserve touches one file", async () => {
    const root = mkdtempSync(join(tmpdir(), "corpus-"));
    execFileSync("tar", ["xzf", join(CORPUS ?? "", "decisions/cstp-agent-decisions.tar.gz"), "-C", root]);
    const log = openLog(root);
    const ids = await idsIn(log);
    expect(ids).toHaveLength(15);
    expect(await faultsIn(log)).toEqual([]);
    const reviewed = await log.read((reader) => reader.tally({ filter: {} }));
    expect(reviewed.map(({ outcome, count }) => [outcome, count])).toEqual([["failure", 1]]);
    const before = filesOf(root);
    for (const [index, id] of ids.entries())
      await log.write((writer) => writer.change(id, { preserve: index % 2 === 0 }));
    const after = filesOf(root);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const [name, text] of Object.entries(before)) {
      const index = ids.findIndex((id) => name.includes(id));
      expect(after[name]).toBe(index < 0 ? text : `${text}preserve: ${index % 2 === 0}\n`);
    }
  });
});
