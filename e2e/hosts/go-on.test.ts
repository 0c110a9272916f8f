// A session that we made smaller, gone on with by its host: what the model is then told, and what the host still does with
// it. Run by `npm run e2e:hosts`, as hosts.test.ts is.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, type Host, versionOf } from "./hosts.ts";
import { SUMMARY, type Turn } from "./scripted-model.ts";
import { runSession, type Session } from "./session.ts";

/**
 * Turns before the first compaction, a process of the host each: with fewer than four the summary, which may fill the
 * target, takes as much. Sixty take a host minutes: AGENT_HOSTS_TURNS=60 npm run e2e:hosts -- go-on -t '^pi'
 */
const LENGTH = Number(process.env.AGENT_HOSTS_TURNS ?? 4);
const report = (turn: number) => Array.from({ length: 180 }, (_, n) => `Listener ${turn}.${n} answered.`).join("\n");

function turnsFor({ fullAt }: Host): readonly Turn[] {
  return [
    { prompt: "The gateway has to listen on 8443, never on 8080.", calls: [], says: `Noted.\n${report(0)}` },
    ...Array.from({ length: LENGTH }, (_, at) => ({
      prompt: `Look at listener ${at + 1}, please.`,
      calls: [],
      says: `Looked at.\n${report(at + 1)}`,
    })),
    { prompt: "And what is the port?", calls: [], says: `8443.\n${report(1000)}` },
    {
      prompt: "Thank you.",
      calls: fullAt === "call" ? [{ tool: "mem_search", input: { query: "port" } }] : [],
      says: "Not at all.",
      fullAt,
    },
    { prompt: "What comes next?", calls: [], says: "Nothing is left to do." },
  ];
}

const missing = HOSTS.flatMap((host) => [host, host.older]).filter((each) => versionOf(each) === undefined);
const isReady = process.env.AGENT_HOSTS !== undefined && missing.length === 0;
if (!isReady) it.skip("the real hosts are run by `npm run e2e:hosts`, which installs them", () => undefined);

describe.runIf(isReady).each(HOSTS.map((host) => [host.name, host] as const))("%s", (_, host) => {
  const { requestOf, session } = running(host, (all) => all, [LENGTH + 1, LENGTH + 2]);

  it("goes on with the summary, the last turn and the new prompt, and without the rest", () => {
    expectGoneOn(requestOf);
  });

  it("goes on from a second compaction, with one summary and what was said since the first", () => {
    const request = requestOf("Thank you.") ?? "";
    expect(request.split("<COMPACT-SUMMARY v")).toHaveLength(2);
    const texts = [
      "never on 8080",
      "And what is the port?",
      "Listener 1000.9 answered",
      `Listener ${LENGTH}.9 answered`,
    ];
    expect(texts.map((text) => request.includes(text))).toEqual([true, true, true, false]);
  });

  it("is compacted by its host after that, which is told of our summary", () => {
    const asked = session().heard.filter(({ turn, raw }) => turn === undefined && raw.includes("COMPACT-SUMMARY v"));
    expect(asked).not.toEqual([]);
    expect(requestOf("What comes next?")).toContain(SUMMARY.split("\n")[1]);
  });

  it("gives the old bytes back where it was compacted in its place", async () => {
    const { file, compact } = session();
    const before = readFileSync(file);
    await compact("session", "compact", file, "--in-place", "--keep-recent-turns", "1", "--target-tokens", "2000");
    expect(readFileSync(file).equals(before)).toBe(false);
    await compact("session", "undo", file);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("left the old session as it was, and undo asks before it takes what was said since", async () => {
    const { smaller, compact } = session();
    expect(smaller.map(({ isSourceAsBefore }) => isSourceAsBefore)).toEqual([true, true]);
    for (const { result } of smaller.toReversed()) {
      await expect(compact("session", "undo", result)).rejects.toThrow(/has grown since/);
      await compact("session", "undo", result, "--force");
      expect(existsSync(result)).toBe(false);
    }
  });
});

const older = HOSTS.map(({ addServer: _server, hook: _hook, ...host }): Host => ({ ...host, ...host.older }));

describe.runIf(isReady).each(older.map((host) => [`${host.name} ${versionOf(host)}`, host] as const))(
  "%s",
  (_, host) => {
    const { requestOf } = running(host, (all) => all.slice(0, LENGTH + 2), [LENGTH + 1]);

    it("goes on with the summary, the last turn and the new prompt, and without the rest", () => {
      expectGoneOn(requestOf);
    });
  },
);

/** Of the session that runs before the tests; `requestOf` gives what the model was told with a prompt. */
function running(host: Host, choose: (turns: readonly Turn[]) => readonly Turn[], goesOnAt: readonly number[]) {
  const turns = choose(turnsFor(host));
  let folder: string;
  let session: Session;
  beforeAll(
    async () => {
      folder = mkdtempSync(join(tmpdir(), "go-on-"));
      session = await runSession(host, turns, folder, goesOnAt);
      tell(`${host.name} ${versionOf(host)}`, session, turns);
    },
    900_000 + LENGTH * 30_000,
  );
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const requestOf = (prompt: string) => session.heard.find(({ turn }) => turn?.prompt === prompt)?.raw;
  return { requestOf, session: () => session };
}

/** Of each compaction: the requests before it and behind it in bytes, and how long it took. */
function tell(name: string, { heard, smaller }: Session, turns: readonly Turn[]): void {
  const bytesAt = (index: number) => {
    const raw = heard.find(({ turn }) => turn?.prompt === turns[index]?.prompt)?.raw ?? "";
    return Buffer.byteLength(raw).toLocaleString("en");
  };
  for (const [at, { seconds }] of smaller.entries()) {
    const index = LENGTH + 1 + at;
    const sizes = `${bytesAt(index - 1)} -> ${bytesAt(index)} bytes`;
    process.stdout.write(`${name}, turn ${index}: ${sizes}, compacted in ${seconds.toFixed(1)} s\n`);
  }
}

function expectGoneOn(requestOf: (prompt: string) => string | undefined): void {
  const last = `Look at listener ${LENGTH}, please.`;
  const [before, after] = [requestOf(last), requestOf("And what is the port?")];
  const told = (text: string) => [before?.includes(text), after?.includes(text)];
  expect(told("COMPACT-SUMMARY v1")).toEqual([false, true]);
  expect(told("never on 8080")).toEqual([true, true]);
  expect(told("Listener 1.9 answered")).toEqual([true, false]);
  expect(told(last)).toEqual([true, true]);
  expect(told(`Listener ${LENGTH}.9 answered`)).toEqual([false, true]);
  expect(told("And what is the port?")).toEqual([false, true]);
  const texts = longTextsOf(JSON.parse(after ?? "{}"));
  expect(texts).toEqual([...new Set(texts)]);
  expect(after?.length).toBeLessThan(before?.length ?? 0);
}

/** What a host says to every session is long, and told once. */
function longTextsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return value.length > 1000 ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(longTextsOf) : [];
}
