import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/memory-files/plan.ts";
import { planMemoryFilesCompaction } from "../../../src/memory-files/plan-memory-files-compaction.ts";
import { createExtractiveSummarizer } from "../../../src/summaries/record.ts";
import { verifies } from "../../requirements/verifies.ts";
import { NOW as DIGEST_NOW, FEBRUARY, notesOf } from "../digest/months.ts";
import { newWorkspace, toGbk } from "../workspace/workspace-folder.ts";
import { applied, applyEdits, count, isEdit, NOW, planOf } from "./planned.ts";

const FACTS = "The gateway listens on port 8080 behind nginx.\nBackups run nightly from the replica in Frankfurt.\n";
const MEMORY = `# Memory\n\n## Gateway\n\n${FACTS}`;
const OWN = "## Lunch\n\nThe cook of the canteen has made soup of pumpkins.\n";

function note(...sections: readonly string[]): string {
  return `# Day\n\n${sections.join("\n")}`;
}

function snapshot(root: string): string {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  return names
    .map((name) => {
      const stat = statSync(join(root, name));
      const hash = stat.isFile()
        ? createHash("sha256")
            .update(readFileSync(join(root, name)))
            .digest("hex")
        : "";
      return `${name} ${stat.mtimeMs} ${stat.mode} ${hash}`;
    })
    .join("\n");
}

