import { describe, expect, it } from "vitest";
import { isHostWritten } from "../../../src/providers/message-marks.ts";
import { openaiChatFormat } from "../../../src/providers/openai-chat/openai-chat-format.ts";
import { readSweAgentRun, sweAgentReader } from "../../../src/session-files/swe-agent.ts";
import { corpusFiles, isCorpusAbsent, readCorpusText } from "../corpus-files.ts";
import { CHAT_MESSAGES, REQUEST_LOG, TRAJECTORY } from "./sample-sessions.ts";

const read = (value: unknown) => readSweAgentRun(JSON.stringify(value));
const readLines = (values: readonly unknown[]) =>
  readSweAgentRun(values.map((value) => JSON.stringify(value)).join("\n"));
const call = (id: string) => ({ id, type: "function", function: { name: "bash", arguments: "{}" } });

describe("reading a SWE-agent trajectory", () => {
  it("gives the history as it was sent, without the bookkeeping", () => {
    const run = read(TRAJECTORY);
    expect(run.messages).toEqual([
      { role: "system", content: "You are an engineer." },
      { role: "user", content: "Fix issue 7." },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [{ ...call("call_1"), function: { name: "bash", arguments: '{"command":"ls"}' } }],
      },
      { role: "tool", tool_call_id: "call_1", content: "cart.ts" },
    ]);
    expect(run).toMatchObject({ format: "openai-chat", model: "gpt-y", notes: [], sources: [[], [], [], []] });
    expect(openaiChatFormat.validate(run.messages)).toEqual([]);
  });

  it("marks what the host wrote in the user's place: demonstrations, and all after the first answer", () => {
    const run = read({
      trajectory: [],
      history: [
        { role: "user", content: "a demonstration", is_demo: true },
        { role: "user", content: "the issue" },
        { role: "assistant", content: "```\nls\n```", action: "ls" },
        { role: "user", content: "cart.ts\nbash-$" },
      ],
    });
    expect(run.messages.map(isHostWritten)).toEqual([true, false, false, true]);
  });

  it("says what was done where an answer of an older version has no text of its own and no calls", () => {
    const run = read({
      trajectory: [],
      history: [
        { role: "user", content: "the issue" },
        { role: "assistant", content: "", thought: "I look.", action: "ls -F" },
        { role: "user", content: "cart.ts" },
        { role: "assistant", content: null, thought: "", action: "submit" },
        { role: "assistant", content: null, thought: "I call.", action: "ls", tool_calls: [call("a")] },
      ],
    });
    expect(run.messages.filter((message) => (message as { role: string }).role === "assistant")).toEqual([
      { role: "assistant", content: "I look.\nls -F" },
      { role: "assistant", content: "submit" },
      { role: "assistant", content: "I call.", tool_calls: [call("a")] },
    ]);
  });

  it("reads the responses and outputs that mini-swe-agent keeps where it spoke with the Responses endpoint", () => {
    const run = read({
      trajectory_format: "mini-swe-agent-1.1",
      messages: [
        { role: "user", content: "the issue" },
        {
          object: "response",
          output: [
            { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
            { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
            { type: "function_call", call_id: "c", name: "bash", arguments: "{}" },
          ],
        },
        { type: "function_call_output", call_id: "c", output: "cart.ts", extra: { returncode: 0 } },
      ],
    });
    expect(run.messages).toEqual([
      { role: "user", content: "the issue" },
      { role: "assistant", content: "I look.", reasoning_content: "hm", tool_calls: [call("c")] },
      { role: "tool", tool_call_id: "c", content: "cart.ts" },
    ]);
    expect(openaiChatFormat.validate(run.messages)).toEqual([]);
  });

  it("keeps thinking, parallel results, parts without cache marks, and calls whose arguments are no text", () => {
    const run = read({
      trajectory: [],
      history: [
        { role: "user", content: [{ type: "text", text: "go", cache_control: { type: "ephemeral" } }] },
        {
          role: "assistant",
          content: "",
          thinking_blocks: [{ type: "thinking", thinking: "hm", signature: "s==" }],
          tool_calls: [call("a"), { id: "b", function: { name: "open", arguments: { path: "x" } } }],
        },
        { role: "tool", content: "both", tool_call_ids: ["a", "b"] },
      ],
    });
    expect(run.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "go" }] },
      {
        role: "assistant",
        content: null,
        reasoning_content: "hm",
        tool_calls: [call("a"), { id: "b", type: "function", function: { name: "open", arguments: '{"path":"x"}' } }],
      },
      { role: "tool", tool_call_id: "a", content: "both" },
      { role: "tool", tool_call_id: "b", content: "[See the result before.]" },
    ]);
    expect(openaiChatFormat.validate(run.messages)).toEqual([]);
  });

  it("falls back on the steps where a file has no history", () => {
    const run = read({
      trajectory: [{ thought: "I look.", action: "ls", observation: "cart.ts" }, { response: "Done." }],
    });
    expect(run.messages).toEqual([
      { role: "assistant", content: "I look.\nls" },
      { role: "user", content: "cart.ts" },
      { role: "assistant", content: "Done." },
    ]);
  });

  it("reads the files of mini-swe-agent, and of a run with several attempts", () => {
    const mini = read({
      trajectory_format: "mini-swe-agent-1",
      instance_id: "shop__cart-7",
      info: { config: { model: { model_name: "claude-y" } } },
      messages: [...CHAT_MESSAGES, { role: "exit", content: "", extra: {} }],
    });
    expect(mini.messages).toEqual(CHAT_MESSAGES);
    expect(mini).toMatchObject({ sessionId: "shop__cart-7", model: "claude-y" });
    const attempts = read({ attempts: [TRAJECTORY, TRAJECTORY], info: {} });
    expect(attempts.messages).toHaveLength(7);
    expect(attempts.notes.map(({ code }) => code)).toEqual(["joined_sessions", "repeated_lines"]);
  });
});

