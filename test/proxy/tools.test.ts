// The archive's tools in an agent that has none: offered, answered by the proxy, and gone from what the client sees.
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import zlib from "node:zlib";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFsArchive } from "../../src/archive/archives.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import type { Step } from "./provider.ts";
import { ask, conversation, newFolder, openTestProxy, type Setting } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies and messages of three APIs, read where they hold what is looked for.
type Any = any;

const SEARCH = { name: "archive_search", input: { query: "8001" } };
const READ = { name: "read_file", input: { path: "a.ts" } };
const NEXT = { role: "user", content: "And now?" };

/** What an agent of one API does: asks through the real client, streaming or not, and goes on with what it was told. */
interface Agent {
  readonly path: string;
  readonly model: string;
  readonly list: "messages" | "input";
  readonly tools: readonly Any[];
  ask(address: string, messages: readonly Any[], isStream?: boolean): Promise<Told>;
  result(id: string): Any;
}

interface Told {
  /** The messages of the answer, as the client gives them back. */
  readonly said: readonly Any[];
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: Any }[];
  readonly end: string;
  readonly usage: Any;
}

const parameters = { type: "object" as const, properties: { path: { type: "string" } } };

const anthropic: Agent = {
  ...{ path: "/v1/messages", model: "claude-sonnet-5-5", list: "messages" },
  tools: [{ name: "read_file", description: "Reads", input_schema: parameters }],
  async ask(baseURL, messages, isStream = false) {
    const client = new Anthropic({ baseURL, apiKey: "k", maxRetries: 0 });
    const body: Any = { model: this.model, max_tokens: 500, messages, tools: this.tools };
    const told: Any = await (isStream ? client.messages.stream(body).finalMessage() : client.messages.create(body));
    const blocks: readonly Any[] = told.content;
    return {
      said: [{ role: "assistant", content: blocks }],
      text: blocks.map(({ text = "" }) => text).join(""),
      calls: blocks.filter(({ type }) => type === "tool_use"),
      ...{ end: told.stop_reason, usage: told.usage },
    };
  },
  result: (id) => ({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "let a = 1;" }] }),
};

const chat: Agent = {
  ...{ path: "/v1/chat/completions", model: "gpt-4o", list: "messages" },
  tools: [{ type: "function", function: { name: "read_file", parameters } }],
  async ask(address, messages, isStream = false) {
    const client = new OpenAI({ baseURL: `${address}/v1`, apiKey: "k", maxRetries: 0 });
    const body: Any = { model: this.model, messages, tools: this.tools };
    const streamed = () =>
      client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion();
    const told: Any = await (isStream ? streamed() : client.chat.completions.create(body));
    const [{ message, finish_reason }] = told.choices;
    const { parsed: _, ...said } = message;
    const calls = (message.tool_calls ?? []).map(({ id, function: target }: Any) => ({
      ...{ id, name: target.name, input: JSON.parse(target.arguments) },
    }));
    return { said: [said], text: message.content ?? "", calls, end: finish_reason, usage: told.usage };
  },
  result: (id) => ({ role: "tool", tool_call_id: id, content: "let a = 1;" }),
};

const responses: Agent = {
  ...{ path: "/v1/responses", model: "gpt-4o", list: "input" },
  tools: [{ type: "function", name: "read_file", parameters, strict: false }],
  async ask(address, input, isStream = false) {
    const client = new OpenAI({ baseURL: `${address}/v1`, apiKey: "k", maxRetries: 0 });
    const include = ["reasoning.encrypted_content"];
    const body: Any = { model: this.model, input, tools: this.tools, store: false, include };
    const told: Any = await (isStream ? client.responses.stream(body).finalResponse() : client.responses.create(body));
    const items: readonly Any[] = told.output.map(({ parsed_arguments: _, ...item }: Any) => item);
    const calls = items
      .filter(({ type }) => type === "function_call")
      .map(({ call_id, name, arguments: given }) => ({ id: call_id, name, input: JSON.parse(given) }));
    return { said: items, text: told.output_text, calls, end: told.status, usage: told.usage };
  },
  result: (id) => ({ type: "function_call_output", call_id: id, output: "let a = 1;" }),
};

