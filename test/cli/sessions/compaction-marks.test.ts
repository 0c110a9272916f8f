// `session show` of a session that its host compacted itself: a mark where it happened, with what left, and the summary
// folded. The files are small and made by hand, in the shapes that the hosts of e2e/hosts write.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { corpusFiles, readText } from "../../corpus/corpus.ts";
import { call, newFolder } from "../command-line.ts";

const SUMMARY = "The port is 8443, and two files were read.";

const lines = (...values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

const inClaudeCode = (uuid: string, parentUuid: string | null, fields: object) => ({
  ...{ parentUuid, isSidechain: false, userType: "external", cwd: "/home/me/shop", sessionId: "s1" },
  ...{ version: "2.1.332", uuid, timestamp: "2026-01-02T03:04:05.000Z", ...fields },
});
const asked = (uuid: string, parent: string | null, content: string, fields: object = {}) =>
  inClaudeCode(uuid, parent, { type: "user", message: { role: "user", content }, ...fields });
const answered = (uuid: string, parent: string, text: string) => {
  const message = { role: "assistant", id: `m${uuid}`, model: "claude-sonnet-4-5", content: [{ type: "text", text }] };
  return inClaudeCode(uuid, parent, { type: "assistant", message });
};
const boundary = (uuid: string, logicalParentUuid: string, compactMetadata: object) => ({
  ...inClaudeCode(uuid, null, { type: "system", subtype: "compact_boundary", content: "Conversation compacted" }),
  ...{ logicalParentUuid, compactMetadata },
});
const shown = { isCompactSummary: true, isVisibleInTranscriptOnly: true };
const claudeCode = lines(
  asked("1", null, "Read a."),
  answered("2", "1", "I read a."),
  asked("3", "2", "And b?"),
  boundary("4", "3", {
    ...{ trigger: "auto", preTokens: 155_472, postTokens: 5557 },
    preservedSegment: { headUuid: "3", anchorUuid: "6", tailUuid: "3" },
  }),
  // What the host puts in again stands between the two.
  inClaudeCode("5", "4", { type: "attachment", attachment: { type: "todo" } }),
  asked("6", "5", SUMMARY, shown),
  answered("7", "6", "I read b."),
  boundary("8", "7", { trigger: "manual", preTokens: 9000 }),
  asked("9", "8", SUMMARY, shown),
  asked("10", "9", "Go on."),
  answered("11", "10", "Done."),
);

const item = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
});
const codex = lines(
  { type: "session_meta", payload: { id: "s1", cwd: "/home/me/shop" } },
  ...[
    item("user", "Read a."),
    item("assistant", "I read a."),
    item("user", "And b?"),
    item("assistant", "I read b."),
  ].map((payload) => ({ type: "response_item", payload })),
  {
    type: "compacted",
    payload: {
      message: SUMMARY,
      replacement_history: [item("user", "Read a."), item("user", "And b?"), item("user", SUMMARY)],
    },
  },
  ...[item("user", "Go on."), item("assistant", "Done.")].map((payload) => ({ type: "response_item", payload })),
);
const sealed = lines(
  ...codex
    .trimEnd()
    .split("\n")
    .slice(0, 5)
    .map((line) => JSON.parse(line)),
  {
    type: "compacted",
    payload: {
      message: "",
      replacement_history: [item("user", "And b?"), { type: "compaction", encrypted_content: "x" }],
    },
  },
  { type: "response_item", payload: item("user", "Go on.") },
);

const inGemini = (id: string, type: string, content: unknown) => ({
  id,
  type,
  content,
  timestamp: "2026-01-02T03:04:05Z",
});
const kept = [inGemini("3", "user", [{ text: "And b?" }]), inGemini("4", "gemini", "I read b.")];
const gemini = lines(
  { sessionId: "s1", projectHash: "0".repeat(64), startTime: "2026-01-02T03:04:05Z", kind: "main" },
  inGemini("1", "user", [{ text: "Read a." }]),
  inGemini("2", "gemini", "I read a."),
  ...kept,
  {
    $set: {
      messages: [
        inGemini("5", "user", [{ text: SUMMARY }]),
        inGemini("6", "gemini", "Got it. Thanks for the additional context!"),
        ...kept,
      ],
    },
  },
  inGemini("7", "user", [{ text: "Go on." }]),
  inGemini("8", "gemini", "Done."),
);

