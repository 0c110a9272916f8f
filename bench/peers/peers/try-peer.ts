// Calls one library, or all, on a session: tokens before and after at three budgets, and whether the result is valid.
// `node bench/peers/peers/try-peer.ts [NAME | all] SESSION.json.gz`
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { openaiChatFormat } from "../../../src/providers/openai-chat/openai-chat-format.ts";
import { countView } from "../../../src/tokens/count-messages.ts";
import { createTokenCounter } from "../../../src/tokens/create-token-counter.ts";
import type { ChatMessage, Peer, PeerModel } from "../peer.ts";
import { loadPeers } from "./all-peers.ts";

const [, , wanted = "all", path = ""] = process.argv;
const session = JSON.parse(gunzipSync(readFileSync(path)).toString()) as { messages: ChatMessage[] };
const counter = createTokenCounter({ encoding: "o200k_base" });
const sizes = new WeakMap<ChatMessage, number>();
const { peers, missing } = await loadPeers();
for (const { name, reason } of missing) console.log(`missing: ${name}: ${reason}`);
const total = countOf(session.messages);
console.log(`${session.messages.length} messages, ${total} tokens`);
for (const peer of peers) if (wanted === "all" || peer.name.includes(wanted)) await tryPeer(peer);

async function tryPeer(peer: Peer): Promise<void> {
  console.log(`${peer.name} ${peer.version} (${peer.habit})`);
  for (const share of [0.05, 0.1, 0.15]) {
    const budget = Math.floor(total * share);
    const open = peer.open();
    const started = performance.now();
    try {
      const result = await open.compact({ messages: session.messages, budget, window: 200_000, model, count });
      const again = await open.compact({
        messages: [...result, ...session.messages.slice(1, 260)],
        budget,
        window: 200_000,
        model,
        count,
      });
      const problems = [...openaiChatFormat.validate(result), ...openaiChatFormat.validate(again)];
      console.log(
        `  ${share * 100} %: ${countOf(result)} of ${budget} tokens, ${result.length} messages; again ${countOf(again)}, ${again.length} messages; ${Math.round(performance.now() - started)} ms, ${problems.length === 0 ? "valid" : JSON.stringify(problems.slice(0, 2))}`,
      );
      if (process.argv.includes("--show"))
        for (const message of result.slice(0, 4)) console.log(`    ${JSON.stringify(message).slice(0, 300)}`);
    } catch (error) {
      console.log(`  ${share * 100} %: ${(error as Error).stack}`);
    }
  }
}

async function model({ prompt, maxTokens }: Parameters<PeerModel>[0]): Promise<string> {
  return prompt.slice(-maxTokens * 3);
}

function count(message: ChatMessage): number {
  const known = sizes.get(message) ?? countView(openaiChatFormat.view(message), counter);
  sizes.set(message, known);
  return known;
}

function countOf(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + count(message), 0);
}
