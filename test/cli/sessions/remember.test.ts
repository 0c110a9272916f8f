// `agent-compact remember`: sessions of every host become rows of the memory store, and leave it again.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, newFolder, snapshot } from "../command-line.ts";
import { MADE_SESSIONS, putInto } from "./made-sessions.ts";

const CLOSING =
  "All sixty parts are in order. The tariff file was never touched, and what the parts read of it is what the office sends: the price of a day, and from the third day on two thirds of it.";
const SECRET = `sk-ant-api03-${"a1B2".repeat(12)}`;

function open() {
  const home = newFolder();
  const db = join(home, "memory.db");
  const run = async (...argv: readonly string[]) => {
    const outcome = await call([...argv, "--db", db], { cwd: home, env: { HOME: home } });
    return { ...outcome, json: () => JSON.parse(outcome.stdout) };
  };
  return { home, db, run };
}

describe.each(MADE_SESSIONS.map((made) => [made.host, made] as const))("a session of %s", (_host, made) => {
  it("is told as rows, once, which are found by their words and taken back by its name", async () => {
    const { home, db, run } = open();
    const file = putInto(home, { ...made, text: made.text.replaceAll("Part 60 is in order.", CLOSING) });
    const dry = await run("remember", file, "--dry-run", "--json");
    expect(existsSync(db)).toBe(false);
    const { session, rows } = (await run("remember", file, "--json")).json();
    expect(rows).toMatchObject([{ action: "new", title: "Check each part. Never change the tariff file." }]);
    expect(dry.json().rows).toEqual(rows.map((row: object) => ({ ...row, id: null })));
    expect((await run("observations", "search", "tariff", "--json")).json()).toMatchObject({ total: 1 });
    expect((await run("observations", "show", "1")).stdout).toContain(
      `From session ${session}: agent-compact session show`,
    );
    expect((await run("remember", file, "--json")).json().rows).toMatchObject(rows.map(() => ({ action: "known" })));
    expect((await run("remember", session, "--undo", "--json")).json()).toEqual({
      ...{ session, db: "memory.db" },
      ...{ deleted: [rows[0].id], edited: [] },
    });
    expect((await run("observations", "search", "tariff", "--json")).json()).toMatchObject({ total: 0 });
  });
});

describe("remember", () => {
  const said = (role: string, content: string) => ({ role, content });

  it("stores no secret and nothing private, wherever a row cuts the text", async () => {
    const { home, db, run } = open();
    const file = join(home, "talk.json");
    const text = `The deployment uses the key ${SECRET} and writes into the bucket of the second region, as agreed before.`;
    const hidden = `<private>Their new product is called Heron.</private> ${"It goes to the harbour office by rail. ".repeat(30)}`;
    const talk = [
      said("user", `Deploy it with ${SECRET}. ${hidden}`),
      said("assistant", `${text} ${hidden} All of it is deployed now and the harbour office can read it.`),
    ];
    writeFileSync(file, JSON.stringify(talk));
    const { stdout, code } = await run("remember", file, "--json");
    expect(code).toBe(0);
    const [row] = JSON.parse(stdout).rows;
    expect(row.content).toContain("the harbour office can read it");
    const { stdout: exported } = await run("observations", "export");
    for (const kept of [SECRET, "Heron"]) expect(exported).not.toContain(kept);
    expect(existsSync(db)).toBe(true);
  });

  it("shows the newest rows of a long session, and says how many more there are", async () => {
    const { home, run } = open();
    const file = join(home, "long.json");
    const turns = Array.from({ length: 50 }, (_, n) => [
      said("user", `What does the nightly job number ${n} write, and who reads it in the morning?`),
      said(
        "assistant",
        `Job ${n} writes the sums of pier ${n}, which the office reads at ${n} o'clock, before it opens.`,
      ),
    ]);
    writeFileSync(file, JSON.stringify(turns.flat()));
    const { stdout } = await run("remember", file);
    expect(stdout).toContain("and 10 earlier ones: see --json");
    expect(stdout.match(/What does the nightly job/g)).toHaveLength(40);
    expect(stdout).toContain("50 rows of 50");
  });

  it("asks which session is meant, and says where nothing was taught", async () => {
    const { home, run } = open();
    expect(await run("remember")).toMatchObject({ code: 2, stderr: expect.stringContaining("--last") });
    const file = join(home, "short.json");
    writeFileSync(file, JSON.stringify([said("user", "hello"), said("assistant", "Hello!")]));
    const before = snapshot(home);
    expect((await run("remember", file, "--dry-run")).stdout).toContain("taught nothing");
    expect(snapshot(home)).toEqual(before);
  });
});