describe("sections of notes that the memory holds", () => {
  it("are planned one change per note, with what they rest on and where they are held", async () => {
    const root = newWorkspace({ "MEMORY.md": MEMORY, "memory/2031-02-03.md": note(`## Gateway\n\n${FACTS}`, OWN) });
    const { plan } = await planOf(root);
    expect(plan.changes).toMatchObject([
      {
        id: 1,
        kind: "remove_sections",
        apply: true,
        file: "memory/2031-02-03.md",
        ranges: [{ heading: "Gateway", line_from: 3, line_to: 7 }],
        held_by: [{ file: "MEMORY.md", heading: "Gateway", line_from: 3 }],
      },
    ]);
    expect(Object.keys(plan.changes[0]?.rests_on ?? {}).sort()).toEqual(["MEMORY.md", "memory/2031-02-03.md"]);
    applyEdits(root, plan);
    expect(readFileSync(join(root, "memory/2031-02-03.md"), "utf8")).toBe(note(OWN));
    expect((await planOf(root)).plan.changes).toEqual([]);
  });

  it("leave every note, and the memory keeps the one copy", async () => {
    verifies("field/repeating-removes-both");
    const copy = note(`## Gateway\n\n${FACTS}`, OWN);
    const root = newWorkspace({ "MEMORY.md": MEMORY, "memory/2031-02-03.md": copy, "memory/2031-02-04.md": copy });
    const { plan } = await planOf(root, { aggressive: true });
    expect(plan.changes.map(({ file }) => file)).toEqual(["memory/2031-02-03.md", "memory/2031-02-04.md"]);
    applyEdits(root, plan);
    expect(readFileSync(join(root, "MEMORY.md"), "utf8")).toBe(MEMORY);
    expect((await planOf(root, { aggressive: true })).plan.changes).toEqual([]);
  });

  it("stay when they differ in a word that matters, however alike they are", async () => {
    verifies("field/different-facts-merged");
    const pairs = [
      [
        "Deploys on Friday are allowed after 15:00 for team Ops and Data",
        "Deploys on Friday are not allowed after 15:00 for team Ops and Data",
      ],
      [
        "The prod db host is db-1 in the rack of the cellar room",
        "The staging db host is db-2 in the rack of the cellar room",
      ],
      [
        "The limit of requests per minute for each client is 500",
        "The limit of requests per minute for each client is 50",
      ],
      [
        "On 2031-01-04 we agreed to keep the old importer running",
        "On 2031-01-05 we agreed to keep the old importer running",
      ],
    ] as const;
    for (const [kept, other] of pairs) {
      const files = { "MEMORY.md": `## Facts\n\n${kept}\n`, "memory/2031-02-03.md": `## Facts\n\n${other}\n` };
      expect((await planOf(newWorkspace(files), { levers: ["contained"] })).plan.changes, other).toEqual([]);
    }
    const more = {
      "MEMORY.md": MEMORY,
      "memory/2031-02-03.md": note(`## Gateway\n\n${FACTS}- [ ] rotate the key\n`, OWN),
    };
    const { plan } = await planOf(newWorkspace(more));
    expect(plan.changes).toEqual([]);
    expect(plan.held).toMatchObject([{ file: "memory/2031-02-03.md", section: "Gateway", code: "says_more" }]);
    expect(plan.held[0]?.message).toMatch(/^[A-Z].*\.$/);
  });

  it("stay in a note that is in use, whatever else is asked for", async () => {
    const large = `## Gateway\n\n${FACTS}\n## Log\n\n${"something else happened then\n\n".repeat(1200)}`;
    const root = newWorkspace({ "MEMORY.md": MEMORY, "memory/2031-02-20.md": large, "memory/2031-02-21.md": large });
    const { plan } = await planOf(root, { aggressive: true, levers: ["contained", "move"], moreThanHalf: true });
    expect(plan.changes).toEqual([]);
    expect(plan.held.filter(({ code }) => code === "in_use").map(({ file }) => file)).toContain("memory/2031-02-20.md");
  });

  it("that are contained leave with the lever, and are proposed without", async () => {
    const rest = Array.from(
      { length: 30 },
      (_, index) => `Fact ${index} concerns object${index} beside thing${index}.\n`,
    );
    const files = {
      "MEMORY.md": `${MEMORY}\n## Rest\n\n${rest.join("\n")}`,
      "memory/2031-02-03.md": note(`## Gateway\n\n${FACTS}`, OWN),
    };
    const without = (await planOf(newWorkspace(files))).plan;
    expect(without.changes).toMatchObject([
      { kind: "remove_sections", apply: false, ranges: [{ heading: "Gateway" }] },
    ]);
    expect(without.changes[0]?.reason).toBe("MEMORY.md says all that this section says.");
    expect(without.totals).toMatchObject({ changes: 0, files: 0, bytes_before: 0 });
    const root = newWorkspace(files);
    const { plan } = await planOf(root, { levers: ["contained"] });
    expect(plan.changes).toMatchObject([{ kind: "remove_sections", apply: true }]);
    applyEdits(root, plan);
    expect(readFileSync(join(root, "memory/2031-02-03.md"), "utf8")).toBe(note(OWN));
    expect((await planOf(root, { levers: ["contained"] })).plan.changes).toEqual([]);
  });

  it("that are held and only half alike leave with the lever, too, and are proposed without", async () => {
    const words = FACTS.match(/\w+/g)?.length ?? 0;
    const more = Array.from({ length: Math.round(words * 0.5) }, (_, index) => `object${index}`).join(" ");
    const files = {
      "MEMORY.md": `${MEMORY}\n## Rest\n\n${more}.\n`,
      "memory/2031-02-03.md": note(`## Gateway\n\n${FACTS}`, OWN),
    };
    const root = newWorkspace(files);
    const { plan: without, analysis } = await planOf(root);
    expect(analysis.cross_file_issues).toMatchObject([{ severity: "medium", removable: true }]);
    expect(analysis.cross_file_issues[0]?.recommendation).toMatch(/^COMPACT /);
    expect(without.changes).toMatchObject([{ kind: "remove_sections", apply: false }]);
    const { plan } = await planOf(root, { levers: ["contained"] });
    expect(plan.changes).toMatchObject([{ kind: "remove_sections", apply: true }]);
    applyEdits(root, plan);
    expect(readFileSync(join(root, "memory/2031-02-03.md"), "utf8")).toBe(note(OWN));
    expect((await planOf(root, { levers: ["contained"] })).plan.changes).toEqual([]);
  });

  it("leave a note with other line ends, in GBK, without a final end, and no other byte changes", async () => {
    const chinese = "## 网关\n\n网关监听端口是八零八零，备份每晚在从库上运行。\n";
    const rest = "## 午饭\n\n食堂的厨师做了南瓜汤。";
    const crlf = `# 日记\n\n${chinese}\n${rest}`.replaceAll("\n", "\r\n");
    for (const bytes of [Buffer.from(crlf), toGbk(crlf), Buffer.from(`\ufeff${crlf}`)]) {
      const root = newWorkspace({ "MEMORY.md": `# 记忆\n\n${chinese}`, "memory/2031-02-03.md": bytes });
      const [change] = (await planOf(root)).plan.changes;
      if (change === undefined || !isEdit(change)) throw new Error("nothing planned");
      const head = Buffer.from(bytes).subarray(0, change.ranges[0]?.byte_from);
      const tail = Buffer.from(bytes).subarray(change.ranges[0]?.byte_to);
      const result = Buffer.from(applied(bytes, change.ranges));
      expect(result.equals(Buffer.concat([head, tail]))).toBe(true);
      const text = new TextDecoder(change.ranges[0] && bytes.length < Buffer.byteLength(crlf) ? "gbk" : "utf-8").decode(
        result,
      );
      expect(text).toBe(`# 日记\n\n${rest}`.replaceAll("\n", "\r\n"));
    }
  });
});