const AGENTS = [anthropic, chat, responses];
const EACH = AGENTS.flatMap((agent) => [true, false].map((isStream) => ({ path: agent.path, agent, isStream })));

/** At this length a part has been archived, and no more is due soon. */
const TURNS = 20;
const LAST = conversation(TURNS).at(-1)?.content;

/** The provider says these steps from the first request on that ends as `conversation(TURNS)` does. */
async function openWith(agent: Agent, steps: readonly Step[], setting: Setting = {}) {
  let first: number | undefined;
  const script = (body: Any, nth: number) => {
    if (body[agent.list].at(-1)?.content === LAST) first ??= nth;
    return first === undefined ? undefined : steps[nth - first];
  };
  const opened = await openTestProxy({
    ...{ config: { maxContextTokens: 8_000 }, hasTools: true, ...setting },
    provider: { script, ...setting.provider },
  });
  const bodies = () => opened.provider.heard.map(({ bytes }) => JSON.parse(bytes.toString()));
  return { ...opened, bodies, lists: () => bodies().map((body): readonly Any[] => body[agent.list]) };
}

async function grow(agent: Agent, address: string) {
  for (let length = 17; length < TURNS; length++) await agent.ask(address, conversation(length));
}

/** The stream helper of `openai` loses what a chat thinks. */
const mayThink = (agent: Agent, isStream: boolean, steps: readonly Step[]): readonly Step[] =>
  agent === chat && isStream ? steps.map(({ thinking: _, ...step }) => step) : steps;

function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

const json = (value: unknown) => JSON.stringify(value);
const faultsIn = ({ heard }: { readonly heard: readonly { readonly violations: readonly string[] }[] }) =>
  heard.flatMap(({ violations }) => violations);

