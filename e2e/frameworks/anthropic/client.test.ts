// What a wrapped client leaves alone, to the byte; runners that keep their conversation at the provider; failures.
import Anthropic from "@anthropic-ai/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CompactError, CompactManager, createMemoryArchive } from "../../../src/index.ts";
import { compactToolRunner, withCompaction } from "../../../src/integrations/anthropic.ts";
import { judgeRequests } from "../loop/judge-requests.ts";
import { ANSWER, type LongTask, readFile, startLongTask, WINDOW, watchedManager } from "../loop/long-task.ts";

const BODY = { model: "claude-sonnet-5", max_tokens: 1024 };

let task: LongTask;
let original: Anthropic;
beforeEach(async () => {
  task = await startLongTask();
  original = new Anthropic({ baseURL: task.url, apiKey: "none", maxRetries: 0 });
});
afterEach(() => task.close());

/** Steps with signed thinking, marks of the caller in the first message and in the last result. */
function steps(count: number): Anthropic.MessageParam[] {
  const opening: Anthropic.MessageParam = {
    role: "user",
    content: [{ type: "text", text: "Read all modules.", cache_control: { type: "ephemeral" } }],
  };
  const rest = Array.from({ length: count }, (_, at): Anthropic.MessageParam[] => [
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: `Now module ${at}.`, signature: `sig-${at}` },
        { type: "tool_use", id: `toolu_${at}`, name: "read_file", input: { path: `m${at}.ts`, cache_control: "mine" } },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: `toolu_${at}`,
          content: readFile(`m${at}.ts`),
          ...(at === count - 1 ? { cache_control: { type: "ephemeral" as const } } : {}),
        },
      ],
    },
  ]);
  return [opening, ...rest.flat()];
}

const runnable = {
  name: "read_file",
  description: "Reads one file.",
  input_schema: { type: "object" as const, properties: { path: { type: "string" } } },
  parse: (input: unknown) => input as { path: string },
  run: async ({ path }: { path: string }) => readFile(path),
};

describe("what is kept", () => {
  it("goes out as the caller has it: thinking, arguments, marks", async () => {
    const { manager, rounds } = watchedManager({ maxContextTokens: 8_000 });
    const client = withCompaction(original, manager);
    const messages = steps(24);
    const before = JSON.stringify(messages);
    await client.messages.create({ ...BODY, messages });
    expect(rounds()).toBe(1);
    expect(JSON.stringify(messages)).toBe(before);
    const sent: unknown[] = task.requests[0]?.body.messages;
    const texts = new Set(messages.map((message) => JSON.stringify(message)));
    const kept = sent.filter((message) => texts.has(JSON.stringify(message)));
    expect(kept.length).toBeGreaterThan(4);
    expect(sent.length - kept.length).toBeLessThanOrEqual(2);
    expect(sent.at(-1)).toEqual(messages.at(-1));
  });

  it("is all of a count of tokens, of a thread that goes on, and of a request for the provider's own compaction", async () => {
    const { manager, sessions } = watchedManager({ maxContextTokens: 8_000 });
    const client = withCompaction(original, manager);
    const messages = steps(24);
    const thread = { type: "continue" as const, previous_message_id: "msg_1" };
    await client.messages.countTokens({ model: BODY.model, messages }).catch(() => undefined);
    await client.beta.messages.create({ ...BODY, messages, thread } as never).catch(() => undefined);
    await client.beta.messages
      .create({ ...BODY, messages, compaction: { type: "summarize" } } as never)
      .catch(() => undefined);
    expect(task.requests.map(({ body }) => body.messages.length)).toEqual([49, 49, 49]);
    expect(sessions()).toEqual([]);
  });

  it("is the wrapping, through withOptions", async () => {
    const { manager } = watchedManager({ maxContextTokens: 8_000 });
    const client = withCompaction(original, manager).withOptions({ timeout: 60_000 });
    await client.beta.messages.create({ ...BODY, messages: steps(24) as never });
    expect(task.requests[0]?.body.messages.length).toBeLessThan(49);
    expect(client).toBeInstanceOf(Anthropic);
  });
});

describe("a runner that keeps its conversation at the provider", () => {
  it("starts a new one, compacted, whenever it is due", async () => {
    const { manager, rounds, errors } = watchedManager();
    const messages = [{ role: "user" as const, content: "Read all modules." }];
    const runner = compactToolRunner(
      original.beta.messages.toolRunner({ ...BODY, messages, tools: [runnable] }),
      manager,
    );
    const { content } = await runner;
    expect(content).toMatchObject([{ type: "text", text: ANSWER }]);
    // What the provider holds at each turn: what was sent, and its own answers.
    let held: unknown[] = [];
    let created = 0;
    const whole = task.requests.map(({ path, body }, at) => {
      if (body.thread?.type === "create") {
        created += 1;
        held = [];
      }
      held = [...held, ...body.messages];
      const request = { path, body: { ...body, messages: held } };
      const calls = (at + 1) % 3 === 0 ? 3 : 2;
      const answer = Array.from({ length: calls }, (_, call) => ({
        type: "tool_use",
        id: `call_${at + 1}_${call}`,
        name: "read_file",
        input: { path: `src/module-${at + 1}/part-${call}.ts` },
      }));
      held = [...held, { role: "assistant", content: answer }];
      return request;
    });
    const { violations, largest, breaks } = judgeRequests(whole);
    expect([violations, errors()]).toEqual([[], []]);
    expect(largest).toBeLessThanOrEqual(WINDOW);
    expect(rounds()).toBeGreaterThan(1);
    expect([created, breaks]).toEqual([rounds() + 1, rounds()]);
  });

  it("is used by the runner of a wrapped client no more", async () => {
    const { manager } = watchedManager();
    const messages = [{ role: "user" as const, content: "Read all modules." }];
    const runner = withCompaction(original, manager).beta.messages.toolRunner({
      ...BODY,
      messages,
      max_iterations: 2,
      tools: [runnable],
    });
    await runner;
    expect(task.requests.map(({ body }) => [body.thread, body.messages.length])).toEqual([
      [undefined, 1],
      [undefined, 3],
    ]);
  });
});

describe("a runner's loop", () => {
  const begin = (manager: CompactManager, size: number) =>
    compactToolRunner(
      original.beta.messages.toolRunner({
        ...BODY,
        thread: false,
        messages: [{ role: "user", content: "Read all modules." }],
        tools: [{ ...runnable, run: async () => readFile("a.ts").repeat(size) }],
      }),
      manager,
    );

  it("ends with the error before the provider is asked, for those who wait as well", async () => {
    const archive = Object.assign(createMemoryArchive(), {
      saveTranscript: () => Promise.reject(new CompactError("ArchiveFailed", "it is full")),
    });
    const runner = begin(new CompactManager({ maxContextTokens: 4_000, archive }), 20);
    const waiting = runner.done().catch((error) => error.kind);
    await expect(runner.runUntilDone()).rejects.toMatchObject({ kind: "ArchiveFailed" });
    expect([await waiting, task.requests.length]).toEqual(["ArchiveFailed", 1]);
  });

  it("may be left, and a history that the caller takes over is the caller's", async () => {
    const runner = begin(watchedManager().manager, 1);
    for await (const { content } of runner) {
      const answer = { role: "assistant" as const, content };
      runner.setMessagesParams((params) => ({ ...params, messages: [...params.messages, answer] }));
      if (task.requests.length === 2) break;
    }
    expect(task.requests.map(({ body }) => body.messages.length)).toEqual([1, 3]);
    expect(judgeRequests(task.requests).violations).toEqual([]);
  });
});
