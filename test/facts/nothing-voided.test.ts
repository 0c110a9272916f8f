// No value, request or limit is struck or left out because another one looks like it: both stand, whatever the format.
import { describe, expect, it } from "vitest";
import { CompactManager } from "../../src/index.ts";
import { verifies } from "../requirements/verifies.ts";

const PAIRS: readonly (readonly [string, string])[] = [
  ["Refund order 7731.", "Refund order 7733."],
  ["Fix ticket 41", "Fix ticket 47"],
  ["Use port 7080 for the api server", "Use port 9191 for the metrics server"],
  ["Turn 54: change MAX_SEATS to 530 and run the check.", "Turn 59: change MAX_COUPONS to 533 and run the check."],
  ["Set the timeout to 20 for uploads", "Set the timeout to 70 for downloads"],
  ["Chapter 1 should be 20 pages", "Chapter 2 should be 35 pages"],
  ["Add step 4", "Add step 5"],
  ["Erstatte Bestellung 881.", "Erstatte Bestellung 883."],
  ["El host de la UE es db-1.example", "El host de EE. UU. es db-2.example"],
  ["请给订单 661 退款。", "请给订单 662 退款。"],
  ["注文 4401 を返金してください。", "注文 4407 を返金してください。"],
];
const requests = PAIRS.flat();
const filler = (n: number) =>
  `Explained part ${n}. ${"the queue of the window writes a batch to the shard behind it ".repeat(6)}`;
const talk = [
  ...requests.flatMap((content) => [
    { role: "user", content },
    { role: "assistant", content: "Noted, I will do it later." },
  ]),
  ...Array.from({ length: 20 }, (_, n) => [
    { role: "user", content: "Please explain once more" },
    { role: "assistant", content: filler(n) },
  ]).flat(),
  { role: "user", content: "Now do all of it." },
];

const LISTS = {
  "openai-chat": talk,
  anthropic: talk.map(({ role, content }) => ({ role, content: [{ type: "text", text: content }] })),
  "openai-responses": talk.map((message) => ({ type: "message", ...message })),
} as const;

describe.each(Object.keys(LISTS) as (keyof typeof LISTS)[])("%s", (format) => {
  it.each([
    ["extractive", 0],
    ["extractive", 8],
    ["model", 0],
  ] as const)("pending requests and values stand side by side, %s, %d turns fewer", async (kind, fewer) => {
    verifies("fault/superseded-that-is-not");
    const model = async () => ({ text: "## Findings and results\n- All was explained.", finish: "stop" as const });
    const manager = new CompactManager({
      archive: false,
      maxContextTokens: 4_000,
      policy: { hardCapBuffer: 50 },
      ...(kind === "model" ? { summarizer: { model: model as never } } : {}),
    });
    const list = LISTS[format] as readonly object[];
    const { messages } = await manager.compact("s", list.slice(0, list.length - 2 * fewer), { format });
    const text = messages.map((message) => JSON.stringify(message)).join("\n");
    expect(requests.filter((request) => !text.includes(request))).toEqual([]);
    expect(text).not.toMatch(/superseded|no longer/i);
  });
});
