// `hook` on real sessions of Claude Code, and on a very large one: all of it archived, the record below the hosts' limit.
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { call, newFolder } from "../command-line.ts";
import { sessionLines } from "../conversations.ts";
import { compacting, contextOf, started } from "./events.ts";

const folder = join(process.env.AGENT_CORPUS ?? "", "transcripts");
const isThere = process.env.AGENT_CORPUS !== undefined && existsSync(folder);
const files = isThere ? readdirSync(folder).filter((name) => /^claude-code-.*\.jsonl\.gz$/.test(name)) : [];

/** A session with 2,000 results of 50 KB. */
function* largeSession(): Generator<string> {
  const source = readFileSync(fileURLToPath(new URL("../conversations.ts", import.meta.url)), "utf8").repeat(40);
  const [prompt = "", use = "", result = "", answer = ""] = sessionLines(1).split("\n");
  let parentUuid: string | null = null;
  for (let round = 0; round < 2000; round++) {
    for (const line of [prompt, use, result, answer]) {
      const uuid = crypto.randomUUID();
      const text =
        line === result
          ? line.replace("part 1: ", JSON.stringify(source.slice(round, round + 48_000)).slice(1, -1))
          : line;
      const value = JSON.parse(text.replaceAll("toolu_1", `toolu_${round}`).replaceAll("part-1.", `part-${round}.`));
      yield `${JSON.stringify({ ...value, uuid, parentUuid })}\n`;
      parentUuid = uuid;
    }
  }
}

it.skipIf(process.env.AGENT_SOAK_SECONDS === undefined)(
  "archives a session of 100 MB",
  { timeout: 600_000 },
  async () => {
    const cwd = newFolder();
    for (const line of largeSession()) appendFileSync(join(cwd, "session.jsonl"), line);
    expect(statSync(join(cwd, "session.jsonl")).size).toBeGreaterThan(100_000_000);
    const outcome = await compacting({ cwd });
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(outcome.stdout).toContain("archived as step 1, facts kept");
    expect(contextOf((await started({ cwd })).stdout).length).toBeLessThanOrEqual(10_000);
  },
);

describe.skipIf(!isThere)("hook, real sessions", () => {
  it.each(files)("archives %s and gives its record", async (name) => {
    const cwd = newFolder();
    cpSync(join(folder, name), join(cwd, "session.jsonl"));
    const { code, stdout } = await compacting({ cwd });
    expect(code).toBe(0);
    const [, count] = /: ([\d,]+) messages? archived as step 1, facts kept/.exec(stdout) ?? [];
    const restored = await call(["archive", "restore", "--session-id", "s1"], { cwd });
    expect(JSON.parse(restored.stdout)).toHaveLength(Number(count?.replaceAll(",", "")));
    const context = contextOf((await started({ cwd })).stdout);
    expect(context.length).toBeGreaterThan(1000);
    expect(context.length).toBeLessThanOrEqual(10_000);
    expect(context).toMatch(/^\[1\.\d+\] (?:User|Assistant): /mu);
    expect((await compacting({ cwd })).stdout).toContain("stand as step 1 already");
  });
});