describe("reading the log of a run's requests", () => {
  it("gives the grown conversation once, with the last answer", () => {
    const run = readLines(REQUEST_LOG);
    expect(run.messages).toEqual(CHAT_MESSAGES);
    expect(run.sources).toEqual([[3], [3], [3], [3], [4]]);
    expect(run).toMatchObject({ format: "openai-chat", model: "gpt-y-2026", notes: [] });
    expect(run.tools).toEqual([{ type: "function", function: { name: "bash" } }]);
  });

  it("takes a request that was tried again as it was sent last, and one that was never answered", () => {
    const again = { request_params: { messages: [...CHAT_MESSAGES.slice(0, 4), { role: "user", content: "again" }] } };
    const run = readLines([...REQUEST_LOG.slice(0, 3), again, again]);
    expect(run.messages).toEqual([...CHAT_MESSAGES.slice(0, 4), { role: "user", content: "again" }]);
    expect(isHostWritten(run.messages.at(-1))).toBe(true);
  });

  it("joins the conversations of several agents, whose cache marks move", () => {
    const task = (text: string, isMarked: boolean) => ({
      role: "user",
      content: [{ type: "text", text, ...(isMarked ? { cache_control: { type: "ephemeral" } } : {}) }],
    });
    const answer = { role: "assistant", content: "ok" };
    const request = (...messages: readonly unknown[]) => ({ type: "request", request_params: { messages } });
    const run = readLines([
      request(task("find it", true)),
      request(task("find it", false), answer, { role: "user", content: "go on" }),
      request(task("fix it", true)),
    ]);
    expect(run.messages).toEqual([
      task("find it", false),
      answer,
      { role: "user", content: "go on" },
      task("fix it", false),
    ]);
    expect(run.notes.map(({ code }) => code)).toEqual(["joined_sessions"]);
  });

  it("survives a torn end", () => {
    const text = `${REQUEST_LOG.map((value) => JSON.stringify(value)).join("\n")}\n{"type":"request","request_par`;
    expect(readSweAgentRun(text).notes.map(({ code }) => code)).toEqual(["torn_line"]);
    expect(readSweAgentRun(text).messages).toEqual(CHAT_MESSAGES);
  });
});

it("is told by a trajectory or a logged request", () => {
  expect(sweAgentReader.matches([TRAJECTORY])).toBe(true);
  expect(sweAgentReader.matches(REQUEST_LOG)).toBe(true);
  expect(sweAgentReader.matches(CHAT_MESSAGES)).toBe(false);
  expect(sweAgentReader.matches([{ messages: CHAT_MESSAGES }])).toBe(false);
});

describe.skipIf(isCorpusAbsent)("real SWE-agent runs", () => {
  it.each(corpusFiles(/swe-agent/))("%s is read as a list its provider takes", (name) => {
    const text = readCorpusText(name);
    const run = readSweAgentRun(text);
    expect(run.notes).toEqual([]);
    expect(openaiChatFormat.heal(run.messages).messages).toBe(run.messages);
    expect(openaiChatFormat.validate(run.messages, { allowOpenTail: true })).toEqual([]);
    const requests = text.split("\n").filter((line) => line.includes('"request_params"'));
    const longest = requests.map(
      (line) => (JSON.parse(line) as (typeof REQUEST_LOG)[number]).request_params as { messages: unknown[] },
    );
    if (longest.length > 0) {
      // The longest request, and the answer to it.
      expect(run.messages).toHaveLength(Math.max(...longest.map(({ messages }) => messages.length)) + 1);
      expect(run.tools?.length).toBeGreaterThan(0);
    } else expect(run.messages).toHaveLength((JSON.parse(text) as { history: unknown[] }).history.length);
  });
});