describe.each(EACH)("a call of the archive's tools at $path (stream: $isStream)", ({ agent, isStream }) => {
  it("is answered within the one answer that the client gets, and stands in its place in every later request", async () => {
    const { address, provider, bodies, lists } = await openWith(
      agent,
      mayThink(agent, isStream, [
        { thinking: "What was it? ", text: "I look it up. ", calls: [SEARCH] },
        { thinking: "That one. ", text: "It was 8001.", calls: [READ] },
        { text: "Done." },
      ]),
    );
    await grow(agent, address);
    provider.clear();
    const told = await agent.ask(address, conversation(TURNS), isStream);
    expect(told.text).toBe("I look it up. It was 8001.");
    expect(told.calls.map(({ name, input }) => ({ name, input }))).toEqual([READ]);
    expect(["tool_use", "tool_calls", "completed"]).toContain(told.end);
    expect(json(told.said)).not.toContain("archive_search");
    const [asked = [], hidden = []] = lists();
    expect(hidden.slice(0, asked.length)).toEqual(asked);
    expect(json(hidden.at(-1))).toContain("never use port 8001");
    expect(provider.heard[1]?.cached).toBe(provider.heard[0]?.tokens);
    const list = [...conversation(TURNS), ...told.said, agent.result(told.calls[0]?.id ?? "")];
    const last = await agent.ask(address, list, isStream);
    expect(last.text).toBe("Done.");
    await agent.ask(address, [...list, ...last.said, NEXT], isStream);
    for (const later of lists().slice(2)) {
      expect(json(later.slice(0, asked.length))).toBe(json(asked));
      expect(json(later)).toContain("never use port 8001");
    }
    expect(provider.heard.at(-1)?.cached).toBe(provider.heard.at(-2)?.tokens);
    expect(new Set(bodies().map(({ tools }) => json(tools))).size).toBe(1);
    expect(faultsIn(provider)).toEqual([]);
  });

  it("beside one of the client's is looked up at once, and its result stands before that of the client's", async () => {
    for (const calls of [
      [SEARCH, READ],
      [READ, SEARCH],
    ]) {
      const { address, provider, lists } = await openWith(
        agent,
        mayThink(agent, isStream, [{ thinking: "Both. ", text: "Both.", calls }, { text: "Done." }]),
      );
      await grow(agent, address);
      provider.clear();
      const told = await agent.ask(address, conversation(TURNS), isStream);
      expect(told.calls.map(({ name }) => name)).toEqual(["read_file"]);
      expect(provider.heard).toHaveLength(1);
      await agent.ask(address, [...conversation(TURNS), ...told.said, agent.result(told.calls[0]?.id ?? "")], isStream);
      expect(json(lists().at(-1))).toContain("never use port 8001");
      expect(faultsIn(provider)).toEqual([]);
    }
  });

  it("is not looked up more than four times for one answer, and an answer with no end in sight is ended", async () => {
    const step = { thinking: "Again? ", text: "Again. ", calls: [SEARCH] };
    const { address, provider, lists } = await openWith(agent, mayThink(agent, isStream, Array(20).fill(step)));
    await grow(agent, address);
    provider.clear();
    const told = await agent.ask(address, conversation(TURNS), isStream);
    expect(provider.heard).toHaveLength(6);
    expect([told.text, told.calls]).toEqual(["Again. ".repeat(6), []]);
    expect(["end_turn", "stop", "completed"]).toContain(told.end);
    const results = lists().map((list) => json(list.at(-1)));
    expect(results.map((each) => each.includes("often enough"))).toEqual([false, false, false, false, false, true]);
    const written = provider.heard.reduce((sum, { output }) => sum + output, 0);
    const { usage } = told;
    const prompt = usage.prompt_tokens ?? usage.input_tokens + (usage.cache_read_input_tokens ?? 0);
    expect(prompt + (usage.cache_creation_input_tokens ?? 0)).toBe(provider.heard.at(-1)?.tokens);
    expect(usage.completion_tokens ?? usage.output_tokens).toBe(written);
    provider.clear();
    await agent.ask(address, [...conversation(TURNS), ...told.said, NEXT], isStream);
    expect(faultsIn(provider)).toEqual([]);
  });

  it("is part of what the agent is told of the size that it sent, where it asks for that", async () => {
    const { address, provider } = await openWith(agent, [{ calls: [SEARCH] }, { text: "Well." }], {
      parts: { report: "original" },
    });
    await grow(agent, address);
    provider.clear();
    const { usage } = await agent.ask(address, conversation(TURNS), isStream);
    const prompt = usage.prompt_tokens ?? usage.input_tokens + (usage.cache_read_input_tokens ?? 0);
    const sent = provider.heard.at(-1)?.tokens ?? 0;
    expect(prompt + (usage.cache_creation_input_tokens ?? 0)).toBeGreaterThan(sent + 1_000);
  });

  it("gets nothing in a conversation of which nothing has left", async () => {
    const { address, lists } = await openWith(agent, [{ calls: [SEARCH] }, { text: "Well." }]);
    const told = await agent.ask(address, conversation(1).concat(conversation(TURNS).slice(-1)), isStream);
    expect([told.text, json(lists()[1]?.at(-1)).includes("Nothing has left this conversation yet")]).toEqual([
      "Well.",
      true,
    ]);
  });

  it("that was cut off is not answered", async () => {
    const { address, provider } = await openWith(agent, [{ text: "I look.", calls: [SEARCH], isCut: true }]);
    // The clients' helpers refuse or pass on what is cut off, each in its own way.
    const body = { model: agent.model, tools: agent.tools, stream: isStream, store: false };
    const { text } = await ask(
      address,
      [],
      { ...body, messages: undefined, [agent.list]: [{ role: "user", content: LAST }] },
      {},
      agent.path,
    );
    expect(provider.heard).toHaveLength(1);
    expect(text).toContain("look.");
    expect(text).toMatch(/"max_tokens"|"length"|"incomplete"/);
    expect(text).not.toContain("archive_search");
  });

  it("may need room: what it gave is compacted with the rest", async () => {
    const turns = 27;
    const script = (body: Any) => {
      const last = body[agent.list].at(-1);
      if (last?.content === conversation(turns).at(-1)?.content)
        return { text: "I look.", calls: [{ ...SEARCH, input: { query: "port" } }] };
      return undefined;
    };
    const { address, provider } = await openWith(agent, [], { provider: { script, window: 8_000 } });
    for (let length = 17; length < turns; length++) await agent.ask(address, conversation(length));
    const told = await agent.ask(address, conversation(turns), isStream);
    expect(told.text).toMatch(/^I look\.Looked at it/);
    expect(provider.heard.filter(({ status }) => status !== 200)).toEqual([]);
    const list = [...conversation(turns), ...told.said, NEXT];
    expect((await agent.ask(address, list, isStream)).text).toMatch(/^Looked/);
    expect(faultsIn(provider)).toEqual([]);
  });

  it("is asked on about by a provider that may fail, which the client is told", async () => {
    const { address, provider } = await openWith(agent, [{ text: "I look.", calls: [SEARCH] }, { status: 529 }]);
    await grow(agent, address);
    await expect(agent.ask(address, conversation(TURNS), isStream)).rejects.toThrow(/[Oo]verloaded/);
    expect(faultsIn(provider)).toEqual([]);
  });

  it("is put back by another proxy with the same state", async () => {
    const steps = [
      { thinking: "So. ", text: "I look.", calls: [SEARCH] },
      { thinking: "Yes. ", text: "It was 8001." },
    ];
    const first = await openWith(agent, mayThink(agent, isStream, steps));
    await grow(agent, first.address);
    const told = await agent.ask(first.address, conversation(TURNS), isStream);
    const { state, provider } = first;
    const second = await openTestProxy({
      ...{ config: { maxContextTokens: 8_000 }, hasTools: true, state, upstream: provider.address },
    });
    provider.clear();
    await agent.ask(second.address, [...conversation(TURNS), ...told.said, NEXT], isStream);
    expect(json(first.lists()[0])).toContain("never use port 8001");
    expect(faultsIn(provider)).toEqual([]);
  });
});

