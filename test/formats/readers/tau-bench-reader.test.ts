import { describe, expect, it } from "vitest";
import { openaiChatFormat } from "../../../src/providers/openai-chat/openai-chat-format.ts";
import { readTauBenchRuns, tauBenchReader } from "../../../src/session-files/tau-bench.ts";
import { corpusFiles, isCorpusAbsent, readCorpusText } from "../corpus-files.ts";
import { CHAT_MESSAGES } from "./sample-sessions.ts";

const run = (traj: readonly unknown[], trial = 0) => ({ task_id: 3, reward: 0, info: {}, traj, trial });
const read = (...runs: readonly unknown[]) => readTauBenchRuns(JSON.stringify(runs));

describe("reading the results of tau-bench", () => {
  it("gives one conversation after another, with the system message that all share once", () => {
    const result = read(run(CHAT_MESSAGES), run(CHAT_MESSAGES, 1), run([], 2));
    expect(result.messages).toEqual([...CHAT_MESSAGES, ...CHAT_MESSAGES.slice(1)]);
    expect(result.format).toBe("openai-chat");
    expect(result.notes.map(({ message }) => message)).toEqual([
      "2 sessions in the file were joined, one after another",
      "1 system message that repeats the one in force left out",
    ]);
    // The ids of the calls repeat from conversation to conversation.
    expect(openaiChatFormat.heal(result.messages).messages).toBe(result.messages);
    expect(openaiChatFormat.validate(result.messages)).toEqual([]);
  });

  it("reads the simulations of the second version: flat calls, results together, tools of the user's own left out", () => {
    const call = (id: string, requestor = "assistant") => ({ id, name: "find", arguments: { row: 3 }, requestor });
    const result = (id: string, requestor = "assistant") => ({ id, role: "tool", content: `row of ${id}`, requestor });
    const simulation = {
      id: "s1",
      task_id: "7",
      termination_reason: "user_stop",
      messages: [
        { role: "assistant", content: "Hello.", tool_calls: null, turn_idx: 0, cost: 0, raw_data: null },
        { role: "user", content: "Where is my ship?", tool_calls: null, turn_idx: 1 },
        { role: "assistant", content: null, tool_calls: [call("a"), call("b")], turn_idx: 2 },
        { role: "tool", tool_messages: [result("a"), result("b")] },
        { role: "user", content: null, tool_calls: [call("u", "user")] },
        result("u", "user"),
        { role: "assistant", content: null, tool_calls: [call("c")] },
        result("c"),
        { role: "assistant", content: "Berth 7.", tool_calls: null },
      ],
    };
    const file = { timestamp: "2030", info: { agent_info: { llm: "gpt-z" } }, tasks: [], simulations: [simulation] };
    expect(tauBenchReader.matches([file]) && tauBenchReader.matches([simulation])).toBe(true);
    const read2 = readTauBenchRuns(JSON.stringify(file));
    expect(read2.model).toBe("gpt-z");
    expect(read2.messages).toHaveLength(8);
    expect(read2.messages[0]).toEqual({ role: "assistant", content: "Hello." });
    expect(read2.messages[2]).toMatchObject({
      tool_calls: [{ id: "a", function: { arguments: '{"row":3}' } }, { id: "b" }],
    });
    expect(read2.messages.slice(3, 5)).toEqual([
      { role: "tool", tool_call_id: "a", content: "row of a" },
      { role: "tool", tool_call_id: "b", content: "row of b" },
    ]);
    expect(openaiChatFormat.validate(read2.messages)).toEqual([]);
    expect(readTauBenchRuns(JSON.stringify(simulation)).messages).toEqual(read2.messages);
  });

  it("keeps a system message that takes another's place", () => {
    const other = [{ role: "system", content: "Another policy." }, ...CHAT_MESSAGES.slice(1)];
    expect(read(run(CHAT_MESSAGES), run(other), run(CHAT_MESSAGES)).messages).toHaveLength(15);
  });

  it("writes a call's arguments as text where a version wrote an object", () => {
    const call = { id: "c1", type: "function", function: { name: "find_berth", arguments: { row: 3 } } };
    const { messages } = read(
      run([
        { role: "user", content: "Where?" },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "c1", content: "Berth 7." },
      ]),
    );
    expect(messages[1]).toMatchObject({ tool_calls: [{ id: "c1", function: { arguments: '{"row":3}' } }] });
    expect(openaiChatFormat.validate(messages)).toEqual([]);
  });

  it("reads a single run, and runs one a line", () => {
    expect(readTauBenchRuns(JSON.stringify(run(CHAT_MESSAGES))).messages).toEqual(CHAT_MESSAGES);
    const lines = [run(CHAT_MESSAGES), run(CHAT_MESSAGES)].map((value) => JSON.stringify(value)).join("\n");
    expect(readTauBenchRuns(lines).sources).toEqual([[1], [1], [1], [1], [1], [2], [2], [2], [2]]);
  });

  it("is told by its runs", () => {
    expect(tauBenchReader.matches([run([])])).toBe(true);
    expect(tauBenchReader.matches([run([]), { role: "user" }])).toBe(false);
    expect(tauBenchReader.matches([])).toBe(false);
  });
});

describe.skipIf(isCorpusAbsent)("real results", () => {
  it.each(corpusFiles(/tau-bench/))("%s: every message is there once, but repeated system messages", (name) => {
    const text = readCorpusText(name);
    const runs = JSON.parse(text) as { traj: { role: string; tool_calls?: unknown[] }[] }[];
    const all = runs.flatMap(({ traj }) => traj);
    const result = readTauBenchRuns(text);
    const isSystem = ({ role }: { role: string }) => role === "system";
    expect(result.messages.slice(1)).toEqual(all.filter((message) => !isSystem(message)));
    expect(openaiChatFormat.heal(result.messages).messages).toBe(result.messages);
    expect(openaiChatFormat.validate(result.messages, { allowOpenTail: true })).toEqual([]);
  });
});