const inPi = (id: string, parentId: string | null, fields: object) => ({ id, parentId, ...fields });
const said = (id: string, parentId: string | null, role: string, text: string) => {
  const message = { role, content: [{ type: "text", text }], ...(role === "user" ? {} : { stopReason: "stop" }) };
  return inPi(id, parentId, { type: "message", message });
};
const compaction = { type: "compaction", summary: SUMMARY, tokensBefore: 175_004 };
const pi = lines(
  { type: "session", version: 3, id: "s1", cwd: "/home/me/shop" },
  said("e1", null, "user", "Read a."),
  said("e2", "e1", "assistant", "I read a."),
  said("e3", "e2", "user", "And b?"),
  said("e4", "e3", "assistant", "I read b."),
  inPi("e5", "e4", { ...compaction, firstKeptEntryId: "e3" }),
  said("e6", "e5", "user", "Go on."),
  said("e7", "e6", "assistant", "Done."),
);
/** Entries were counted, with the head, before they had ids. */
const olderPi = lines(
  ...pi
    .trimEnd()
    .split("\n")
    .map((line) => {
      const { id: _id, parentId: _parent, firstKeptEntryId: kept, ...rest } = JSON.parse(line);
      return kept === undefined ? rest : { ...rest, firstKeptEntryIndex: 3 };
    }),
);

const inOpencode = (id: string, role: string, part: object, fields: object = {}) => ({
  info: { id, sessionID: "ses_1", role, ...fields },
  parts: [{ id: `prt_${id}`, messageID: id, sessionID: "ses_1", ...part }],
});
const opencode = JSON.stringify({
  info: { id: "ses_1", title: "Files" },
  messages: [
    inOpencode("msg_1", "user", { type: "text", text: "Read a." }),
    inOpencode("msg_2", "assistant", { type: "text", text: "I read a." }),
    inOpencode("msg_3", "user", { type: "text", text: "And b?" }),
    inOpencode("msg_4", "assistant", { type: "text", text: "I read b." }),
    inOpencode("msg_5", "user", { type: "compaction", auto: true, tail_start_id: "msg_3" }),
    inOpencode("msg_6", "assistant", { type: "text", text: SUMMARY }, { summary: true, mode: "compaction" }),
    inOpencode("msg_7", "user", { type: "text", text: "Go on." }),
    inOpencode("msg_8", "assistant", { type: "text", text: "Done." }),
  ],
});

interface Shown {
  readonly kind: string;
  readonly title: string;
  readonly text: string;
}

async function show(name: string, text: string) {
  const cwd = newFolder();
  writeFileSync(join(cwd, name), text);
  const ask = (...flags: readonly string[]) => call(["session", "show", name, ...flags], { cwd, env: { HOME: cwd } });
  const [plain, json] = [await ask(), await ask("--json")];
  expect([plain.stderr, json.stderr]).toEqual(["", ""]);
  expect((await ask("--html", "page.html")).code).toBe(0);
  const turns = JSON.parse(json.stdout).turns as readonly { readonly entries: readonly Shown[] }[];
  const entries = turns.flatMap((turn) => turn.entries);
  return { plain: plain.stdout, page: readFileSync(join(cwd, "page.html"), "utf8"), entries };
}

const FIRST = ["Read a.", "I read a.", "And b?", "I read b."];
const LAST = ["Go on.", "Done."];