describe.each(AGENTS.map((agent) => ({ path: agent.path, agent })))("a request at $path", ({ agent }) => {
  const fieldsOf = (fields: object = {}) => ({
    ...{ model: agent.model, messages: undefined, max_tokens: undefined, store: false },
    ...{ [agent.list]: conversation(1), tools: agent.tools, ...fields },
  });

  it("is sent as it came but for two tools at the end of its own", async () => {
    const { address, provider } = await openWith(agent, []);
    await ask(address, [], fieldsOf(), { "accept-encoding": "gzip" }, agent.path);
    const [sent] = provider.heard;
    const text = sent?.bytes.toString() ?? "";
    expect([...text.matchAll(/"name":"(archive_\w+)"/g)].map(([, name]) => name)).toEqual([
      "archive_search",
      "archive_expand",
    ]);
    const added = JSON.parse(text)
      .tools.slice(agent.tools.length)
      .map((tool: Any) => `,${json(tool)}`);
    expect(text.replace(added.join(""), "")).toBe(json(fieldsOf()));
    expect(sent?.headers.join()).toContain("Accept-Encoding,identity");
  });

  const others: readonly (readonly [string, object])[] = [
    ["without tools", { tools: undefined }],
    ["with none", { tools: [] }],
    ["of a client with such a tool", { tools: JSON.parse(json(agent.tools).replace("read_file", "archive_expand")) }],
    ...(agent === chat ? [["for several answers", { n: 2 }] as const] : []),
    ...(agent === responses
      ? [
          ["whose answer the provider keeps", { store: undefined }] as const,
          ["that goes on from an answer at the provider", { previous_response_id: "resp_0" }] as const,
          ["that is answered later", { background: true }] as const,
          ["that says one text", { input: "Hello" }] as const,
        ]
      : []),
  ];

  it.each(others)("%s is sent as it came, and so is its answer", async (_, fields) => {
    const { address, provider } = await openWith(agent, [{ text: "Hm.", calls: [SEARCH] }]);
    const { text } = await ask(
      address,
      [],
      fieldsOf({ ...fields, stream: true }),
      { "accept-encoding": "gzip" },
      agent.path,
    );
    expect(provider.heard[0]?.bytes.toString()).toBe(JSON.stringify(fieldsOf({ ...fields, stream: true })));
    expect(provider.heard[0]?.headers.join()).toContain("gzip");
    expect([provider.heard.length, text.includes("Looked")]).toEqual([1, true]);
  });

  it("whose answer calls none of them gets the very bytes", async () => {
    const script = () => ({ thinking: "Hm. ", text: "I read.", calls: [READ] });
    for (const stream of [true, false]) {
      const texts = await Promise.all(
        [true, false].map(async (hasTools) => {
          const { address } = await openTestProxy({ hasTools, provider: { script } });
          return (await ask(address, [], fieldsOf({ stream, tools: agent.tools }), {}, agent.path)).text;
        }),
      );
      const bare = texts.map((text) =>
        text.replaceAll(/("(?:prompt|input|total|cache_creation_input)_tokens"):\d+/g, "$1"),
      );
      expect(bare[0]).toBe(bare[1]);
    }
  });

  it("streams what is said before a call of theirs without delay, and ends with its client", async () => {
    const pauses = [gate(), gate()] as const;
    const { address, provider } = await openWith(agent, [
      { text: "I look.", pause: pauses[0].passed, calls: [SEARCH] },
      { text: "It was.", pause: pauses[1].passed, calls: [READ] },
    ]);
    const stop = new AbortController();
    const body = JSON.stringify(fieldsOf({ stream: true, [agent.list]: [{ role: "user", content: LAST }] }));
    const headers = { "content-type": "application/json" };
    const { body: stream } = await fetch(`${address}${agent.path}`, {
      method: "POST",
      headers,
      body,
      signal: stop.signal,
    });
    let text = "";
    const until = async (words: string) => {
      for await (const chunk of stream?.values({ preventCancel: true }) ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.includes(words)) return;
      }
    };
    await until("look.");
    expect(provider.heard).toHaveLength(1);
    pauses[0].open();
    await until("was.");
    expect(provider.heard).toHaveLength(2);
    stop.abort();
    await expect.poll(() => provider.left()).toBe(1);
  });

  it("gets one stream: one beginning, one end, one name, and counts without a gap", async () => {
    const { address } = await openWith(agent, [
      { thinking: "So. ", text: "I look.", calls: [SEARCH] },
      { text: "It was.", calls: [SEARCH, READ] },
    ]);
    const fields = fieldsOf({ stream: true, [agent.list]: [{ role: "user", content: LAST }] });
    const { text } = await ask(address, [], fields, {}, agent.path);
    const events: readonly Any[] = text
      .split("\n")
      .filter((line) => line.startsWith("data: {"))
      .map((line) => JSON.parse(line.slice("data: ".length)));
    const of = (name: string) => events.filter(({ type }) => type === name);
    const counted = (numbers: readonly number[]) => expect(numbers).toEqual(numbers.map((_, at) => at));
    if (agent === anthropic) {
      for (const name of ["message_start", "message_delta", "message_stop"]) expect(of(name)).toHaveLength(1);
      counted(of("content_block_start").map(({ index }) => index));
      expect(of("content_block_start")).toHaveLength(4);
      expect(of("content_block_stop")).toHaveLength(4);
    } else if (agent === chat) {
      expect(new Set(events.map(({ id, created }) => json([id, created]))).size).toBe(1);
      const choices = events.flatMap((event) => event.choices);
      expect(choices.filter(({ finish_reason }) => finish_reason !== null)).toHaveLength(1);
      expect(choices.filter(({ delta }) => delta.role !== undefined)).toHaveLength(1);
      expect(new Set(choices.flatMap(({ delta }) => delta.tool_calls ?? []).map(({ index }) => index))).toEqual(
        new Set([0]),
      );
      expect(text.split("[DONE]")).toHaveLength(2);
    } else {
      counted(events.map(({ sequence_number }) => sequence_number));
      counted(of("response.output_item.done").map(({ output_index }) => output_index));
      for (const name of ["response.created", "response.completed"]) expect(of(name)).toHaveLength(1);
      expect(new Set(events.flatMap(({ response }) => response?.id ?? [])).size).toBe(1);
      expect(of("response.completed")[0].response.output).toEqual(
        of("response.output_item.done").map(({ item }) => item),
      );
    }
  });

  it("may come back with its text trimmed, its thinking gone and its items without ids", async () => {
    const steps = [
      { thinking: "So. ", text: " I look.\n\n", calls: [SEARCH] },
      { text: " It was\n8001. ", calls: [READ] },
    ];
    const { address, provider, lists } = await openWith(agent, mayThink(agent, true, steps));
    await grow(agent, address);
    const told = await agent.ask(address, conversation(TURNS));
    const said = told.said.flatMap((each) => {
      if (each.type === "reasoning") return [];
      const trim = (value: Any): Any =>
        typeof value === "string"
          ? value.trim()
          : value
              ?.filter(({ type }: Any) => type !== "thinking")
              .map((part: Any) => (part.text === undefined ? part : { ...part, text: part.text.trim() }));
      const { id: _, ...bare } = each;
      return [{ ...bare, ...(each.content === undefined ? {} : { content: trim(each.content) }) }];
    });
    provider.clear();
    await agent.ask(address, [...conversation(TURNS), ...said, agent.result(told.calls[0]?.id ?? "")]);
    expect(json(lists()[0])).toContain("never use port 8001");
    expect(lists()[0]?.filter(({ type, id }) => type === "function_call" && id !== undefined)).toEqual([]);
    expect(faultsIn(provider)).toEqual([]);
  });
});

