// Sessions that their host has compacted itself: what is told of them is what the host sends, and a copy in which every word
// stays has the host send no more than that.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, newFolder } from "../command-line.ts";
import { MADE_SESSIONS, putInto, putIntoDatabase } from "./made-sessions.ts";

const SUMMARY = "Parts 1 to 60 are in order; the tariff file is as it was.";

type Values = readonly Record<string, unknown>[];

const made = (host: string) => MADE_SESSIONS.find((each) => each.host === host) ?? expect.fail("no such session");
const valuesOf = (host: string): Values =>
  made(host)
    .text.trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const item = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
});

/** What the host appends: its compaction, and one turn more. */
const ENDINGS: Readonly<Record<string, (last: Record<string, unknown>, turn: Values) => Values>> = {
  "claude-code": ({ message: _, ...last }) => [
    {
      ...{ ...last, type: "system", subtype: "compact_boundary", uuid: "b1", parentUuid: null },
      logicalParentUuid: last.uuid,
      compactMetadata: { preTokens: 30_000, postTokens: 900, preservedSegment: { headUuid: last.uuid } },
    },
    {
      ...{ ...last, type: "user", uuid: "b2", parentUuid: "b1", isCompactSummary: true },
      message: { role: "user", content: SUMMARY },
    },
    { ...last, type: "user", uuid: "b3", parentUuid: "b2", message: { role: "user", content: "Go on." } },
  ],
  codex: ({ ordinal }) =>
    [
      {
        type: "compacted",
        payload: { message: SUMMARY, replacement_history: [item("user", "Check part 60."), item("user", SUMMARY)] },
      },
      { type: "response_item", payload: item("user", "Go on.") },
    ].map((line, at) => ({ timestamp: "2026-01-02T04:00:00Z", ...line, ordinal: Number(ordinal) + at + 1 })),
  "gemini-cli": (_, turn) => [
    {
      $set: {
        messages: [
          { id: "h1", type: "user", content: [{ text: SUMMARY }] },
          { id: "h2", type: "gemini", content: "Got it. Thanks for the additional context!" },
          ...turn,
        ],
      },
    },
    { id: "h3", type: "user", content: [{ text: "Go on." }] },
  ],
  pi: ({ id }) => [
    { type: "compaction", id: "c1", parentId: id, summary: SUMMARY, firstKeptEntryId: id, tokensBefore: 30_000 },
    {
      type: "message",
      id: "c2",
      parentId: "c1",
      message: { role: "user", content: [{ type: "text", text: "Go on." }] },
    },
  ],
};

function compactedByHost(host: string): string {
  const values = valuesOf(host);
  const all = [...values, ...(ENDINGS[host]?.(values.at(-1) ?? {}, values.slice(-4)) ?? [])];
  return all.map((value) => `${JSON.stringify(value)}\n`).join("");
}

interface Shown {
  readonly kind: string;
  readonly text: string;
}

async function entriesOf(file: string, home: string): Promise<readonly Shown[]> {
  const { stdout } = await call(["session", "show", file, "--json"], { cwd: home, env: { HOME: home } });
  return JSON.parse(stdout).turns.flatMap(({ entries }: { entries: readonly Shown[] }) => entries);
}

describe.each(Object.keys(ENDINGS))("a session that %s has compacted itself", (host) => {
  const put = () => {
    const home = newFolder();
    return { home, file: putInto(home, { ...made(host), text: compactedByHost(host) }) };
  };

  it("is listed and compacted by what the host sends of it", async () => {
    const { home, file } = put();
    const ask = async (...words: readonly string[]) =>
      (await call(["session", ...words], { cwd: home, env: { HOME: home } })).stdout;
    const [listed] = JSON.parse(await ask("list", "--json")).sessions;
    expect(listed).toMatchObject({ host, compactions: 1 });
    expect(listed.tokens).toBeLessThan(1000);
    expect(listed.tokens_in_file).toBeGreaterThan(20_000);
    expect(listed.older).toBe(0);
    const report = JSON.parse(await ask("compact", file, "--dry-run", "--json"));
    expect(report.tokens_before).toBe(listed.tokens);
    expect(report.tokens_in_file).toBe(listed.tokens_in_file);
    const said = await ask("compact", file);
    expect(said).toContain(" tokens are in the file: of the others the host sends its own summary.\n");
    expect(said).toContain("No smaller than what the host sends now. The old session is as it was; ");
  });

  it("is copied with --strip-only so that the host sends its own summary and what came after, and no more", async () => {
    const { home, file } = put();
    const { stdout, stderr } = await call(["session", "compact", file, "--strip-only", "--json"], {
      cwd: home,
      env: { HOME: home },
    });
    expect(stderr).toBe("");
    const { result, tokens_before, tokens_after } = JSON.parse(stdout);
    expect(tokens_after).toBeLessThanOrEqual(tokens_before);
    const written = readFileSync(result, "utf8");
    expect(written).not.toContain("part 5, line 20: in order");
    const entries = await entriesOf(result, home);
    const at = entries.findIndex(({ text }) => text.includes(SUMMARY));
    expect(at).toBeGreaterThanOrEqual(0);
    expect(entries.at(-1)?.text).toBe("Go on.");
    // Where what it left out is in the file too, it is marked as that.
    expect(entries.some(({ text }) => text === "Check part 5.")).toBe(entries[at]?.kind === "compaction");
    const names = written.match(/"headUuid":"([^"]+)"/);
    if (names !== null) expect(written).toContain(`"uuid":"${names[1]}"`);
  });
});

describe("a session that opencode has compacted itself", () => {
  it("keeps where its tail begins, under new ids", async () => {
    const home = newFolder();
    const { info, messages } = JSON.parse(made("opencode").text);
    const [user, answer] = messages.slice(-2);
    const copy = (message: typeof user, at: number, own: object, part: object) => {
      const id = `msg_${(0x20_00_00 + at).toString(16).padStart(12, "0")}abcdefghijklmn`;
      const [{ state: _, callID: _call, ...first }] = message.parts;
      return {
        info: { ...message.info, id, ...own },
        parts: [{ ...first, id: id.replace("msg", "prt"), messageID: id, ...part }],
      };
    };
    const all = [
      ...messages,
      copy(user, 0, {}, { type: "compaction", auto: true, tail_start_id: user.info.id, text: undefined }),
      copy(answer, 1, { summary: true }, { type: "text", text: SUMMARY }),
      copy(user, 2, {}, { text: "Go on." }),
    ];
    const id = await putIntoDatabase(home, JSON.stringify({ info, messages: all }));
    const { stdout } = await call(["session", "compact", id, "--strip-only", "--json"], {
      cwd: home,
      env: { HOME: home },
    });
    const written = JSON.parse(readFileSync(JSON.parse(stdout).result, "utf8"));
    const parts = written.messages.flatMap(
      (message: { parts: readonly { tail_start_id?: string }[] }) => message.parts,
    );
    const [tail] = parts.flatMap((part: { tail_start_id?: string }) => part.tail_start_id ?? []);
    const start = written.messages.find((message: { info: { id: string } }) => message.info.id === tail);
    expect(start.parts[0].text).toBe("Check part 60.");
    const file = join(home, "copy.json");
    writeFileSync(file, JSON.stringify(written));
    const marks = (await entriesOf(file, home)).filter(({ kind }) => kind === "compaction");
    expect(marks).toMatchObject([{ text: SUMMARY, left: 236 }]);
  });
});
