// Recent turns come first: over many rounds of any kind of talk, in any format, as many turns stay as the policy names.
import { describe, expect, it } from "vitest";
import { CompactManager } from "../../src/index.ts";
import { verifies } from "../requirements/verifies.ts";

interface Message {
  readonly role: string;
  readonly text: string;
}

const WORDS = "queue shard lease batch window token ledger replica planner stream".split(" ");
const filler = (n: number, length: number) =>
  Array.from({ length }, (_, at) => WORDS[(at * 7 + n * 3) % WORDS.length]).join(" ");
const KINDS: Readonly<Record<string, (n: number) => readonly [asked: string, answered: string]>> = {
  "long answers": (n) => [`Please explain part ${n}: ${filler(n, 25)}`, `Part ${n}: ${filler(n, 120)}`],
  "long orders": (n) => [`Refund order ${5000 + n}, and never charge ${filler(n, 60)} twice.`, `Noted, order ${n}.`],
  "a talk between equals": (n) => [`I went to see ${filler(n, 40)} in ${1990 + n}.`, `How nice, ${filler(n + 2, 30)}!`],
  中文: (n) => [
    `请解释第${n}部分。${"窗口把批次写进分片".repeat(4)}`,
    `第${n}部分：${"租约到期后副本接管队列".repeat(12)}`,
  ],
};
const FORMATS = {
  "openai-chat": ({ role, text }: Message) => ({ role, content: text }),
  anthropic: ({ role, text }: Message) => ({ role, content: [{ type: "text", text }] }),
  "openai-responses": ({ role, text }: Message) => ({ type: "message", role, content: text }),
} as const;

describe.each(Object.keys(FORMATS) as (keyof typeof FORMATS)[])("%s", (format) => {
  it.each(Object.entries(KINDS))("%s", async (_kind, turn) => {
    verifies("fault/recent-gives-way");
    const manager = new CompactManager({ archive: false, maxContextTokens: 4_000, policy: { hardCapBuffer: 500 } });
    let messages: readonly object[] = [];
    const kept: number[] = [];
    const between: number[] = [];
    for (let n = 0, last = 0; n < 120; n += 1) {
      const [asked, answered] = turn(n);
      const given = [...messages, FORMATS[format]({ role: "user", text: asked })];
      messages = (await manager.preflight("s", given, { format })) as readonly object[];
      if (messages.length !== given.length) {
        const recent = Array.from({ length: 6 }, (_, back) => turn(n - back)[0]);
        const json = messages.filter((message) => given.includes(message)).map((message) => JSON.stringify(message));
        kept.push(recent.filter((text) => json.some((one) => one.includes(text))).length);
        between.push(n - last);
        last = n;
      }
      messages = [...messages, FORMATS[format]({ role: "assistant", text: answered })];
    }
    expect(kept.length).toBeGreaterThan(2);
    expect(new Set(kept)).toEqual(new Set([6]));
    expect(Math.min(...between)).toBeGreaterThan(6);
  });
});
