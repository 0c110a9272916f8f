// Each conversion, there and back without a compaction, gives the list that went in; what a library is charged with it
// did itself. `node bench/peers/peers/check-round-trips.ts [SESSION.json.gz ...]`
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import type { ChatMessage } from "../peer.ts";
import { loadPeers } from "./all-peers.ts";
import { AdkEvents } from "./shared/adk-events.ts";
import { AiMessages } from "./shared/ai-messages.ts";
import { LangChainMessages } from "./shared/langchain-messages.ts";
import { PiMessages } from "./shared/pi-messages.ts";

const call = (id: string, given: string) => ({
  id,
  type: "function",
  function: { name: "read_file", arguments: given },
});

/** What real sessions hold: spaces in arguments, arguments that are no JSON, empty texts, parallel calls, a name twice. */
const MADE: readonly ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Read both files.\n\nThen compare." },
  { role: "assistant", content: null, tool_calls: [call("a", '{ "path": "a.ts" }'), call("b", '{"path":"b.ts"}')] },
  { role: "tool", tool_call_id: "a", content: "export const a = 1;" },
  { role: "tool", tool_call_id: "b", content: "" },
  { role: "assistant", content: "The second is empty.", tool_calls: [call("c", '{"path": "c.t')] },
  { role: "tool", tool_call_id: "c", content: "Not found: c.t\u{1F600}" },
  { role: "assistant", content: "Neither helps." },
  { role: "user", content: "Read both files.\n\nThen compare." },
  { role: "assistant", content: "", tool_calls: [call("d", "[]")] },
  { role: "tool", tool_call_id: "d", content: '{"output": 1}' },
];

const lists = [MADE, ...process.argv.slice(2).map(readSession)];
for (const messages of lists) {
  const rest = messages.filter(({ role }) => role !== "system");
  const langChain = new LangChainMessages();
  assertSame(langChain.toChat(langChain.fromChat(messages)), messages, "LangChain");
  const ai = new AiMessages();
  assertSame(ai.toChat(ai.fromChat(messages)), messages, "ai");
  const pi = new PiMessages();
  assertSame(pi.toChat(pi.fromChat(rest)), rest, "pi");
  const adk = new AdkEvents();
  assertSame(adk.toChat(adk.fromChat(rest).map(({ content }) => content as object)), rest, "ADK");
  await checkUntouched(messages);
  console.log(`${messages.length} messages: there and back the same`);
}

/** With room for everything no library changes anything. */
async function checkUntouched(messages: readonly ChatMessage[]): Promise<void> {
  const model = async () => {
    throw new Error("A model was asked");
  };
  for (const peer of (await loadPeers()).peers) {
    const request = { messages, budget: 10_000_000, window: 20_000_000, model, count: () => 1 };
    assertSame(await peer.open().compact(request), messages, peer.name);
  }
}

/** Says where, not what: sessions are long, and not everybody's to read. */
function assertSame(actual: readonly ChatMessage[], expected: readonly ChatMessage[], what: string): void {
  const at = expected.findIndex((message, index) => !isDeepStrictEqual(actual[index], message));
  if (at !== -1 || actual.length !== expected.length) {
    throw new Error(`${what}: ${expected.length} messages came back as ${actual.length}, the first other one is ${at}`);
  }
}

function readSession(path: string): readonly ChatMessage[] {
  return (JSON.parse(gunzipSync(readFileSync(path)).toString()) as { messages: ChatMessage[] }).messages;
}