describe("what the archive's tools see", () => {
  const searching = (query: string) => ({ calls: [{ name: "archive_search", input: { query } }] });
  const resultsFor = async (list: readonly Any[], address: string, lists: () => readonly (readonly Any[])[]) => {
    await anthropic.ask(address, list);
    return json(lists().at(-1)?.at(-1));
  };

  it("is this conversation alone, not one that begins alike", async () => {
    const script = (body: Any) => {
      const said = json(body.messages.at(-1));
      if (said.includes("Who knows silver?")) return searching("silver3");
      return said.includes("Who knows copper?") ? searching("copper3") : undefined;
    };
    const { address, lists } = await openWith(anthropic, [], { provider: { script } });
    const start = [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hello. What is it?" },
    ];
    const list = (name: string, length: number) => [...start, ...conversation(length, name)];
    for (let length = 2; length <= TURNS; length++)
      for (const name of ["copper", "silver"]) await anthropic.ask(address, list(name, length));
    const say = (name: string) => [
      { role: "assistant", content: "Yes." },
      { role: "user", content: `Who knows ${name}?` },
    ];
    const copper = list("copper", TURNS);
    expect(await resultsFor([...copper, ...say("copper")], address, lists)).toContain("src/copper3.ts");
    expect(await resultsFor([...copper, ...say("silver")], address, lists)).toContain("Nothing found");
    const silver = list("silver", TURNS);
    expect(await resultsFor([...silver, ...say("silver")], address, lists)).toContain("src/silver3.ts");
    const other = await resultsFor(
      [...start, ...say("copper")].slice(0, 2).concat(say("copper").slice(1)),
      address,
      lists,
    );
    expect(other).toContain("Nothing has left");
  });

  it("ends where a conversation was forked: no word of the way that was left, every word from before", async () => {
    const script = (body: Any) => {
      const asked = /^Who knows (\w+) (\d+)\?$/.exec(body.messages.at(-1)?.content);
      return asked === null ? undefined : searching(`src/${asked[1]}${asked[2]}.ts`);
    };
    const { address, lists } = await openWith(anthropic, [], { provider: { script } });
    for (let length = 10; length <= 40; length++) await anthropic.ask(address, conversation(length));
    const fork = (length: number) => [...conversation(22), ...conversation(length, "forked").slice(1)];
    const who = (name: string) => [
      { role: "assistant", content: "Yes." },
      { role: "user", content: `Who knows ${name}?` },
    ];
    for (const length of [2, 24]) {
      if (length > 2) for (let at = 3; at <= length; at++) await anthropic.ask(address, fork(at));
      expect(await resultsFor([...fork(length), ...who("gateway 3")], address, lists)).toContain("src/gateway3.ts");
      expect(await resultsFor([...fork(length), ...who("gateway 25")], address, lists)).toContain("Nothing found");
    }
    expect(await resultsFor([...fork(24), ...who("forked 3")], address, lists)).toContain("src/forked3.ts");
  });
});

