// Real files of every kind through the command line, where they are at hand: each is found for what it is, with as
// many calls as its list of contents says.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConversationSource } from "../../src/cli/files/conversation-source.ts";
import { corpusFiles, isCorpusAbsent } from "../formats/corpus-files.ts";
import { call, newFolder } from "./command-line.ts";

const corpus = process.env.AGENT_CORPUS ?? "";
const IS_NO_CONVERSATION = /\.meta\.json$|claude-compactions|token-golden/;
const conversations = corpusFiles(/./).filter((name) => !IS_NO_CONVERSATION.test(name));

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\/claude-code-/, "claude-code"],
  [/\/pi-/, "pi"],
  [/\/gemini-cli-/, "gemini-cli"],
  [/\/swe-agent-/, "swe-agent"],
  [/\/tau-bench-/, "tau-bench"],
  [/\/aider-/, "aider"],
  [/\/openai-chat-/, "openai-chat"],
  [/\/openai-responses-|\/vercel-ai-openai-/, "openai-responses"],
  [/\/vercel-ai-anthropic-/, "anthropic"],
];

function kindOf(name: string): string | undefined {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1];
}

interface Figures {
  readonly messages: number;
  readonly calls: number;
}

/** From a remark like `[24 msgs, 10 calls/10 results, ...`. */
function figuresOf(name: string): Figures | undefined {
  const manifest = readFileSync(join(corpus, "MANIFEST.tsv"), "utf8").split("\n");
  const remark = manifest.find((line) => line.startsWith(`${name}\t`)) ?? "";
  const [, messages, calls] = /\[(\d+) msgs, (\d+) calls/.exec(remark) ?? [];
  return messages === undefined ? undefined : { messages: Number(messages), calls: Number(calls) };
}

const nowhere = { write: () => true };
const terminal = {
  argv: [],
  stdin: nothing(),
  stdout: nowhere,
  stderr: nowhere,
  cwd: "/",
  env: {},
};

async function* nothing(): AsyncGenerator<Uint8Array> {}

describe.skipIf(isCorpusAbsent)("real files of every kind (AGENT_CORPUS)", () => {
  it.each(conversations)("%s is read as what it is, with all its calls", async (name) => {
    const source = await readConversationSource(join(corpus, name), "auto", terminal);
    expect(source.readAs).toBe(kindOf(name));
    const views = source.messages.map((message) => source.format.view(message));
    const calls = views.flatMap(({ parts }) => parts).filter(({ kind }) => kind === "call").length;
    const figures = figuresOf(name);
    // A log of requests ends in an answer that no request sends again, and that may make a call.
    const isLog = name.includes("-llm-");
    const isRepeated = source.notes.find(({ code }) => code === "repeated_lines");
    const repeats = Number(/^\d+/.exec(isRepeated?.message ?? "0")?.[0]);
    if (figures !== undefined && isLog) {
      expect(source.messages).toHaveLength(figures.messages + 1);
      expect([0, 1]).toContain(calls - figures.calls);
    } else if (figures !== undefined) expect(calls).toBe(figures.calls);
    if (figures !== undefined && /traj|tau-bench/.test(name)) {
      expect(source.messages.length + repeats).toBe(figures.messages);
    }
    const healed = source.format.heal(source.messages).messages;
    expect(source.format.validate(healed, { allowOpenTail: true })).toEqual([]);
  });

  it.each(conversations.filter((name) => /swe-agent|aider|gemini|vercel/.test(name)))(
    "%s is inspected without being named",
    async (name) => {
      const { code, stdout } = await call(["inspect", join(corpus, name), "--json"], { cwd: newFolder() });
      expect(code).toBe(0);
      const { format, messages } = JSON.parse(stdout) as { format: string; messages: number };
      expect(format).toBe(kindOf(name));
      expect(messages).toBeGreaterThan(0);
    },
    240_000,
  );

  it.each(corpusFiles(IS_NO_CONVERSATION).slice(0, 3))("%s is refused, for it is no conversation", async (name) => {
    const { code, stderr } = await call(["inspect", join(corpus, name)], { cwd: newFolder() });
    expect(code).toBe(2);
    expect(stderr).toMatch(/not a known conversation format/);
  });
});
