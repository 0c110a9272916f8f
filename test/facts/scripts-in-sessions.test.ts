// What a script that calls tools did is known like what was called directly: files, commands, errors, plans, calls.
import { describe, expect, it } from "vitest";
import { extractFacts } from "../../src/facts/extract-facts.ts";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { convertConversation } from "../../src/providers/conversion/convert-conversation.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { verifies } from "../requirements/verifies.ts";

const HEAD = "Script completed\nWall time 0.2 seconds\nOutput:\n";
const formats = {
  anthropic: anthropicFormat,
  "openai-chat": openaiChatFormat,
  "openai-responses": openaiResponsesFormat,
};

type Turn = readonly [script: string, ...output: readonly string[]];

function itemsOf(turns: readonly Turn[]): readonly unknown[] {
  return turns.flatMap(([input, ...output], at) => [
    { type: "custom_tool_call", call_id: `c${at}`, name: "exec", namespace: "functions", input },
    {
      type: "custom_tool_call_output",
      call_id: `c${at}`,
      output: output.map((text) => ({ type: "input_text", text })),
    },
  ]);
}

function factsOf(turns: readonly Turn[], to: keyof typeof formats = "openai-responses") {
  const { messages } = convertConversation({ format: "openai-responses", messages: itemsOf(turns) }, to);
  const inputs = messages.map((message, at) => ({
    view: formats[to].view(message),
    source: { step: 1, message: at + 1 },
  }));
  return extractFacts(inputs, (text) => text);
}

const FAILED = 'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\nValueError: fare missing';

describe("a script that calls tools", () => {
  it.each(["openai-responses", "anthropic", "openai-chat"] as const)("is what it called, in %s", (to) => {
    verifies("fault/calls-inside-programs");
    const patch =
      "*** Begin Patch\n*** Update File: src/fares.py\n@@\n-MAX_FARES = 100\n+MAX_FARES = 500\n*** End Patch";
    const facts = factsOf(
      [
        ['const r = await tools.exec_command({"cmd":"cat notes.txt"});\ntext(r.output);', HEAD, "port 8443"],
        [`text(await tools.apply_patch(${JSON.stringify(patch)}));`, HEAD, "{}"],
        [
          'const r = await tools.exec_command({ cmd: "python3 x.py" }); text(r);',
          HEAD,
          JSON.stringify({ exit_code: 1, output: FAILED }),
        ],
        ["text(await tools.mcp__memory__mem_save({ title: 'Port', content: '8443' }))", HEAD, "Saved: 1"],
        ["await tools.update_plan({ plan: [{ step: 'Raise the fares', status: 'in_progress' }] });", HEAD],
      ],
      to,
    );
    expect(facts.files).toMatchObject([
      { path: "notes.txt", operation: "read" },
      { path: "src/fares.py", operation: "written", lines: ["- MAX_FARES = 100", "+ MAX_FARES = 500"] },
    ]);
    expect(facts.commands.map(({ command, outcome }) => [command, outcome])).toEqual([
      ["cat notes.txt", "ok"],
      ["python3 x.py", "failed"],
    ]);
    expect(facts.errors).toMatchObject([{ text: "ValueError: fare missing", status: "open" }]);
    expect(facts.calls).toMatchObject([
      { text: "mcp__memory__mem_save title: Port, content: 8443", answer: "Saved: 1" },
    ]);
    expect(facts.plans.flatMap(({ items }) => items)).toMatchObject([
      { text: "Raise the fares", status: "in_progress" },
    ]);
  });

  it("gives each call what it gave back, where that can be told", () => {
    const both =
      'const [a, b] = await Promise.all(["npm test", "npm run lint"].map((cmd) => tools.exec_command({ cmd })));';
    const outcomes = (...output: readonly string[]) =>
      factsOf([[both, HEAD, ...output]]).commands.map(({ outcome }) => outcome);
    expect(outcomes("2 passed", "3 errors")).toEqual(["ok", "failed"]);
    expect(
      outcomes(
        JSON.stringify([
          { exit_code: 1, output: "1 failed" },
          { exit_code: 0, output: "" },
        ]),
      ),
    ).toEqual(["failed", "ok"]);
    expect(outcomes("all of it, in one text")).toEqual(["unknown", "ok"]);
  });

  it("that failed did nothing for sure", () => {
    const patch = "*** Begin Patch\n*** Add File: a.py\n+x = 1\n*** End Patch";
    const facts = factsOf([
      [
        `await tools.apply_patch(\`${patch}\`)`,
        "Script failed\nWall time 0.0 seconds\nOutput:\n",
        "Script error:\napply_patch verification failed: a.py is there",
      ],
    ]);
    expect(facts.files).toEqual([]);
    expect(facts.errors).toMatchObject([{ from: "apply_patch(a.py)", status: "open" }]);
  });

  it("that runs on has what was waited for as its result", () => {
    const waiting = [
      {
        type: "custom_tool_call",
        call_id: "a",
        name: "exec",
        input: 'text(await tools.exec_command({ cmd: "npm test" }))',
      },
      {
        type: "custom_tool_call_output",
        call_id: "a",
        output: "Script running with cell ID 7\nWall time 10.0 seconds\nOutput:\n",
      },
      { type: "function_call", call_id: "b", name: "wait", arguments: '{"cell_id":"7"}' },
      { type: "function_call_output", call_id: "b", output: `${HEAD}2 failed, 3 passed` },
      { type: "function_call", call_id: "c", name: "exec_command", arguments: '{"cmd":"npm run build"}' },
      {
        type: "function_call_output",
        call_id: "c",
        output: "Wall time: 1.0 seconds\nProcess running with session ID 41\nOutput:\n",
      },
      { type: "function_call", call_id: "d", name: "write_stdin", arguments: '{"session_id":41,"chars":""}' },
      {
        type: "function_call_output",
        call_id: "d",
        output: "Wall time: 9.0 seconds\nProcess exited with code 0\nOutput:\nbuilt",
      },
    ];
    const inputs = waiting.map((item, at) => ({
      view: openaiResponsesFormat.view(item),
      source: { step: 1, message: at + 1 },
    }));
    const facts = extractFacts(inputs, (text) => text);
    expect(facts.commands.map(({ command, outcome }) => [command, outcome])).toEqual([
      ["npm test", "failed"],
      ["npm run build", "ok"],
    ]);
    expect(facts.calls).toEqual([]);
  });
});