describe("notes that are too large", () => {
  const sized = (bytes: number) => `# Day\n\n${"x".repeat(bytes - 8)}\n`;

  it("are rotated above 30,720 bytes, in either mode, dated ones only", async () => {
    const root = newWorkspace({
      "MEMORY.md": MEMORY,
      "memory/2031-02-03.md": sized(30_720),
      "memory/2031-02-04.md": sized(30_721),
      "memory/2031-02-05-slug.md": sized(40_000),
      "memory/2031-13-45.md": sized(40_000),
    });
    for (const aggressive of [false, true]) {
      const { plan } = await planOf(root, { aggressive });
      expect(plan.changes).toMatchObject([
        {
          id: 1,
          kind: "rotate",
          file: "memory/2031-02-04.md",
          archive: "memory/archive/2031-02-04.full.md",
          apply: true,
        },
        { id: 2, kind: "rotate", file: "memory/2031-02-05-slug.md", archive: "memory/archive/2031-02-05-slug.full.md" },
      ]);
      expect(plan.changes[0]).toMatchObject({ bytes_before: 30_721 });
      expect(plan.changes[0]?.bytes_after).toBeLessThan(500);
    }
  });

  it("are archived under a name that is free", async () => {
    const root = newWorkspace({
      "memory/2031-02-04.md": sized(31_000),
      "memory/archive/2031-02-04.full.md": "an earlier one",
    });
    expect((await planOf(root)).plan.changes).toMatchObject([{ archive: "memory/archive/2031-02-04.full-2.md" }]);
  });

  it("lose sections instead where that makes them small enough, and nothing else where it does not", async () => {
    const filler = (bytes: number) => `## Log\n\n${"y".repeat(bytes)}\n`;
    const copied = `## Gateway\n\n${FACTS}\n`;
    const root = newWorkspace({
      "MEMORY.md": MEMORY,
      "memory/2031-02-03.md": `${copied}${filler(30_700)}`,
      "memory/2031-02-04.md": `${copied}${filler(30_721)}`,
    });
    const { plan } = await planOf(root);
    expect(plan.changes.map(({ kind, file }) => `${kind} ${file}`)).toEqual([
      "remove_sections memory/2031-02-03.md",
      "rotate memory/2031-02-04.md",
    ]);
  });

  it("without a date lose no section either, whatever is asked for, and that is said", async () => {
    const copy = note(`## Gateway\n\n${FACTS}`, OWN);
    const root = newWorkspace({ "MEMORY.md": MEMORY, "notes.md": copy, "notes/2031-02-03.md": copy });
    const { plan, analysis } = await planOf(root, { notesGlob: "**/*.md", levers: ["contained"], moreThanHalf: true });
    expect(analysis.cross_file_issues.map(({ file }) => file)).toContain("notes.md");
    expect(plan.changes.map(({ file }) => file)).toEqual(["notes/2031-02-03.md"]);
    expect(plan.held).toEqual([
      {
        file: "notes.md",
        code: "undated",
        message:
          "The memory holds 1 section of the note, but it has no date in its name. It may be no log, so it is left as it is.",
      },
    ]);
  });

  it("are left alone without a date, and that is said", async () => {
    const root = newWorkspace({ "MEMORY.md": MEMORY, "notes/manual.md": sized(31_000) });
    const { plan } = await planOf(root, { notesGlob: "notes/*.md" });
    expect(plan.changes).toEqual([]);
    expect(plan.held).toMatchObject([{ file: "notes/manual.md", code: "undated" }]);
  });
});

