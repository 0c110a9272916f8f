// A value that an edit set is known of every host's session, however the host writes edits down.
import { describe, expect, it } from "vitest";
import { FORMATS } from "../../../src/factories/formats.ts";
import { READERS } from "../../../src/factories/readers.ts";
import { extractFacts } from "../../../src/facts/extract-facts.ts";
import { parseDocument } from "../../../src/session-files/session-values.ts";

type Fields = Readonly<Record<string, unknown>>;

const lines = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");
const PATCH = "*** Begin Patch\n*** Update File: src/fares.py\n@@\n-MAX_FARES = 100\n+MAX_FARES = 500\n*** End Patch";
const OLD_AND_NEW = ["MAX_FARES = 100", "MAX_FARES = 500"] as const;

function codex(edit: Fields): string {
  const item = (payload: Fields) => ({ timestamp: "2030-01-01T00:00:00.000Z", type: "response_item", payload });
  const type = edit.type === "function_call" ? "function_call_output" : "custom_tool_call_output";
  return lines([
    { timestamp: "2030-01-01T00:00:00.000Z", type: "session_meta", payload: { id: "s1", cwd: "/shop" } },
    item({ type: "message", role: "user", content: [{ type: "input_text", text: "Raise the fares." }] }),
    item({ ...edit, call_id: "c1" }),
    item({ type, call_id: "c1", output: "Success. Updated the following files:\nM src/fares.py" }),
  ]);
}

function pi(name: string, input: Fields): string {
  const message = (value: Fields, at: number) => ({
    type: "message",
    id: `m${at}`,
    parentId: at === 0 ? null : `m${at - 1}`,
    message: value,
  });
  const text = (value: string) => [{ type: "text", text: value }];
  const use = [{ type: "toolCall", id: "c1", name, arguments: input }];
  const said = [
    { role: "user", content: text("Raise the fares.") },
    { role: "assistant", stopReason: "toolUse", content: use },
    { role: "toolResult", toolCallId: "c1", toolName: name, content: text("Edited src/fares.py"), isError: false },
  ];
  return lines([{ type: "session", version: 3, id: "s1", cwd: "/shop" }, ...said.map(message)]);
}

function opencode(tool: string, input: Fields): string {
  const text = (value: string) => ({ type: "text", text: value });
  const message = (role: string, parts: readonly Fields[], at: number) => ({ info: { id: `m${at}`, role }, parts });
  const state = { status: "completed", input, output: "Edit applied." };
  const messages = [
    message("user", [text("Raise the fares.")], 0),
    message("assistant", [{ type: "tool", callID: "c1", tool, state }], 1),
  ];
  return JSON.stringify({ info: { id: "s1" }, messages });
}

function gemini(name: string, args: Fields): string {
  const result = [
    { functionResponse: { id: "c1", name, response: { output: "Successfully modified file: src/fares.py" } } },
  ];
  const toolCalls = [{ id: "c1", name, args, status: "success", result }];
  const messages = [
    { id: "1", type: "user", content: "Raise the fares." },
    { id: "2", type: "gemini", content: "", toolCalls },
  ];
  return JSON.stringify({ sessionId: "s1", projectHash: "abc", messages });
}

const [before, after] = OLD_AND_NEW;
const code = `text(await tools.apply_patch(${JSON.stringify(PATCH)}));`;
const shell = { type: "function_call", name: "exec_command" };
const SESSIONS: readonly (readonly [host: string, text: string])[] = [
  ["pi, one edit", pi("edit", { path: "src/fares.py", oldText: before, newText: after })],
  ["pi, a list of edits", pi("edit", { path: "src/fares.py", edits: [{ oldText: before, newText: after }] })],
  ["pi, a file", pi("write", { path: "src/fares.py", content: after })],
  ["opencode, an edit", opencode("edit", { filePath: "src/fares.py", oldString: before, newString: after })],
  ["opencode, a patch", opencode("apply_patch", { patchText: PATCH })],
  ["Codex, a patch", codex({ type: "custom_tool_call", name: "apply_patch", input: PATCH })],
  ["Codex, a script", codex({ type: "custom_tool_call", name: "exec", namespace: "functions", input: code })],
  [
    "Codex, a patch in a shell",
    codex({ ...shell, arguments: JSON.stringify({ cmd: `apply_patch <<'EOF'\n${PATCH}\nEOF` }) }),
  ],
  [
    "Codex, sed",
    codex({ ...shell, arguments: JSON.stringify({ cmd: `sed -i 's/${before}/${after}/' src/fares.py` }) }),
  ],
  ["Gemini CLI", gemini("replace", { file_path: "src/fares.py", old_string: before, new_string: after })],
];

describe("a value that an edit set", () => {
  it.each(SESSIONS)("is known: %s", (_, text) => {
    const whole = parseDocument(text);
    const values = whole === undefined ? text.split("\n").map((line): unknown => JSON.parse(line)) : [whole.value];
    const session = READERS.find((reader) => reader.matches(values))?.read(text);
    const format = FORMATS.find(({ name }) => name === (session?.format ?? "anthropic"));
    const inputs = session?.messages.flatMap((message, at) =>
      format === undefined ? [] : [{ view: format.view(message), source: { step: 1, message: at + 1 } }],
    );
    const { files } = extractFacts(inputs ?? [], (word) => word);
    expect(files).toMatchObject([{ path: "src/fares.py", operation: "written" }]);
    expect(files[0]?.lines).toContain("+ MAX_FARES = 500");
  });
});