it("what slimming shortened is had back, too", async () => {
  const state = newFolder();
  const clock = { now: 1_700_000_000_000 };
  const archive = createFsArchive({ path: join(state, "archive") });
  const output = `Begin.\n${"A line of the build's output. ".repeat(300)}The needle is here. ${"More of it. ".repeat(300)}`;
  const list = Array.from({ length: 4 }, (_, run) => [
    {
      role: "assistant",
      content: [{ type: "tool_use", id: `toolu_${run}`, name: "bash", input: { command: "make" } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${run}`, content: `${run}: ${output}` }] },
  ]).flat();
  const start = { role: "user", content: "Make it green." };
  const search = { name: "archive_search", input: { query: "needle" } };
  const script = (body: Any) => (json(body.messages.at(-1)).includes("Look it up") ? { calls: [search] } : undefined);
  const { address, provider } = await openTestProxy({
    ...{ state, hasTools: true, config: { maxContextTokens: 200_000 }, provider: { script } },
    compaction: { slimming: { archive, redactor: createRedactor() }, now: () => clock.now },
  });
  await anthropic.ask(address, [start, ...list]);
  clock.now += 10 * 60_000;
  const look = [
    { role: "assistant", content: "Green." },
    { role: "user", content: "Look it up." },
  ];
  await anthropic.ask(address, [start, ...list, ...look]);
  expect(provider.heard.at(-2)?.bytes.toString()).toContain("The same call was made again");
  expect(json(JSON.parse(provider.heard.at(-1)?.bytes.toString() ?? "").messages.at(-1))).toContain("needle is here");
  expect(faultsIn(provider)).toEqual([]);
});

it("a provider that compresses although it was asked not to is read all the same", async () => {
  const call = { type: "tool_use", id: "call_1", name: "archive_search", input: { query: "x" } };
  const answers = [
    { id: "m1", role: "assistant", content: [call], stop_reason: "tool_use" },
    { id: "m2", role: "assistant", content: [{ type: "text", text: "Well." }], stop_reason: "end_turn" },
  ];
  const server = http.createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(zlib.gzipSync(json(answers.shift())));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { address } = await openTestProxy({ hasTools: true, upstream });
  const { text } = await ask(address, conversation(1), { tools: anthropic.tools });
  expect(JSON.parse(text)).toEqual({
    ...{ id: "m1", role: "assistant" },
    content: [{ type: "text", text: "Well." }],
    stop_reason: "end_turn",
  });
});