describe("a plan", () => {
  const files = {
    "MEMORY.md": `${MEMORY}\n\n\n## Kim\n\n- said twice here\n- said twice here\n`,
    "memory/2031-02-05.md": note(`## Gateway\n\n${FACTS}`, OWN),
    "memory/2031-02-03.md": note(`## Gateway\n\n${FACTS}`, OWN),
    "memory/2031-02-04.md": "z".repeat(31_000),
  };

  it("is the same each time, the memory first and then the notes by name", async () => {
    const root = newWorkspace(files);
    const [first, second] = [await planOf(root, { aggressive: true }), await planOf(root, { aggressive: true })];
    expect(second.plan).toEqual(first.plan);
    expect(first.plan.changes.map(({ id, kind, file }) => `${id} ${kind} ${file}`)).toEqual([
      "1 tidy MEMORY.md",
      "2 remove_sections memory/2031-02-03.md",
      "3 rotate memory/2031-02-04.md",
      "4 remove_sections memory/2031-02-05.md",
    ]);
  });

  it("says what it comes to, in bytes and in tokens", async () => {
    const root = newWorkspace(files);
    const { plan } = await planOf(root, { aggressive: true });
    const before = Object.values(files).reduce((sum, text) => sum + text.length, 0);
    expect(plan.totals).toMatchObject({ changes: 4, files: 4, bytes_before: before });
    applyEdits(root, plan);
    for (const change of plan.changes.filter(isEdit)) {
      const text = readFileSync(join(root, change.file), "utf8");
      expect(text.length).toBe(change.bytes_after);
      expect(text.split(/\s+/).filter((word) => word !== "").length).toBe(change.tokens_after);
    }
    expect(plan.memory_size_before).toBe(files["MEMORY.md"].length);
    expect(plan.memory_size_after).toBe(readFileSync(join(root, "MEMORY.md")).length);
  });

  it("of nothing is empty, and nothing is written by planning", async () => {
    const empty = newWorkspace({ "memory/": "" });
    const { plan } = await planOf(empty, { aggressive: true, levers: ["contained", "move"] });
    expect(plan).toMatchObject({ changes: [], held: [], memory_size_before: 0, over_limit_bytes: 0 });
    const root = newWorkspace(files);
    const before = snapshot(root);
    await planOf(root, { aggressive: true, levers: ["contained", "move"], maxMemoryKb: 0.1 });
    expect(snapshot(root)).toBe(before);
  });

  it("leaves the memory alone unless it is aggressive", async () => {
    verifies("memory-files/normal-mode-analyses-only");
    const { plan } = await planOf(newWorkspace({ "MEMORY.md": files["MEMORY.md"] }));
    expect(plan.changes).toEqual([]);
  });

  it("edits every memory file, and none that it takes in", async () => {
    const twice = "- said twice here\n- said twice here\n";
    const root = newWorkspace({ "CLAUDE.md": `@shared.md\n\n${twice}`, "shared.md": twice });
    expect((await planOf(root, { aggressive: true })).plan.changes.map(({ file }) => file)).toEqual(["CLAUDE.md"]);
    const bank = newWorkspace({ "memory-bank/a.md": twice, "memory-bank/b.md": twice });
    expect((await planOf(bank, { aggressive: true })).plan.changes.map(({ file }) => file)).toEqual([
      "memory-bank/a.md",
      "memory-bank/b.md",
    ]);
  });

  it("is told as one event, in counts and names", async () => {
    const { events } = await planOf(newWorkspace(files), { aggressive: true });
    expect(events).toEqual([
      {
        event: "compact.plan",
        part: "memory_files",
        session_id: "memory-files",
        ids: ["MEMORY.md", "memory/2031-02-03.md", "memory/2031-02-04.md", "memory/2031-02-05.md"],
        counts: expect.objectContaining({ changes: 4, files: 4, proposed: 0 }),
        started_at: new Date(NOW).toISOString(),
        duration_ms: expect.any(Number),
      },
    ]);
  });

  it("counts the tokens of a file as its analysis does, before and after", async () => {
    for (const end of ["\n", "", "\n\n"]) {
      const files = {
        "MEMORY.md": MEMORY,
        "memory/2031-02-03.md": `${note(OWN, `## Gateway\n\n${FACTS}`).trimEnd()}${end}`,
      };
      const root = newWorkspace(files);
      // Every character counts, so that a line end more or less shows.
      const options = { now: NOW, count: (text: string) => text.length, summarizer: createExtractiveSummarizer() };
      const { plan, analysis } = await planMemoryFilesCompaction({ root }, options);
      expect(plan.changes).toHaveLength(1);
      expect(plan.changes[0]?.tokens_before).toBe(analysis.notes[0]?.tokens_exact);
      applyEdits(root, plan);
      const after = await planMemoryFilesCompaction({ root }, options);
      expect(plan.changes[0]?.tokens_after).toBe(after.analysis.notes[0]?.tokens_exact);
    }
  });

  it("makes digests of past months with the lever, and nothing else of their notes", async () => {
    const files = {
      "MEMORY.md": MEMORY,
      ...notesOf(FEBRUARY, { "2031-02-03": `\n## Gateway\n\n${FACTS}` }),
      "memory/2031-04-10.md": note(`## Gateway\n\n${FACTS}`, OWN),
    };
    const root = newWorkspace(files);
    const options = { now: DIGEST_NOW, count, summarizer: createExtractiveSummarizer() };
    const proposed = await planMemoryFilesCompaction({ root }, options);
    expect(proposed.plan.held.map(({ code }) => code)).toContain("digest_available");
    expect(proposed.plan.changes.map(({ kind }) => kind)).not.toContain("digest");
    const { plan } = await planMemoryFilesCompaction({ root, levers: ["digest"] }, options);
    expect(plan.held.map(({ code }) => code)).not.toContain("digest_available");
    expect(plan.changes.map(({ id, kind, file, apply }) => ({ id, kind, file, apply }))).toEqual([
      { id: 1, kind: "digest", file: "memory/2031-02.md", apply: true },
      { id: 2, kind: "remove_sections", file: "memory/2031-04-10.md", apply: true },
    ]);
    expect(plan.changes[0]).toMatchObject({
      month: "2031-02",
      notes: FEBRUARY.map((date) => `memory/${date}.md`),
      reason: "2031-02 is over, so its notes become one digest. They go to memory/archive/2031-02/ as they are.",
    });
    expect(plan.totals).toMatchObject({ changes: 2, files: 5 });
    expect(readPlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  });

  it("counts the digests that could be, without writing one", async () => {
    const days = ["2030-11-03", "2030-11-04", "2030-12-05", "2031-02-01", "2031-02-02"];
    const root = newWorkspace(
      Object.fromEntries(days.map((day) => [`memory/${day}.md`, `# ${day}\n\nwork on ${day}\n`])),
    );
    const { plan } = await planOf(root, {}, NOW);
    expect(plan.held).toMatchObject([
      { code: "digest_available", message: "2 notes of 1 past month may become 1 digest." },
    ]);
  });

  it("counts no digest of notes that cannot be read", async () => {
    const broken = Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x00, 0xd8]);
    const files = { "memory/2030-11-03.md": "# A\n\nwork\n", "memory/2030-11-04.md": broken };
    const { plan, analysis } = await planOf(newWorkspace(files));
    expect(analysis.unread).toHaveLength(1);
    expect(plan.held).toEqual([]);
  });

  it("is refused for a limit that is none", async () => {
    await expect(planOf(newWorkspace({ "MEMORY.md": MEMORY }), { maxMemoryKb: 0 })).rejects.toMatchObject({
      kind: "InvalidInput",
    });
  });

  it("says where two sections of a log have one date, below one heading", async () => {
    const day = (text: string) => `### 2031-02-03\n\n- ${text}\n\n`;
    const root = newWorkspace({
      "MEMORY.md": `# M\n\n## Log\n\n${day("a")}### 2031-02-02\n\n- b\n\n${day("c")}## Trips\n\n${day("d")}### Notes\n\n- e\n\n### Notes\n\n- f\n`,
    });
    const { plan } = await planOf(root);
    expect(plan.held.filter(({ code }) => code === "same_date")).toEqual([
      {
        file: "MEMORY.md",
        section: "2031-02-03",
        code: "same_date",
        message: "2 sections have this heading, at the lines 5, 13: one would do.",
      },
    ]);
  });
});
