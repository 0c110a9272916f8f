// What a wrapped client leaves alone, whose conversation is whose, and what happens when compaction cannot be done.
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CompactError, CompactManager, createMemoryArchive } from "../../../src/index.ts";
import { withCompaction } from "../../../src/integrations/openai.ts";
import { verifies } from "../../../test/requirements/verifies.ts";
import { judgeRequests } from "../loop/judge-requests.ts";
import { type LongTask, readFile, startLongTask, watchedManager } from "../loop/long-task.ts";

type Messages = OpenAI.ChatCompletionMessageParam[];

let task: LongTask;
let original: OpenAI;
beforeEach(async () => {
  task = await startLongTask();
  original = new OpenAI({ baseURL: `${task.url}/v1`, apiKey: "none", maxRetries: 0 });
});
afterEach(() => task.close());

/** Some 350 tokens a turn. */
function conversation(name: string, turns: number): Messages {
  return Array.from(
    { length: turns },
    (_, turn): Messages => [
      { role: "user", content: `Summarize ${name}, part ${turn}.` },
      { role: "assistant", content: readFile(`${name}/${turn}.ts`) },
    ],
  ).flat();
}

const asked = (name: string): Messages => [...conversation(name, 24), { role: "user", content: "Go on." }];
const sizes = () => task.requests.map(({ body }) => (body.messages ?? body.input).length);

describe("what passes untouched", () => {
  const input = asked("held") as OpenAI.Responses.ResponseInput;

  it("is a request that goes on from what the provider holds, and a prompt in one string", async () => {
    const { manager, sessions } = watchedManager({ maxContextTokens: 6_000 });
    const { responses } = withCompaction(original, manager);
    await responses.create({ model: "gpt-4o", input, previous_response_id: "resp_1" });
    await responses.create({ model: "gpt-4o", input, conversation: "conv_1" });
    await responses.create({ model: "gpt-4o", input, conversation: { id: "conv_1" } });
    await responses.create({ model: "gpt-4o", input: "Hello." });
    expect(task.requests.map(({ body }) => body.input)).toEqual([input, input, input, "Hello."]);
    expect(sessions()).toEqual([]);
    await responses.create({ model: "gpt-4o", input, previous_response_id: null });
    expect(task.requests.at(-1)?.body.input.length).toBeLessThan(input.length);
  });

  it("is the client that was given, and the list", async () => {
    const { manager } = watchedManager({ maxContextTokens: 6_000 });
    const messages = asked("plain");
    const before = JSON.stringify(messages);
    const client = withCompaction(original, manager);
    await client.chat.completions.create({ model: "gpt-4o", messages });
    await original.chat.completions.create({ model: "gpt-4o", messages });
    const [compacted = 0, whole] = sizes();
    expect(compacted).toBeLessThan(messages.length);
    expect([whole, JSON.stringify(messages)]).toEqual([messages.length, before]);
    expect(client).toBeInstanceOf(OpenAI);
    expect(client.baseURL).toBe(original.baseURL);
    expect(client.constructor).toBe(OpenAI);
    expect(client.chat.completions).toBeInstanceOf(OpenAI.Chat.Completions);
    expect(client.models).toBe(original.models);
  });

  it("is a list that fits, byte for byte, but for `meta`", async () => {
    const { manager } = watchedManager({ maxContextTokens: 6_000 });
    const messages: Messages = [{ role: "user", content: "Hi.", name: "ann" }];
    const client = withCompaction(original, manager);
    await client.chat.completions.create({ model: "gpt-4o", messages, seed: 7 });
    await client.chat.completions.create({
      model: "gpt-4o",
      messages: [{ ...messages[0], meta: { protected: true } }] as never,
    });
    expect(task.requests[0]?.body).toEqual({ model: "gpt-4o", messages, seed: 7 });
    expect(task.requests[1]?.body.messages).toEqual(messages);
  });
});

