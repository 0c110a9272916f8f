// `observations`: a memory store on the command line, looked into, compacted and restored.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { call, newFolder, snapshot } from "./command-line.ts";

/** What makes a note long without a fact in it. */
const CHATTER =
  " We talked about it for a while and everybody agreed that it reads better this way, that nobody had liked the old one, and that it was a pleasant afternoon.".repeat(
    4,
  );

const AGREED = ` for every customer of the shop in all regions, whoever sends the file and from which page, as agreed with the people of the hosting team when they came by in the spring.`;

/** Five notes of one topic, two that say the same, two that differ in a figure, one alone. */
const NOTES = [
  ...["cart", "totals", "tax", "coupons", "receipts"].map((part, index) => ({
    title: `Checkout: ${part}`,
    content: `The ${part} of the checkout are computed by the module billing/${part}.ts. It was rewritten in sprint ${index + 3} because the old one rounded twice; Mira reviewed it and the flag new_${part} guards it until the release.${CHATTER}`,
    topic_key: `checkout/${part}`,
    type: "architecture",
    project: "shop",
    created_at: `2025-02-0${index + 1}T09:00:00Z`,
  })),
  { title: "Backups", content: "Backups run at 02:00 UTC.", project: "shop", created_at: "2025-03-01 00:00:00" },
  { title: "Backups", content: "Backups run at **02:00 UTC**", project: "shop", created_at: "2025-03-05 00:00:00" },
  {
    title: "Limit",
    content: `The limit of uploads is 500 MB${AGREED}`,
    project: "shop",
    created_at: "2025-03-06 00:00:00",
  },
  {
    title: "Limit",
    content: `The limit of uploads is 50 MB${AGREED}`,
    project: "shop",
    created_at: "2025-03-07 00:00:00",
  },
  { title: "Theme", content: "Prefers dark mode.", scope: "personal", created_at: "2025-03-08 00:00:00" },
];

async function folderWithStore(): Promise<string> {
  const cwd = newFolder();
  writeFileSync(join(cwd, "notes.jsonl"), NOTES.map((note) => `${JSON.stringify(note)}\n`).join(""));
  const { code } = await call(["observations", "import", "notes.jsonl", "--db", "m.db", "--json"], { cwd });
  expect(code).toBe(0);
  return cwd;
}

