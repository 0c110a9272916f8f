// `memory-files` without --apply: what a person and a script see, and that looking changes nothing.
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifies } from "../../requirements/verifies.ts";
import { newFolder } from "../command-line.ts";
import { FILES, json, LARGE_NOTE, look, memoryFiles, NOTE, workspaceWith } from "./workspace-folder.ts";

describe("the view", () => {
  it("says that a memory which is there cannot be read, and why", async () => {
    const { stdout } = await memoryFiles(workspaceWith({ "MEMORY.md": "a\0b", [NOTE]: "# D\n" }), []);
    expect(stdout).toContain("MEMORY.md in this folder cannot be read\n");
    expect(stdout).toContain("MEMORY.md: It is binary");
    expect(stdout).not.toContain("Looked for");
  });

  it("shows size, sections, notes, what is double, the plan, what is held, and what to type next", async () => {
    const { code, stdout, stderr } = await memoryFiles(workspaceWith(), []);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^MEMORY\.md in this folder\n {2}231 bytes, 231 characters, \d+ tokens \(by the estimate 24\)$/m,
    );
    expect(stdout).toContain("4,889 bytes below the limit of 5 KB");
    expect(stdout).toMatch(/^ {2}Deploy checklist +1-10 +\d+ +22 +100\.0 % +█+$/m);
    expect(stdout).toMatch(new RegExp(`^ {2}⚠ ${LARGE_NOTE} +35,903 +[\\d,]+ +due for rotation$`, "m"));
    expect(stdout).toMatch(/^ {2}×2 +9, 10 +Owner: operations team$/m);
    expect(stdout).toMatch(/^ {2}2021-02-01\.md +Deploy checklist +0\.92 +100 % +nothing +REMOVE$/m);
    expect(stdout).toMatch(/^ {2}2021-02-02\.md +Deploy checklist +0\.88 +95 % +3rd +REVIEW$/m);
    expect(stdout).toContain("Planned: 2 changes");
    expect(stdout).toMatch(new RegExp(`^ {3}- remove 1 section of ${NOTE} +284 → 101 B$`, "m"));
    expect(stdout).toContain(" tokens; lines 5-10, held by MEMORY.md:1: Deploy checklist");
    expect(stdout).toContain(" tokens; kept in memory/archive/2021-02-03.full.md");
    expect(stdout).toContain("  says more (1): 2021-02-02.md");
    expect(stdout).toContain("In all: 2 changes of 2 files");
    expect(stdout.endsWith("To do what is planned:\n  agent-compact memory-files . --apply\n")).toBe(true);
    expect(stdout).not.toContain("\u001b");
  });

  it("fits into 80 columns, Chinese text too", async () => {
    const heading = "记忆系统设计包括衰减引擎和质量门控组件以及所有其他的组件与部分的说明";
    const line = `${"上线前先跑一遍全部测试，".repeat(12)}然后通知所有人。`;
    const cwd = workspaceWith({
      "MEMORY.md": `## ${heading}\n\n- ${line}\n- ${line}\n\n## ${"long words ".repeat(20)}\n\nText.\n`,
      [`memory/2021-02-01-${"slug-".repeat(20)}.md`]: `# 星期一\n\n## ${heading}\n\n- ${line}\n`,
    });
    const { stdout } = await memoryFiles(cwd, ["--aggressive"]);
    expect(stdout).toContain("记忆系统设计");
    const cells = (text: string) =>
      [...text].reduce((sum, letter) => sum + (/[\u3000-\u9fff\uff00-\uff60]/.test(letter) ? 2 : 1), 0);
    expect(Math.max(...stdout.split("\n").map(cells))).toBeLessThanOrEqual(80);
  });

  it("fits on a screen, however much there is, and sums up what it leaves out", async () => {
    const facts = Array.from(
      { length: 40 },
      (_, n) => `Rule ${n}: part number ${n} of the shop is never restarted by hand.`,
    );
    const sections = facts.map((fact, n) => `## Part ${n}\n\n${fact}\n- Same line for everybody ${n % 9}\n`);
    const notes = facts.map((fact, n) => [
      `memory/2021-02-${10 + (n % 18)}-${n}.md`,
      `# Day ${n}\n\n## Part ${n}\n\n${n % 2 === 0 ? fact : fact.replace("never", "always")}\n\n## Talk\n\n${"Long text of a day. ".repeat(n < 5 ? 500 : 1)}\n`,
    ]);
    const cwd = workspaceWith({ "MEMORY.md": sections.join("\n"), ...Object.fromEntries(notes) });
    for (const words of [[], ["--aggressive"], ["--contained"], ["--aggressive", "--contained"]]) {
      const { stdout } = await memoryFiles(cwd, words);
      expect(stdout.split("\n").length).toBeLessThanOrEqual(60);
      expect(stdout).toMatch(/\d+ (?:more )?held for review: \d+ says? /);
    }
  });

  it("says how far over the limit it is, which is 5 KB unless said otherwise", async () => {
    verifies("memory-files/default-size-limits");
    const cwd = workspaceWith({ "MEMORY.md": `## Facts\n\n${"One more fact. ".repeat(400)}\n` });
    const result = await json(cwd);
    expect(result).toMatchObject({ max_memory_kb: 5, memory_size: 6011, over_limit_bytes: 6011 - 5 * 1024 });
    expect((await memoryFiles(cwd, [])).stdout).toContain("⚠ 891 bytes over the limit of 5 KB");
    expect(await json(cwd, ["--max-memory-kb", "5.5"])).toMatchObject({ max_memory_kb: 5.5, over_limit_bytes: 379 });
    expect((await memoryFiles(cwd, ["--max-memory-kb", "6"])).stdout).toContain("133 bytes below the limit of 6 KB");
  });

  it("proposes what a flag switches on, and says which", async () => {
    const sections = Array.from(
      { length: 12 },
      (_, n) => `## 2020-01-${10 + n}\n\n${`Built part ${n} of it. `.repeat(40)}\n`,
    );
    const cwd = workspaceWith({ "MEMORY.md": sections.join("\n") });
    const { stdout } = await memoryFiles(cwd, []);
    expect(stdout).toContain("Proposed, each done only with its flag");
    expect(stdout).toMatch(/^ {3}- move \d+ sections of MEMORY\.md +[\d,]+ → [\d,]+ B {2}--move$/m);
    expect(stdout.endsWith("To see planned what is proposed:\n  agent-compact memory-files . --move\n")).toBe(true);
    const planned = await memoryFiles(cwd, ["--move"]);
    expect(planned.stdout).toContain("Planned: 1 change");
    expect(planned.stdout.endsWith("agent-compact memory-files . --move --apply\n")).toBe(true);
  });

  it("has colours on a terminal only, and none of them is broken", async () => {
    const { stdout, stderr } = await memoryFiles(workspaceWith(), [], { isTerminal: true });
    expect(stdout).toContain("\u001b[31mREMOVE\u001b[39m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what begins a colour
    expect(stdout).not.toMatch(/(?<!\u001b)\[\d\dm/);
    expect(stderr).toContain("reading the memory and its notes");
  });

  it("shows what a terminal would act on instead of sending it", async () => {
    const hostile = "a\u001b]0;title\u0007b\u001b[31mred\u202e";
    const cwd = workspaceWith({
      "MEMORY.md": `## ${hostile}\n\nRun the smoke tests \u001b[2J against staging.\nSame line here ${hostile}\nSame line here ${hostile}\n`,
      "memory/2021-02-01.md": `## ${hostile}\n\nRun the smoke tests \u001b[2J against staging.\n`,
    });
    for (const words of [
      [],
      ["--aggressive"],
      ["--aggressive", "--apply"],
      ["restore", "."],
      ["restore", ".", "--all"],
    ]) {
      const { code, stdout } = await memoryFiles(cwd, words);
      expect(code).toBe(0);
      expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    }
  });

  it("names what it could not read, and goes on", async () => {
    const outside = newFolder();
    const cwd = workspaceWith({ ...FILES, "memory/2021-02-04.md": Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x0a, 0x00]) });
    symlinkSync(join(outside, "secret.md"), join(cwd, "memory/2021-02-05.md"));
    const { code, stdout } = await memoryFiles(cwd, []);
    expect(code).toBe(0);
    expect(stdout).toContain("2 files not read, and left alone");
    expect(stdout).toContain("⚠ memory/2021-02-04.md: ");
    expect((await json(cwd)).unread.map(({ code }: { code: string }) => code)).toContain("NOT_TEXT");
  });

  it("has something to say of a workspace without a memory, and of an empty memory", async () => {
    expect((await memoryFiles(workspaceWith({ [NOTE]: "# Day\n" }), [])).stdout).toContain(
      "No memory file in this folder",
    );
    const { stdout } = await memoryFiles(workspaceWith({ "MEMORY.md": "" }), []);
    expect(stdout).toContain("Nothing was changed, and there is nothing to do.");
  });
});

