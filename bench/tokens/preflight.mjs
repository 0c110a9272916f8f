// Time of one preflight after one appended message, on lists of 1,000 and 10,000 messages: prints JSON.
import { CompactManager, createMemoryArchive } from "../../dist/index.js";

const CALLS = 300;

function session(count) {
  return Array.from({ length: count }, (_, n) => {
    if (n % 4 === 0) return { role: "user", content: `question ${n}` };
    const call = { id: `c${n}`, type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } };
    if (n % 4 === 1) return { role: "assistant", content: null, tool_calls: [call] };
    if (n % 4 === 2) return { role: "tool", tool_call_id: `c${n - 1}`, content: `${"value ".repeat(300)}${n}` };
    return { role: "assistant", content: `answer ${n}` };
  });
}

async function measure(count) {
  const manager = new CompactManager({ archive: createMemoryArchive(), maxContextTokens: 50_000_000 });
  const messages = session(count);
  await manager.preflight("bench", messages);
  const times = [];
  for (let n = 0; n < CALLS; n++) {
    messages.push({ role: "user", content: `more ${n}` });
    const started = performance.now();
    await manager.preflight("bench", messages);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return { messages: count, p50: times[CALLS / 2], p95: times[Math.floor(CALLS * 0.95)] };
}

console.log(JSON.stringify([await measure(1000), await measure(10_000)]));
