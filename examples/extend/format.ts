// A message format of your own: Gemini's `contents`, read as OpenAI chat. Run it: npx unrun examples/extend/format.ts
import assert from "node:assert/strict";
import { CompactManager } from "../../src/index.ts";
import { createHostPreflight, type Translation } from "../../src/integrations/host.ts";

// docs:start
interface Content {
  readonly role: "user" | "model";
  readonly parts: readonly {
    readonly text?: string;
    readonly functionCall?: { readonly id: string; readonly name: string; readonly args: object };
    readonly functionResponse?: { readonly id: string; readonly name: string; readonly response: object };
  }[];
}

const gemini: Translation<Content> = {
  format: "openai-chat",
  toNative({ role, parts }) {
    const results = parts.flatMap(({ functionResponse: answer }) =>
      answer ? [{ role: "tool", tool_call_id: answer.id, content: JSON.stringify(answer.response) }] : [],
    );
    if (results.length > 0) return results;
    const content = parts.map(({ text = "" }) => text).join("");
    const calls = parts.flatMap(({ functionCall: call }) =>
      call
        ? [{ id: call.id, type: "function", function: { name: call.name, arguments: JSON.stringify(call.args) } }]
        : [],
    );
    if (role === "user") return [{ role, content }];
    return [{ role: "assistant", content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
  },
  toHost({ role, content, tool_call_id: id }, { toolName }) {
    if (role !== "tool") return { role: role === "assistant" ? "model" : "user", parts: [{ text: String(content) }] };
    const name = toolName(String(id)) ?? "unknown";
    return { role: "user", parts: [{ functionResponse: { id: String(id), name, response: { result: content } } }] };
  },
};

const preflight = createHostPreflight(new CompactManager({ maxContextTokens: 4_000, archive: false }), gemini);
// docs:end

const contents: Content[] = [{ role: "user", parts: [{ text: "Count the terns on each row. Never touch row 9." }] }];
for (let row = 1; row <= 60; row += 1) {
  const [id, name] = [`call-${row}`, "count_row"];
  contents.push({ role: "model", parts: [{ functionCall: { id, name, args: { row } } }] });
  const response = { row, terns: row * 7, note: `Row ${row} was walked twice, from the west and from the east.` };
  contents.push({ role: "user", parts: [{ functionResponse: { id, name, response } }] });
}
const sent = await preflight(contents);
assert.ok(sent.length < contents.length);
assert.ok(JSON.stringify(sent).includes("Never touch row 9."));
assert.equal(sent.at(-1), contents.at(-1));
console.log(`Sent ${sent.length} of ${contents.length} contents; the last one is the same object.`);