async function json(words: readonly string[], cwd: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await call(["observations", ...words, "--db", "m.db", "--json"], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  // One object: a line, but for an export, which may be larger than a line should be.
  expect(stdout.endsWith("\n") && (words[0] === "export" || !stdout.trimEnd().includes("\n"))).toBe(true);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const exported = async (cwd: string) =>
  (await json(["export"], cwd)).observations as readonly { deleted_at: unknown }[];

describe("observations import and export", () => {
  it("adds what a file holds, and twice adds nothing", async () => {
    const cwd = await folderWithStore();
    const again = await call(["observations", "import", "notes.jsonl", "--db", "m.db"], { cwd });
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/notes\.jsonl +plain +0 +0 +10 /);
    writeFileSync(join(cwd, "packed.json.gz"), gzipSync(JSON.stringify(NOTES)));
    const { files } = await json(["import", "packed.json.gz"], cwd);
    expect(files).toMatchObject([{ file: "packed.json.gz", added: 0, unchanged: 10 }]);
  });

  it("writes everything to a file, from which another store is the same", async () => {
    const cwd = await folderWithStore();
    const { code, stdout } = await call(["observations", "export", "--db", "m.db", "--out", "all.json"], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Exported m.db to all.json\n" });
    expect(JSON.parse(readFileSync(join(cwd, "all.json"), "utf8"))).toMatchObject({ version: "0.1.0" });
    await call(["observations", "import", "all.json", "--db", "other.db"], { cwd });
    const other = await call(["observations", "export", "--db", "other.db"], { cwd });
    expect((JSON.parse(other.stdout) as { observations: unknown }).observations).toEqual(await exported(cwd));
  });

  it("never writes an export over the database", async () => {
    const cwd = await folderWithStore();
    const { code, stderr } = await call(["observations", "export", "--db", "m.db", "--out", "m.db"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("m.db is the input itself");
  });

  it.each([
    ["nothing.json", undefined, 2, /nothing\.json does not exist/],
    ["text.txt", "just words", 2, /text\.txt holds no memories in a known format/],
    ["empty.json", "", 2, /empty\.json is empty/],
  ])("refuses %s by name", async (file, content, exit, message) => {
    const cwd = newFolder();
    if (content !== undefined) writeFileSync(join(cwd, file), content);
    const { code, stderr } = await call(["observations", "import", file, "--db", "m.db"], { cwd });
    expect(code).toBe(exit);
    expect(stderr).toMatch(message);
  });
});

describe("observations stale", () => {
  it("shows how many of which age, and the oldest", async () => {
    const cwd = await folderWithStore();
    const { stdout } = await call(["observations", "stale", "--db", "m.db", "--limit", "2"], { cwd });
    expect(stdout).toContain("10 observations in m.db older than 30 days");
    expect(stdout).toContain("Checkout: cart");
    expect(stdout).not.toContain("Prefers");
    expect(stdout).toContain("2 of 10 shown, the oldest first");
    const result = await json(["stale", "--older-than", "1.5", "--scope", "personal"], cwd);
    expect(result).toMatchObject({ total: 1, candidates: [{ title: "Theme", is_summary: false }], compact_ids: [10] });
  });

  it("says so when there is nothing", async () => {
    const cwd = await folderWithStore();
    const { code, stdout } = await call(["observations", "stale", "--db", "m.db", "--project", "none"], { cwd });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "Nothing in m.db is older than 30 days.\nNo row has the project none. There are: shop.\n",
    });
  });

  it.each([["0"], ["-3"], ["month"], ["1e3"]])("refuses the age %s", async (age) => {
    const { code, stderr } = await call(["observations", "stale", `--older-than=${age}`, "--db", "m.db"], {
      cwd: newFolder(),
    });
    expect(code).toBe(2);
    expect(stderr).toContain("--older-than must be a number of days above 0");
  });

  it("does not make a database that is not there", async () => {
    const cwd = newFolder();
    const { code, stderr } = await call(["observations", "stale", "--db", "missing.db"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("missing.db");
    expect(existsSync(join(cwd, "missing.db"))).toBe(false);
  });
});

describe("observations compact", () => {
  it("shows a plan that changes nothing", async () => {
    const cwd = await folderWithStore();
    const before = await exported(cwd);
    const { stdout } = await call(["observations", "compact", "--dry-run", "--db", "m.db"], { cwd });
    expect(stdout).toContain("Nothing was changed.");
    expect(stdout).toContain("Compacted 5 notes on checkout");
    expect(stdout).toMatch(/the same +6 +row 7, which is kept/);
    expect(stdout).toContain("8 and 9 differ in number");
    expect(await exported(cwd)).toEqual(before);
  });

  it("compacts what says the same and what shares a topic, and gives it back", async () => {
    const cwd = await folderWithStore();
    const before = await exported(cwd);
    const report = await json(["compact"], cwd);
    expect(report).toMatchObject({ deleted: 6, refused: [] });
    const [duplicates, topic] = report.applied as { kind: string; ids: number[]; stands_for: number }[];
    expect(duplicates).toMatchObject({ kind: "near_duplicates", ids: [6], stands_for: 7 });
    expect(topic).toMatchObject({ kind: "topic", ids: [1, 2, 3, 4, 5] });
    const found = await call(["observations", "search", "rounded", "--db", "m.db", "--compacted"], { cwd });
    expect(found.stdout).toContain(`compacted into ${topic?.stands_for}`);
    expect(await json(["compact"], cwd)).toMatchObject({ applied: [], deleted: 0 });
    for (const id of [7, topic?.stands_for]) await json(["restore", "--summary", String(id)], cwd);
    expect((await exported(cwd)).filter(({ deleted_at }) => deleted_at === null)).toEqual(before);
  });

  it("carries out a plan from a file, and refuses what changed since", async () => {
    const cwd = await folderWithStore();
    const written = await call(["observations", "compact", "--db", "m.db", "--plan-out", "plan.json"], { cwd });
    expect(written.stdout).toContain("--plan plan.json");
    const quiet = await call(["observations", "compact", "--db", "m.db", "--plan-out", "q.json", "--quiet"], { cwd });
    expect(quiet.stdout).toBe("q.json\n");
    await json(["compact", "6"], cwd);
    const { code, stdout, stderr } = await call(
      ["observations", "compact", "--db", "m.db", "--plan", "plan.json", "--json"],
      { cwd },
    );
    expect(code).toBe(4);
    expect(stderr).toContain("1 of 2 groups were not compacted");
    expect(JSON.parse(stdout)).toMatchObject({ deleted: 5, refused: [{ code: "STALE_PLAN", ids: [6] }] });
  });

  it("names the projects there are where nobody has the one that was asked for", async () => {
    const cwd = await folderWithStore();
    const said = async (words: readonly string[], project: string) =>
      (await call(["observations", ...words, "--project", project, "--db", "m.db"], { cwd })).stdout;
    for (const words of [["stale"], ["search", "checkout"], ["compact", "--dry-run"], ["compact"]]) {
      expect(await said(words, "Shop")).toContain("No row has the project Shop. Did you mean shop? There are: ");
    }
    expect(await said(["search", "nothing-of-the-kind"], "shop")).not.toContain("There are:");
  });

  it("says how to find rows in the words of the command line", async () => {
    const cwd = await folderWithStore();
    for (const words of [
      ["show", "999"],
      ["restore", "999"],
      ["compact", "999"],
    ]) {
      const { code, stderr } = await call(["observations", ...words, "--db", "m.db"], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain("agent-compact observations search WORDS --compacted --db m.db");
      expect(stderr).not.toContain("mem_");
    }
  });

  it("compacts named rows with a summary of one's own", async () => {
    const cwd = await folderWithStore();
    const preview = await call(["observations", "compact", "8", "9", "--dry-run", "--db", "m.db"], { cwd });
    expect(preview.stdout).toContain("2 rows, 92 tokens would be compacted. Nothing was changed.");
    const { code, stdout } = await call(
      ["observations", "compact", "#8,9", "--summary-title", "Upload limits", "--summary-file", "-", "--db", "m.db"],
      { cwd, stdin: "The limit was 500 MB, and is 50 MB since March 7." },
    );
    expect(code).toBe(0);
    expect(stdout).toBe(
      "Compacted 2 rows: 10 live before, 9 after.\nRow 11 stands for them.\nTo undo: agent-compact observations restore --summary 11 --db m.db\n",
    );
    const again = await call(["observations", "compact", "8", "--db", "m.db"], { cwd });
    expect(again.code).toBe(4);
    expect(again.stderr).toContain("observation 8 (compacted into 11) is already deleted");
  });

  it.each([
    [["compact", "x"], "An id must be a whole number"],
    [["compact", "--summary-title", "T"], "A summary was given without the rows"],
    [["compact", "1", "--summary-title", "T"], "A summary needs a text"],
    [["compact", "1", "--summary-content", "C"], "A summary needs a title"],
    [["compact", "1", "--plan", "p.json"], "Named rows need no plan"],
    [["compact", "--plan", "p.json", "--dry-run"], "--plan carries a plan out"],
    [["compact", "--plan", "notes.jsonl"], "notes.jsonl is not JSON"],
    [["compact", "1", "999"], "observation 999 does not exist"],
    [["restore"], "Name the rows to bring back"],
    [["restore", "1", "--summary", "2"], "Name the rows to bring back"],
    [["restore", "77"], "observation 77 does not exist"],
    [["export", "--out", "-", "--json"], "--out - and --json both write to stdout"],
  ])("refuses %j and leaves all as it was", async (words, message) => {
    const cwd = await folderWithStore();
    const before = snapshot(cwd);
    const { code, stderr } = await call(["observations", ...words, "--db", "m.db"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(snapshot(cwd)).toEqual(before);
  });
});

describe("observations search and stats", () => {
  it("finds rows by their words, and says how many", async () => {
    const cwd = await folderWithStore();
    const { stdout } = await call(["observations", "search", "uploads", "limit", "--db", "m.db"], { cwd });
    expect(stdout).toContain("#9 Limit");
    expect(stdout).toContain("2 of 2 rows shown.");
    expect((await call(["observations", "search", "nothing", "--db", "m.db"], { cwd })).stdout).toBe(
      "Nothing found.\n",
    );
    expect(await json(["search", "uploads", "--limit", "1"], cwd)).toMatchObject({ total: 2, shown: 1 });
  });

  it("says where compacted rows would be found", async () => {
    verifies("field/archives-without-retention");
    const cwd = await folderWithStore();
    await json(["compact", "8", "9"], cwd);
    const { stdout } = await call(["observations", "search", "uploads", "--db", "m.db"], { cwd });
    expect(stdout).toBe("Nothing found. 2 compacted or deleted rows would match: --compacted.\n");
  });

  it("counts what the store holds", async () => {
    const cwd = await folderWithStore();
    await json(["compact", "8"], cwd);
    expect(await json(["stats"], cwd)).toMatchObject({ db: "m.db", observations: 9, deleted: 1, projects: ["shop"] });
    const { stdout } = await call(["observations", "stats", "--db", "m.db"], { cwd });
    expect(stdout).toMatch(/live observations +9/);
  });

  it("shows one row whole, also a compacted one", async () => {
    const cwd = await folderWithStore();
    await json(["compact", "8", "9", "--summary-title", "Limits", "--summary-content", "50 MB now."], cwd);
    expect(await json(["show", "#8"], cwd)).toMatchObject({ title: "Limit", compacted_into: [11], compacted_from: [] });
    const { stdout } = await call(["observations", "show", "11", "--db", "m.db"], { cwd });
    expect(stdout).toContain("#11 Limits\n");
    expect(stdout).toContain("Stands for 8, 9\n\n50 MB now.\n");
    expect((await call(["observations", "show", "99", "--db", "m.db"], { cwd })).code).toBe(2);
  });

  it("prints nothing that a terminal would obey", async () => {
    const cwd = newFolder();
    const hostile = { title: "a\u001b[2Jb", content: "c\u001b]0;x\u0007d", created_at: "2025-01-01 00:00:00" };
    writeFileSync(join(cwd, "x.jsonl"), JSON.stringify(hostile));
    await call(["observations", "import", "x.jsonl", "--db", "m.db"], { cwd });
    for (const words of [["stale"], ["show", "1"], ["search", "b"], ["compact", "1", "--dry-run"]]) {
      const { stdout } = await call(["observations", ...words, "--db", "m.db"], { cwd });
      expect(stdout).not.toContain("\u001b");
      expect(stdout).not.toContain("\u0007");
    }
  });
});
