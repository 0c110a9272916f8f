import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import type { Format } from "../../src/providers/format.ts";
import { markHostWritten } from "../../src/providers/message-marks.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { groupUnits } from "../../src/providers/units.ts";
import { verifies } from "../requirements/verifies.ts";

/** A short picture of the units: kind, indices, turn, and a mark when open or holding a user's words. */
function picture(format: Format, messages: readonly unknown[]): readonly string[] {
  return groupUnits(messages.map(format.view)).map(
    (unit) =>
      `${unit.kind} ${unit.messages.join(",")} turn ${unit.turn}${unit.isOpen ? " open" : ""}${unit.hasUserText ? " user" : ""}`,
  );
}

const toolCall = (id: string) => ({ id, type: "function", function: { name: "run", arguments: "{}" } });
const chatStep = (...ids: string[]) => ({ role: "assistant", content: "", tool_calls: ids.map(toolCall) });
const tool = (id: string) => ({ role: "tool", tool_call_id: id, content: `result of ${id}` });
const user = { role: "user", content: "hello" };
const answer = { role: "assistant", content: "done" };

const observation = () => markHostWritten({ role: "user", content: "the file holds 12 lines" });

describe("units of an agent whose tools are words", () => {
  it("are each answer with what the host says to it, so that a run of one request has more than one", () => {
    const messages = [user, answer, observation(), answer, observation(), observation(), answer];
    expect(picture(openaiChatFormat, messages)).toEqual([
      "message 0 turn 1 user",
      "pair 1,2 turn 1",
      "pair 3,4,5 turn 1",
      "message 6 turn 1",
    ]);
    expect(picture(anthropicFormat, messages)).toEqual(picture(openaiChatFormat, messages));
  });

  it("leave a host's words alone that answer nothing, or stand behind results", () => {
    const messages = [observation(), user, chatStep("a"), tool("a"), observation(), answer, user, observation()];
    expect(picture(openaiChatFormat, messages)).toEqual([
      "message 0 turn 0",
      "message 1 turn 1 user",
      "pair 2,3 turn 1",
      "message 4 turn 1",
      "message 5 turn 1",
      "message 6 turn 2 user",
      "message 7 turn 2",
    ]);
  });

  it("never take in a summary that stands alone", () => {
    const views = [answer, observation(), answer, observation()].map(openaiChatFormat.view);
    expect(groupUnits(views, (index) => index === 0).map(({ messages }) => messages)).toEqual([[0], [1], [2, 3]]);
  });
});

describe("units of OpenAI chat", () => {
  it("keep a step with all its parallel calls and results", () => {
    const messages = [
      { role: "system", content: "s" },
      user,
      chatStep("a", "b", "c"),
      tool("a"),
      tool("b"),
      tool("c"),
      answer,
      user,
    ];
    expect(picture(openaiChatFormat, messages)).toEqual([
      "message 0 turn 0",
      "message 1 turn 1 user",
      "pair 2,3,4,5 turn 1",
      "message 6 turn 1",
      "message 7 turn 2 user",
    ]);
  });

  it("give a result to the nearest open call when ids repeat", () => {
    const messages = [user, chatStep("a"), tool("a"), chatStep("a"), tool("a")];
    expect(picture(openaiChatFormat, messages)).toEqual([
      "message 0 turn 1 user",
      "pair 1,2 turn 1",
      "pair 3,4 turn 1",
    ]);
  });

  it("are open while a call has no result", () => {
    const messages = [user, chatStep("a", "b"), tool("a")];
    expect(picture(openaiChatFormat, messages).at(-1)).toBe("pair 1,2 turn 1 open");
  });

  it("leave an orphan result alone", () => {
    expect(picture(openaiChatFormat, [tool("gone"), user])).toEqual(["message 0 turn 0", "message 1 turn 1 user"]);
  });

  it("start no turn at what a host wrote", () => {
    const note = markHostWritten({ role: "user", content: "continued from before" });
    expect(picture(openaiChatFormat, [user, answer, note, answer])).toEqual([
      "message 0 turn 1 user",
      "pair 1,2 turn 1",
      "message 3 turn 1",
    ]);
  });
});

const said = (role: string, text: string) => ({ type: "message", role, content: [{ type: "input_text", text }] });
const call = (id: string) => ({ type: "function_call", call_id: id, name: "run", arguments: "{}" });
const output = (id: string) => ({ type: "function_call_output", call_id: id, output: "ok" });
const reasoning = { type: "reasoning", summary: [], encrypted_content: "x" };

