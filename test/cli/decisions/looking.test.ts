// `decisions list|get|wisdom|calibration`: what a person and a script see of a log.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, snapshot } from "../command-line.ts";
import { daysAgo, decisions, EVERY_KIND, folderWith, json, record, reviewed, writeRecords } from "./decision-folder.ts";

describe("decisions list", () => {
  it("shows each decision as its level allows, the counts, and where the rest is", async () => {
    const cwd = folderWith(EVERY_KIND);
    const { code, stdout, stderr } = await decisions(cwd, ["list"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("10 decisions in decisions");
    expect(stdout).toMatch(/^ {2}full\s.+\s4 {2}█+$/m);
    expect(stdout).toContain("In full (4)");
    expect(stdout).toMatch(
      /aaaa0001 Decide about part aaaa0001\n.*2 days ago \(\d{4}-\d\d-\d\d\) · pending, confidence 0\.8 · stakes high · by planner/,
    );
    expect(stdout).toContain("about: The ledger has outgrown its file.");
    expect(stdout).toContain("because (empirical): Three load tests passed");
    expect(stdout).toMatch(/eeee0001 .*\[preserved\]/);
    expect(stdout).toContain("date unreadable: soon");
    expect(stdout).toContain("Summaries (2)");
    expect(stdout).toContain("Measure before choosing");
    expect(stdout).toMatch(/^ {2}architecture \(1\)\n {4}cccc0001 {2}40 days \(/m);
    expect(stdout).toContain("2 decisions old enough to be counted only.");
    expect(stdout).toContain("agent-compact decisions wisdom");
    expect(stdout).toContain("1 record that cannot be served as it should be:\n  ffff0001:");
    expect(stdout).not.toContain("Decide about part dddd0001");
    expect(stdout).not.toContain("\u001b");
  });

  it("lists what is old without its texts, superseded ones marked", async () => {
    const { stdout } = await decisions(folderWith(EVERY_KIND), ["list", "--level", "wisdom"]);
    expect(stdout).toContain("Wisdom (2)");
    expect(stdout).toMatch(/dddd0002 .*\[superseded by dddd0001\]/);
    expect(stdout).not.toContain("Decide about");
  });

  it("is the wire's result as one object with --json, at any limit complete over its pages", async () => {
    const cwd = folderWith(EVERY_KIND);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await json(cwd, ["list", "--limit", "3", ...(cursor === undefined ? [] : ["--cursor", cursor])]);
      expect(page.levels).toEqual({ full: 4, summary: 2, digest: 2, wisdom: 2 });
      const { byLimit, before, wisdom, otherLevels } = page.leftOut;
      expect(page.total + byLimit + before + wisdom + otherLevels).toBe(10);
      seen.push(...page.decisions.map(({ id }: { id: string }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(
      EVERY_KIND.map(({ id }) => id)
        .filter((id) => !/^dddd/.test(id))
        .toSorted(),
    );
  });

  it("names the command for the next page, with the flags of this one", async () => {
    const cwd = folderWith(EVERY_KIND);
    const { stdout } = await decisions(cwd, ["list", "--limit", "1", "--category", "process", "--no-preserved"]);
    const [, next = ""] = /1 more, from the next page on: agent-compact decisions (list .+)$/m.exec(stdout) ?? [];
    expect(next).toContain("--category process --no-preserved --limit 1 --cursor ");
    const second = await decisions(cwd, next.split(" "));
    expect(second.stdout).toContain("cccc0002");
    expect(second.stdout).not.toContain("next page");
  });

  it("filters by agent, and leaves preserved ones out", async () => {
    const cwd = folderWith(EVERY_KIND);
    expect((await json(cwd, ["list", "--agent", "planner"])).decisions).toHaveLength(1);
    const without = await json(cwd, ["list", "--no-preserved"]);
    expect(without.decisions.map(({ id }: { id: string }) => id)).not.toContain("eeee0001");
    const { stdout } = await decisions(cwd, ["list", "--agent", "nobody"]);
    expect(stdout).toContain("No decision in decisions is of that kind.");
  });

  it("names the categories there are where nobody has the one that was asked for", async () => {
    const cwd = folderWith([...EVERY_KIND, record("abab0001", 3, { category: "tooling" })]);
    const said =
      "No decision has the category Process. Did you mean process? There are: architecture, process, tooling.";
    for (const command of [["list"], ["wisdom"], ["calibration"], ["compact", "--dry-run"], ["compact"]])
      expect((await decisions(cwd, [...command, "--category", "Process"])).stdout).toContain(said);
    for (const command of [["list", "--level", "wisdom"], ["wisdom"]])
      expect((await decisions(cwd, [...command, "--category", "tooling"])).stdout).not.toContain("There are:");
    expect((await decisions(cwd, ["list", "--category", "law"])).stdout).toContain("the category law. There are: arch");
  });

  it("has colours on a terminal only", async () => {
    const cwd = folderWith(EVERY_KIND);
    expect((await decisions(cwd, ["list"], { isTerminal: true })).stdout).toContain("\u001b[");
  });

  it("shows what a terminal would act on instead of sending it", async () => {
    const cwd = folderWith([
      record("aaaa0001", 1, { context: "a\u001b]0;title\u0007b\u202e", decision: "x\u001b[2Jy part aaaa0001" }),
    ]);
    for (const words of [["list"], ["get", "aaaa0001"]]) {
      const { stdout } = await decisions(cwd, words);
      expect(stdout).toContain("part aaaa0001");
      expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    }
  });

  it("changes nothing in the folder", async () => {
    const cwd = folderWith(EVERY_KIND);
    const before = Object.entries(snapshot(cwd)).filter(([name]) => name.endsWith(".yaml"));
    for (const words of [["list"], ["wisdom"], ["calibration"], ["get", "aaaa0001"], ["compact", "--dry-run"]])
      expect((await decisions(cwd, words)).code).toBe(0);
    expect(Object.entries(snapshot(cwd)).filter(([name]) => name.endsWith(".yaml"))).toEqual(before);
  });
});

describe("decisions get", () => {
  it("shows the record, its level and why", async () => {
    const cwd = folderWith([...EVERY_KIND, reviewed("abcd0001", 33, { context: "Why we came here" })]);
    const { stdout } = await decisions(cwd, ["get", "abcd"]);
    expect(stdout).toContain("abcd0001 Decide about part abcd0001");
    expect(stdout).toContain("Level: digest, because it is 33 days old, and a digest is 30 to 90.");
    expect(stdout).toContain("context: Why we came here");
    const level = async (id: string) => (await decisions(cwd, ["get", id])).stdout;
    expect(await level("aaaa0002")).toContain("Level: full, because it has not been reviewed");
    expect(await level("eeee0001")).toContain("Level: full, because it is preserved.");
    expect(await level("ffff0001")).toContain("Level: full, because its date cannot be read.");
    expect(await level("dddd0002")).toContain("Superseded by dddd0001: agent-compact decisions get dddd0001");
    expect(await json(cwd, ["get", "dddd0002"])).toMatchObject({
      id: "dddd0002",
      decision: { pattern: "Boring technology first" },
      compactionLevel: "wisdom",
      standing: { superseded: true, supersededBy: "dddd0001" },
    });
  });

  it.each([
    ["zzzz9999", "Decision not found: zzzz9999"],
    ["aaaa", "begins several ids: aaaa0001, aaaa0002"],
    ["bbb", "begins several ids"],
  ])("refuses %s, and says what it could be", async (id, message) => {
    const { code, stdout, stderr } = await decisions(folderWith(EVERY_KIND), ["get", id]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("says how to find ids and pages in the log that was asked, in words of the command line", async () => {
    const cwd = folderWith([]);
    writeRecords(join(cwd, "log"), EVERY_KIND);
    const asked = ["--decisions", "log"];
    const supersede = ["record", "X", "--category", "a", "--confidence", "1", "--supersedes", "zzzz9999"];
    for (const words of [["get", "zzzz9999"], supersede, ["review", "zzzz9999", "--outcome", "success"]])
      expect((await decisions(cwd, [...words, ...asked])).stderr).toContain(
        "Decision not found: zzzz9999\n  Their ids: agent-compact decisions list --decisions log\n",
      );
    const { stderr } = await decisions(cwd, ["list", "--cursor", "abc", ...asked]);
    expect(stderr).toContain("Give --cursor as the last page named it");
    expect(stderr).not.toContain("nextCursor");
  });

  it("leaves the policy out where the decision is preserved by its own mark, and tells ages since the review", async () => {
    const cwd = folderWith([
      record("aaaa0001", 9, { preserve: true }),
      record("aaaa0002", 9, { preserve: "yes" }),
      reviewed("bbbb0001", 78),
    ]);
    writeFileSync(
      join(cwd, "compact.yaml"),
      "decisions:\n  policies:\n    careful:\n      category: architecture\n      age_basis: review\n",
    );
    const said = async (id: string) => (await decisions(cwd, ["get", id])).stdout;
    expect(await said("aaaa0001")).toContain("because it is preserved.\n");
    expect(await said("aaaa0002")).toContain("because it is preserved.\n");
    expect(await said("bbbb0001")).toContain(
      "Level: digest, because it was reviewed 75 days ago, and a digest is 30 to 90 under the policy careful.",
    );
  });

  it("names the policy that decides", async () => {
    const cwd = folderWith(EVERY_KIND);
    writeFileSync(
      join(cwd, "compact.yaml"),
      "decisions:\n  policies:\n    careful:\n      category: architecture\n      thresholds: {full: 50, summary: 70}\n      preserve_stakes: [high]\n",
    );
    expect((await decisions(cwd, ["get", "cccc0001"])).stdout).toContain(
      "Level: full, because it is 40 days old, and full is under 50 under the policy careful.",
    );
    expect((await decisions(cwd, ["get", "aaaa0001"])).stdout).toContain("it is preserved under the policy careful.");
    expect((await decisions(cwd, ["list"])).stdout).toContain("careful");
  });
});

const learned = [
  ...[1, 2, 3].map((index) =>
    reviewed(`s${index}000000`, 100 + index, { category: "process", pattern: "Search first" }),
  ),
  reviewed("f1000000", 200, { category: "process", outcome: "failure", pattern: "Skip the query", confidence: 0.9 }),
  reviewed("f2000000", 210, { category: "process", outcome: "failure", pattern: "Skip the query", confidence: 0.9 }),
];

describe("decisions wisdom", () => {
  it("tells figures, principles and failure modes", async () => {
    const { stdout } = await decisions(folderWith(learned), ["wisdom"]);
    expect(stdout).toMatch(/process\s+5\s+60 %\s+0\.84\s+-0\.24\s+0\.348/);
    expect(stdout).toContain("✓ Search first\n    3 confirmations: s1000000, s2000000, s3000000");
    expect(stdout).toContain("✗ Skip the query\n    failed 2 times of 2: f1000000, f2000000");
  });

  it("has the specification's form with --json, and the structured one", async () => {
    const cwd = folderWith(learned);
    expect(await json(cwd, ["wisdom"])).toEqual({
      wisdom: [
        {
          category: "process",
          decisions: 5,
          success_rate: 0.6,
          key_principles: ["Search first (3 confirmations)"],
          common_failure_mode: "Skip the query (2 failures)",
        },
      ],
      total_decisions: 5,
      categories_analyzed: 1,
    });
    expect(await json(cwd, ["wisdom", "--format", "structured"])).toMatchObject({
      wisdom: [
        {
          keyPrinciples: [{ text: "Search first", confirmations: 3, exampleIds: ["s1000000", "s2000000", "s3000000"] }],
        },
      ],
    });
  });

  it("says why there is none, and how to see what is left out", async () => {
    expect((await decisions(folderWith([reviewed("aaaa0001", 5)]), ["wisdom"])).stdout).toContain(
      "there is no wisdom yet",
    );
    const few = folderWith(learned.slice(0, 2));
    expect((await decisions(few, ["wisdom"])).stdout).toContain("2 decisions in categories of fewer than 5.");
    expect((await decisions(few, ["wisdom", "--min-decisions", "1"])).stdout).toContain("Search first");
    expect((await decisions(few, ["wisdom", "--min-decisions", "1000"])).stdout).toContain("of fewer than 100.");
  });

  it("says how many of its decisions are listed in full", async () => {
    const head = async (more: readonly ReturnType<typeof reviewed>[]) =>
      (await decisions(folderWith([...learned, ...more]), ["wisdom"])).stdout.split("\n")[0];
    expect(await head([])).toBe("Wisdom of 5 reviewed decisions of 90 days and more in decisions");
    expect(
      await head([reviewed("p1000000", 100, { preserve: true }), reviewed("p2000000", 5, { preserve: true })]),
    ).toBe(
      "Wisdom of 6 reviewed decisions of 90 days and more in decisions, 1 of them preserved: it is listed and counted in full",
    );
  });
});

describe("decisions calibration", () => {
  it("says how confidence compares, and nothing below three", async () => {
    const { stdout } = await decisions(folderWith(learned), ["calibration"]);
    expect(stdout).toContain("5 reviewed decisions in decisions, 5 of them with an outcome and a confidence");
    expect(stdout).toContain("Stated 0.84, came true 0.60, gap -0.24: overconfident.");
    expect((await decisions(folderWith(learned.slice(0, 2)), ["calibration"])).stdout).toContain(
      "Nothing can be said below three",
    );
    const cwd = newFolder();
    writeRecords(join(cwd, "log"), learned.slice(0, 1));
    expect((await decisions(cwd, ["calibration", "--decisions", "log"])).stdout).toContain(
      "agent-compact decisions review ID --outcome success --decisions log\n",
    );
  });

  it("says why a range of confidence is not shown", async () => {
    const sure = (id: string, confidence: number) => reviewed(id, 100, { confidence });
    const few = [sure("a1000000", 0.95), sure("a2000000", 0.75), sure("a3000000", 0.55)];
    expect((await decisions(folderWith(few), ["calibration"])).stdout).toContain(
      "No range of confidence has three decisions, so none is shown by itself.",
    );
    const more = [...few, sure("a4000000", 0.8), sure("a5000000", 0.85)];
    const { stdout } = await decisions(folderWith(more), ["calibration"]);
    expect(stdout).toMatch(/0\.7-0\.9 +3 /);
    expect(stdout).toContain("Not shown: 2 decisions in ranges of confidence with fewer than three.");
  });
});

describe("a log that is not there", () => {
  it.each([
    [["list"], "There is no decision log at"],
    [["list", "--db", "no.db"], "There is no decision log at no.db."],
    [["wisdom", "--decisions", "nowhere"], "There is no decision log at nowhere."],
    [["review", "aaaa", "--outcome", "success", "--db", "no.db"], "There is no decision log at no.db."],
  ])("%j says how to begin one", async (words, message) => {
    const cwd = newFolder();
    const { code, stdout, stderr } = await decisions(cwd, words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/decisions record .*decisions import FILE/);
    expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(3);
    expect(snapshot(cwd)).toEqual({});
  });

  it("but ADRs in its place says how to take them over", async () => {
    const cwd = newFolder();
    mkdirSync(join(cwd, "decisions"));
    writeFileSync(join(cwd, "decisions", "0001-use-x.md"), "# Use X\n");
    for (const words of [["list"], ["record", "Use Y", "--category", "tooling", "--confidence", "1"]]) {
      const { code, stderr } = await decisions(cwd, words);
      expect(code).toBe(2);
      expect(stderr).toContain("agent-compact decisions import decisions --db decisions.db");
    }
    expect(Object.keys(snapshot(cwd))).toEqual(["decisions", "decisions/0001-use-x.md"]);
  });

  it.each([
    [["list", "--decisions", "a", "--db", "b"], "--decisions and --db both name a decision log"],
    [["list", "--decisions", "file.txt"], "file.txt is a file, and --decisions takes a folder."],
    [["list", "--db", "decisions"], "decisions is a directory."],
    [["list", "--level", "essence"], "--level must be one of full, summary, digest, wisdom"],
    [["list", "--limit", "0"], "--limit must be a whole number from 1"],
    [["list", "--cursor", "abc"], "The cursor is not one that an answer gave."],
    [["wisdom", "--format", "xml"], "--format must be one of spec, structured"],
  ])("or flags that cannot be: %j", async (words, message) => {
    const cwd = folderWith(EVERY_KIND.slice(0, 1));
    writeFileSync(join(cwd, "file.txt"), "x");
    const { code, stdout, stderr } = await decisions(cwd, words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("is found by configuration, then beside, then at home", async () => {
    const cwd = folderWith([record("beside01", 1)]);
    writeRecords(join(cwd, "other"), [record("other001", 1)]);
    const ids = async (words: readonly string[] = []) =>
      (await json(cwd, ["list", ...words])).decisions.map(({ id }: { id: string }) => id);
    expect(await ids()).toEqual(["beside01"]);
    writeFileSync(join(cwd, "compact.yaml"), "decisions:\n  dir: other\n");
    expect(await ids()).toEqual(["other001"]);
    expect(await ids(["--decisions", "decisions"])).toEqual(["beside01"]);
    const home = newFolder();
    await decisions(home, ["record", "At home", "--category", "tooling", "--confidence", "0.5"]);
    expect(Object.keys(snapshot(home))).toContain(".agent-compact/decisions.db");
    expect((await json(home, ["list"])).decisions).toHaveLength(1);
  });
});

it("an age is whole days of what decided about the level, not of the day alone", async () => {
  const cwd = folderWith([reviewed("aaaa0001", 6, { date: daysAgo(6) })]);
  expect((await decisions(cwd, ["list"])).stdout).toContain("6 days ago");
});
