// What our server, hook and readers are to the real hosts. Run by `npm run e2e:hosts` (run.sh), where no network is but
// loopback; skipped anywhere else. A full run writes its figures into docs/reference/hosts.md.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTokenCounter } from "../../src/tokens.ts";
import { HOSTS, type Host, versionOf } from "./hosts.ts";
import { hostsPage, type Row } from "./page.ts";
import { readBack, saidToUs } from "./read-back.ts";
import type { Turn } from "./scripted-model.ts";
import { runSession, type Session } from "./session.ts";

const NOTE = { title: "Port of the gateway", content: "The gateway listens on 8443, not on 8080.", type: "decision" };
/** Long enough that a compaction has something to leave out. */
const REPORT = Array.from({ length: 250 }, (_, n) => `Listener ${n}: 10.0.${n}.1 answered in ${(n * 7) % 40} ms.`);

function turnsFor({ loads, fullAt }: Host): readonly Turn[] {
  const load = loads === undefined ? [] : [loads];
  return [
    {
      prompt: "Note that port 8080 is taken, please.",
      calls: [...load, { tool: "mem_save", input: { ...NOTE, title: "Port 8080", content: "Port 8080 is taken." } }],
      says: "I tried to.",
    },
    {
      prompt: "Store the port of the gateway, and never touch port 8080.",
      calls: [{ tool: "mem_save", input: NOTE }],
      says: ["Stored: the gateway listens on 8443.", ...REPORT].join("\n"),
    },
    {
      prompt: "Which port was that?",
      calls: [{ tool: "mem_search", input: { query: "gateway port" } }],
      says: "8443, as stored.",
      fullAt,
    },
    { prompt: "Thank you. What comes next?", calls: [], says: "Nothing is left to do." },
  ];
}

const missing = HOSTS.filter((host) => versionOf(host) === undefined);
const isReady = process.env.AGENT_HOSTS !== undefined && missing.length === 0;
if (!isReady) it.skip("the real hosts are run by `npm run e2e:hosts`, which installs them", () => undefined);

const rows: Row[] = [];
const counter = createTokenCounter({ model: "gpt-5" });

describe.runIf(isReady).each(HOSTS.map((host) => [host.name, host] as const))("%s", (_, host) => {
  const turns = turnsFor(host);
  const row: Row = {
    host,
    version: versionOf(host) ?? "",
    tools: 0,
    toolTokens: 0,
    asks: host.asks,
    read: "",
    failed: [],
  };
  let folder: string;
  let session: Session;
  /** The result of one call, as the model saw it. */
  const resultOf = (turn: Turn | undefined, call: number): string =>
    saidToUs(session, turn, call) ?? expect.fail("the call had no result");

  beforeEach(({ task, onTestFailed }) =>
    onTestFailed(() => {
      row.failed.push(task.name);
    }),
  );
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "host-"));
    session = await runSession(host, turns, folder);
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is told of our tools", () => {
    const all = session.heard.flatMap(({ tools }) => tools).filter(({ name }) => /(?:^|_)mem_[a-z]+$/.test(name));
    const declared = new Map(all.map(({ name, definition }) => [name, definition]));
    row.tools = declared.size;
    row.toolTokens = counter.count(JSON.stringify([...declared.values()]));
    const names = [...declared.keys()].map((name) => name.replace(/.*_(?=mem_)/, ""));
    if (host.lists === "declared") expect(names).toEqual(expect.arrayContaining(["mem_save", "mem_search"]));
    const texts = session.heard.map(({ raw }) => raw).join("\n");
    if (host.lists === "by name") expect(texts).toMatch(/mcp__memory__mem_save\b.*mcp__memory__mem_search\b/);
    if (host.lists === "as a server") expect(texts).toContain("mcp__memory");
  });

  it("asks, or does not, before a note is saved", () => {
    const result = resultOf(turns[0], (turns[0]?.calls.length ?? 0) - 1);
    row.asks = !/saved|created/.test(result);
    expect(row.asks).toBe(host.asks);
  });

  it("saves a note and finds it in another process", () => {
    expect(resultOf(turns[1], 0)).toMatch(/saved|created/);
    expect(resultOf(turns[2], 0)).toContain(NOTE.content);
  });

  it("compacts by itself, and its compaction has what the hook says", () => {
    const asked = session.heard.filter(({ turn, raw }) => turn === undefined && raw.includes("8443"));
    expect(asked.length).toBeGreaterThan(0);
    if (host.hook?.reaches.includes("summarizer") === true) {
      // What a hook prints stands there as it is, so it has to be prose.
      for (const { raw } of asked) expect(raw).toMatch(/Additional Instructions:(?:\\n)+[^{]{40}/);
    }
    const after = session.heard.find(({ turn }) => turn === turns[3]);
    expect(after).toBeDefined();
    if (host.hook?.reaches.includes("model") === true) expect(after?.raw).toContain("agent-compact archive expand");
  });

  it("has left an archive in which its words are found", async () => {
    if (host.hook === undefined)
      await session.compact("conversation", session.file, "--quiet", "--out", "smaller.json");
    const { hits } = JSON.parse(await session.compact("archive", "search", "Listener", "249", "--json"));
    expect(hits.length).toBeGreaterThan(0);
  });

  it("has a session file that is read back message by message", async () => {
    const report = JSON.parse(await session.compact("inspect", session.file, "--json"));
    expect(report.format).toBe(host.format);
    const list = JSON.parse(await session.compact("convert", session.file, "--to", "openai-chat", "--out", "-"));
    const { times, inOrder } = readBack(Array.isArray(list) ? list : list.messages, session, turns);
    row.read = `${times.filter(([, count]) => count === 1).length} of ${times.length}`;
    expect(times.filter(([, count]) => count !== 1)).toEqual([]);
    expect(inOrder).toBe(true);
  });

  it("leaves no process behind", () => expect(session.leftBehind).toEqual([]));

  afterAll(() => {
    if (row.read !== "") rows.push(row);
  });
});

afterAll(() => {
  const page = fileURLToPath(new URL("../../docs/reference/hosts.md", import.meta.url));
  if (rows.length === HOSTS.length) writeFileSync(page, hostsPage(rows));
});