describe("a wrapped client", () => {
  it("stays wrapped through withOptions, and gives the client's own kind of promise", async () => {
    const { manager } = watchedManager({ maxContextTokens: 6_000 });
    const client = withCompaction(original, manager).withOptions({ timeout: 60_000 });
    expect(client.timeout).toBe(60_000);
    const request = client.chat.completions.create({ model: "gpt-4o", messages: asked("options") });
    const { data, response } = await request.withResponse();
    expect([data.object, response.status]).toEqual(["chat.completion", 200]);
    expect(sizes()[0]).toBeLessThan(49);
  });

  it("keeps ten interleaved conversations apart", async () => {
    verifies("field/sessions-share-state");
    const { manager, sessions, errors } = watchedManager({ maxContextTokens: 6_000 });
    const client = withCompaction(original, manager);
    const names = Array.from({ length: 10 }, (_, at) => `agent-${at}`);
    const lists = new Map(names.map((name) => [name, conversation(name, 8)]));
    for (const round of [1, 2]) {
      await Promise.all(
        names.map(async (name) => {
          const list = [...(lists.get(name) ?? []), ...conversation(`${name}/${round}`, 5)];
          lists.set(name, [...list, { role: "user", content: `On, ${name}.` }, { role: "assistant", content: "Yes." }]);
          const messages: Messages = [...list, { role: "user", content: `On, ${name}.` }];
          await client.chat.completions.create({ model: "gpt-4o", messages, user: name });
        }),
      );
    }
    expect(errors()).toEqual([]);
    expect(sessions()).toHaveLength(10);
    for (const name of names) {
      const requests = task.requests.filter(({ body }) => body.user === name);
      expect(judgeRequests(requests).violations).toEqual([]);
      const text = JSON.stringify(requests.map(({ body }) => body.messages));
      expect(text).toContain("<COMPACT-SUMMARY");
      for (const other of names) if (other !== name) expect(text).not.toContain(`${other}/`);
    }
  });
});

describe("what cannot be compacted", () => {
  const kinds = async (call: Promise<unknown>) => call.then(String, (error) => [error.kind, error.code, error.hint]);

  it("is told before the provider is asked: no room", async () => {
    const manager = new CompactManager({ maxContextTokens: 4_000, archive: createMemoryArchive() });
    const client = withCompaction(original, manager);
    const messages: Messages = [
      { role: "system", content: Array.from({ length: 16 }, (_, at) => readFile(`rule-${at}`)).join("\n") },
      ...asked("tight"),
    ];
    expect((await kinds(client.chat.completions.create({ model: "gpt-4o", messages })))[0]).toBe("InsufficientBudget");
    const stream = client.chat.completions.stream({ model: "gpt-4o", messages });
    const failure = await stream.finalContent().catch((error) => error);
    expect([failure, failure.cause].map((error) => error?.kind)).toContain("InsufficientBudget");
    expect(task.requests).toEqual([]);
  });

  it("is told before the provider is asked: an archive that fails", async () => {
    const archive = createMemoryArchive();
    const failing = Object.assign(archive, {
      saveTranscript: () => Promise.reject(new CompactError("ArchiveFailed", "it is full")),
    });
    const client = withCompaction(original, new CompactManager({ maxContextTokens: 6_000, archive: failing }));
    const call = client.chat.completions.create({ model: "gpt-4o", messages: asked("full") });
    expect((await kinds(call))[0]).toBe("ArchiveFailed");
    expect(task.requests).toEqual([]);
  });

  it("tells how to name the window of a model that nobody knows", async () => {
    const messages: Messages = [{ role: "user", content: "Hi." }];
    const call = (config: ConstructorParameters<typeof CompactManager>[0]) =>
      kinds(
        withCompaction(original, new CompactManager({ archive: false, ...config })).chat.completions.create({
          model: "acme-1",
          messages,
        }),
      );
    expect(await call({})).toEqual(["InvalidConfig", "UNKNOWN_MODEL", expect.stringContaining("maxContextTokens")]);
    expect(await call({ maxContextTokens: 32_000 })).toBe("[object Object]");
    expect(await call({ models: { "acme-1": { maxContextTokens: 32_000 } } })).toBe("[object Object]");
    expect(task.requests).toHaveLength(2);
  });

  it("is the client's own error when the caller calls off", async () => {
    const { manager } = watchedManager({ maxContextTokens: 6_000 });
    const client = withCompaction(original, manager);
    const signal = AbortSignal.abort();
    const call = client.chat.completions.create({ model: "gpt-4o", messages: asked("off") }, { signal });
    await expect(call).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    expect(task.requests).toEqual([]);
  });

  it("is what is no client", () => {
    expect(() => withCompaction({}, watchedManager({ maxContextTokens: 6_000 }).manager)).toThrow("no client");
  });
});
