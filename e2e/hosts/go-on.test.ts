// A session that we made smaller, gone on with by its host: what the model is then told. Run by `npm run e2e:hosts`, as
// hosts.test.ts is.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, versionOf } from "./hosts.ts";
import type { Turn } from "./scripted-model.ts";
import { runSession, type Session } from "./session.ts";

const LENGTH = 12;
const report = (turn: number) => Array.from({ length: 60 }, (_, n) => `Listener ${turn}.${n} answered.`).join("\n");
const TURNS: readonly Turn[] = [
  { prompt: "The gateway has to listen on 8443, never on 8080.", calls: [], says: `Noted.\n${report(0)}` },
  ...Array.from({ length: LENGTH }, (_, at) => ({
    prompt: `Look at listener ${at + 1}, please.`,
    calls: [],
    says: `Looked at.\n${report(at + 1)}`,
  })),
  { prompt: "And what is the port?", calls: [], says: "8443." },
  { prompt: "Thank you.", calls: [], says: "Not at all." },
];
const goesOnAt = LENGTH + 1;

const hosts = HOSTS.filter(({ goOn }) => goOn !== undefined);
const isReady = process.env.AGENT_HOSTS !== undefined && hosts.every((host) => versionOf(host) !== undefined);
if (!isReady) it.skip("the real hosts are run by `npm run e2e:hosts`, which installs them", () => undefined);

describe.runIf(isReady).each(hosts.map((host) => [host.name, host] as const))("%s", (_, host) => {
  let folder: string;
  let session: Session;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "go-on-"));
    session = await runSession(host, TURNS, folder, goesOnAt);
  }, 900_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("goes on with the summary, the last turn and the new prompt, and without the rest", () => {
    const [before, after] = [goesOnAt - 1, goesOnAt].map((at) => requestOf(session, TURNS[at]));
    const told = (text: string) => [before?.includes(text), after?.includes(text)];
    expect(told("COMPACT-SUMMARY v1")).toEqual([false, true]);
    expect(told("never on 8080")).toEqual([true, true]);
    expect(told("Listener 3.9 answered")).toEqual([true, false]);
    expect(told(`Look at listener ${LENGTH}, please.`)).toEqual([true, true]);
    expect(told(`Listener ${LENGTH}.9 answered`)).toEqual([false, true]);
    expect(told("And what is the port?")).toEqual([false, true]);
    expect(after?.length).toBeLessThan(before?.length ?? 0);
    expect(longTextsOf(JSON.parse(after ?? ""))).toHaveLength(new Set(longTextsOf(JSON.parse(after ?? ""))).size);
  });

  it("goes on from there once more, with what was said since", () => {
    const last = requestOf(session, TURNS.at(-1));
    const texts = ["COMPACT-SUMMARY v1", `Listener ${LENGTH}.9 answered`, "And what is the port?", "8443."];
    expect(texts.map((text) => last?.includes(text))).toEqual([true, true, true, true]);
  });

  it("left the old session as it was, and undo asks before it takes what was said since", async () => {
    expect(session.smaller?.isSourceAsBefore).toBe(true);
    // What a host took in from a file it does not write there.
    if (host.takeIn === undefined)
      await expect(session.compact("session", "undo", session.file)).rejects.toThrow(/has grown since/);
    await session.compact("session", "undo", session.file, "--force");
    expect(existsSync(session.file)).toBe(false);
  });
});

/** What is told twice is most of all what a host says to every session. */
function longTextsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return value.length > 1000 ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(longTextsOf) : [];
}

function requestOf({ heard }: Session, wanted: Turn | undefined): string | undefined {
  return heard.find(({ turn }) => turn === wanted)?.raw;
}