describe("--json", () => {
  it("is the result of the spec as one object, with the plan", async () => {
    const result = await json(workspaceWith(), ["--aggressive"]);
    expect(result).toMatchObject({
      ...{ dry_run: true, memory_size: 231, memory_size_before: 231, memory_size_after: 206 },
      ...{ internal_duplicates: 1, high_severity_count: 2, rotated: false, rotated_count: 0 },
    });
    expect(result.cross_file_issues).toHaveLength(2);
    expect(result.sections[0]).toMatchObject({ heading: "Deploy checklist", lines: 9, tokens: 22 });
    expect(result.plan.changes.map(({ kind }: { kind: string }) => kind)).toEqual([
      "tidy",
      "remove_sections",
      "rotate",
    ]);
    expect(result.report).toBeUndefined();
  });
});

describe("without --apply", () => {
  const switches = ["--aggressive", "--contained", "--move", "--digest", "--more-than-half"];
  const mixes = Array.from({ length: 2 ** switches.length }, (_, bits) =>
    switches.filter((_switch, index) => (bits & (1 << index)) !== 0),
  );

  it("no mix of flags changes a byte, a time or a listing, and the sizes are right", async () => {
    verifies("values/dry-run-leaves-everything", "rulings/dry-run-by-default", "memory-files/dry-run-writes-nothing");
    verifies("memory-files/normal-mode-analyses-only", "memory-files/rotation-only-on-apply");
    const cwd = workspaceWith();
    const before = look(cwd);
    for (const mix of mixes) {
      const result = await json(cwd, mix);
      expect({ mix, now: look(cwd) }).toEqual({ mix, now: before });
      expect(result).toMatchObject({ dry_run: true, memory_size_before: 231, rotated: false, rotated_count: 0 });
      expect({ mix, after: result.memory_size_after }).toEqual({
        mix,
        after: mix.includes("--aggressive") ? 206 : 231,
      });
    }
  });

  it("nor do a plan on stdout, --quiet, and the list of what can be restored", async () => {
    const cwd = workspaceWith();
    const before = look(cwd);
    for (const words of [["--plan-out", "-"], ["--quiet"], ["restore", "."], ["restore", ".", "--json"]])
      expect((await memoryFiles(cwd, words)).code).toBe(0);
    expect(look(cwd)).toEqual(before);
  });

  it("works where nothing may be written", async () => {
    const cwd = workspaceWith();
    for (const name of ["memory", "."]) chmodSync(join(cwd, name), 0o500);
    const { code } = await memoryFiles(cwd, ["--aggressive"]);
    for (const name of [".", "memory"]) chmodSync(join(cwd, name), 0o700);
    expect(code).toBe(0);
  });
});