describe("a compaction of the host's own is marked where it happened, its summary folded", () => {
  it.each([
    ["pi", "s.jsonl", pi, [...FIRST, "2 messages left, 175,004 tokens before", ...LAST]],
    ["pi before entries had ids", "s.jsonl", olderPi, [...FIRST, "2 messages left, 175,004 tokens before", ...LAST]],
    // It keeps what users said, and its summary takes the place of an answer.
    ["Codex", "s.jsonl", codex, [...FIRST, "2 messages left", ...LAST]],
    // What stayed stands behind the summary, as the host shows it to the model.
    ["Gemini CLI", "s.jsonl", gemini, ["Read a.", "I read a.", "2 messages left", "And b?", "I read b.", ...LAST]],
    [
      "opencode",
      "s.json",
      opencode,
      [...FIRST, "[The host asked for a summary of the conversation so far]", "2 messages left", ...LAST],
    ],
  ])("%s", async (_, name, text, expected) => {
    const { plain, page, entries } = await show(name, text);
    const said = entries.map(({ kind, title, text }) => (kind === "compaction" ? title : text));
    expect(said).toEqual(expected.map((each) => (/ left\b/.test(each) ? `Compaction 1 by the host: ${each}` : each)));
    const mark = entries.find(({ kind }) => kind === "compaction");
    expect(mark?.text).toContain(SUMMARY);
    expect(plain).toContain(`  ${mark?.title}: ${mark?.text.length} characters\n`);
    expect(plain).not.toContain(SUMMARY);
    expect(page.split(SUMMARY)).toHaveLength(2);
    expect(page).toMatch(/<details class="compaction"><summary>Compaction 1 by the host: 2 messages left/);
  });

  it("Claude Code, twice: what stayed leaves with the second", async () => {
    const { entries } = await show("s.jsonl", claudeCode);
    expect(entries.map(({ kind, title, text }) => (kind === "compaction" ? title : text))).toEqual([
      ...["Read a.", "I read a.", "And b?"],
      "Compaction 1 by the host: 2 messages left, 155,472 -> 5,557 tokens",
      "I read b.",
      "Compaction 2 by the host: 2 messages left, 9,000 tokens before",
      ...LAST,
    ]);
    expect(entries.find(({ kind }) => kind === "compaction")).toMatchObject({
      ...{ text: SUMMARY, left: 2, tokens_before: 155_472, tokens_after: 5557 },
    });
  });

  it("Codex, where the provider keeps the summary sealed", async () => {
    const { entries } = await show("s.jsonl", sealed);
    expect(entries.map(({ kind, title, text }) => (kind === "compaction" ? [title, text] : text))).toEqual([
      ...FIRST,
      ["Compaction 1 by the host: 3 messages left", ""],
      "Go on.",
    ]);
  });

  it("not where a summary of ours stands for what is in no file: that is shown as it is", async () => {
    const ours = "<COMPACT-SUMMARY v1>\nThe port is 8443.\n</COMPACT-SUMMARY v1>";
    const copy = lines(
      boundary("4", "", { trigger: "manual", preTokens: 9000 }),
      asked("6", "4", ours, shown),
      asked("10", "6", "Go on."),
      answered("11", "10", "Done."),
    );
    const { plain, entries } = await show("s.jsonl", copy);
    expect(entries.map(({ kind }) => kind)).not.toContain("compaction");
    expect(plain).toContain(`summary\n${ours}`);
  });
});

const real = corpusFiles("transcripts", /^(?:claude-code|pi)-.*\.jsonl\.gz$/);

describe.skipIf(real.length === 0)(`real sessions${real.length === 0 ? " (skipped: no AGENT_CORPUS)" : ""}`, () => {
  it.each(real)("%s: each compaction of the host has a mark, and its summary is nowhere else", async (file) => {
    const text = readText(file);
    const { entries } = await show("s.jsonl", text);
    const marks = entries.filter(({ kind }) => kind === "compaction");
    expect(marks).toHaveLength(text.match(/"isCompactSummary":\s*true|"type":\s*"compaction"/g)?.length ?? 0);
    for (const { text } of marks)
      expect(entries.filter((entry) => entry.text.includes(text.slice(0, 2000)))).toHaveLength(1);
  });
});