describe("units of OpenAI Responses", () => {
  it("keep reasoning with the item it was made for", () => {
    verifies("field/reasoning-parted-from-its-item");
    const items = [
      said("user", "x"),
      reasoning,
      call("a"),
      output("a"),
      reasoning,
      reasoning,
      said("assistant", "y"),
      said("user", "z"),
    ];
    expect(picture(openaiResponsesFormat, items)).toEqual([
      "message 0 turn 1 user",
      "pair 1,2,3 turn 1",
      "message 4,5,6 turn 1",
      "message 7 turn 2 user",
    ]);
  });

  it("take the text of a step into its pair, and outputs wherever they stand", () => {
    const items = [
      said("user", "x"),
      reasoning,
      said("assistant", "I look"),
      call("a"),
      call("b"),
      output("b"),
      said("user", "wait"),
      output("a"),
    ];
    expect(picture(openaiResponsesFormat, items)).toEqual([
      "message 0 turn 1 user",
      "pair 1,2,3,4,5,7 turn 1",
      "message 6 turn 2 user",
    ]);
  });

  it("part calls that the server answers itself, and let a compaction item stand alone", () => {
    const items = [
      { type: "web_search_call", id: "w" },
      said("assistant", "x"),
      { type: "compaction", encrypted_content: "e" },
      call("a"),
      output("a"),
    ];
    expect(picture(openaiResponsesFormat, items)).toEqual([
      "message 0 turn 0",
      "message 1 turn 0",
      "message 2 turn 0",
      "pair 3,4 turn 0",
    ]);
  });

  it("leave reasoning at the very end on its own", () => {
    expect(picture(openaiResponsesFormat, [said("user", "x"), reasoning])).toEqual([
      "message 0 turn 1 user",
      "message 1 turn 1",
    ]);
  });

  it("can be told what stands alone", () => {
    const views = [said("assistant", "our summary"), call("a"), output("a")].map(openaiResponsesFormat.view);
    expect(groupUnits(views)).toHaveLength(1);
    const units = groupUnits(views, (index) => index === 0);
    expect(units.map((unit) => unit.messages)).toEqual([[0], [1, 2]]);
  });
});

const use = (id: string) => ({ type: "tool_use", id, name: "run", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });

describe("units of Anthropic messages", () => {
  it("count a user's words beside results to the pair, and start the next turn after it", () => {
    const messages = [
      user,
      { role: "assistant", content: [use("a"), use("b")] },
      { role: "user", content: [result("a"), result("b"), { type: "text", text: "also the logs" }] },
      answer,
    ];
    expect(picture(anthropicFormat, messages)).toEqual([
      "message 0 turn 1 user",
      "pair 1,2 turn 1 user",
      "message 3 turn 2",
    ]);
  });

  it("see no open call in a server tool with its result beside it", () => {
    const search = [
      { type: "server_tool_use", id: "s", name: "web_search", input: {} },
      { type: "web_search_tool_result", tool_use_id: "s", content: [] },
    ];
    expect(picture(anthropicFormat, [user, { role: "assistant", content: search }])).toEqual([
      "message 0 turn 1 user",
      "message 1 turn 1",
    ]);
  });
});

describe("a batch of parallel calls cut at any index", () => {
  const batches: readonly { format: Format; messages: readonly unknown[] }[] = [
    {
      format: openaiChatFormat,
      messages: [
        { role: "system", content: "s" },
        user,
        chatStep("a", "b", "c"),
        tool("a"),
        tool("b"),
        tool("c"),
        user,
      ],
    },
    {
      format: openaiResponsesFormat,
      messages: [
        said("user", "x"),
        reasoning,
        call("a"),
        call("b"),
        output("a"),
        output("b"),
        reasoning,
        reasoning,
        said("assistant", "y"),
        said("user", "z"),
      ],
    },
    {
      format: anthropicFormat,
      messages: [
        user,
        { role: "assistant", content: [use("a"), use("b")] },
        { role: "user", content: [result("a"), result("b"), { type: "text", text: "also the logs" }] },
        answer,
        user,
      ],
    },
  ];

  it.each(batches)("leaves a valid list behind: $format.name", ({ format, messages }) => {
    verifies("field/cut-inside-a-tool-call-batch");
    const units = groupUnits(messages.map(format.view));
    for (let cut = 0; cut < messages.length; cut += 1) {
      const recent = units.filter((unit) => (unit.messages[0] ?? 0) >= cut).flatMap((unit) => unit.messages);
      const layers = { pinned: [], summary: "before", recent: recent.map((index) => messages[index]) };
      expect(format.validate(format.place(layers).messages)).toEqual([]);
    }
  });

  it.each(batches)("survives any subset of units: $format.name", ({ format, messages }) => {
    const units = groupUnits(messages.map(format.view));
    for (let choice = 1; choice < 2 ** units.length; choice += 1) {
      const kept = units.filter((_, index) => (choice >> index) % 2 === 1).flatMap((unit) => unit.messages);
      const recent = kept.sort((a, b) => a - b).map((index) => messages[index]);
      expect(format.validate(format.place({ pinned: [], recent }).messages)).toEqual([]);
    }
  });
});

describe("an opener that a list needed", () => {
  it("starts no turn, even when read back from a file", () => {
    const { messages } = anthropicFormat.place({ pinned: [], recent: [{ role: "assistant", content: "hi" }, user] });
    const reread = JSON.parse(JSON.stringify(messages)) as unknown[];
    expect(picture(anthropicFormat, reread)).toEqual(["message 0 turn 0", "message 1 turn 0", "message 2 turn 1 user"]);
  });
});
