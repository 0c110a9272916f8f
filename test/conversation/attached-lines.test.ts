// What was attached leaves a line behind: what it is, with its name, its id or its address, in every format, by every
// strategy and over rounds; so does what the model declined.
import { describe, expect, it } from "vitest";
import { CompactManager } from "../../src/index.ts";
import { TINY_PNG } from "../formats/histories.ts";
import { verifies } from "../requirements/verifies.ts";

const data = `data:image/png;base64,${TINY_PNG}`;
const pdf = btoa(`%PDF-1.4 ${"x".repeat(300)}`);
const SIGNED = "https://files.example/plan.png";

type Message = Readonly<Record<string, unknown>>;
interface Dialect {
  readonly format: "openai-chat" | "openai-responses" | "anthropic";
  readonly shown: readonly Message[];
  readonly lines: readonly string[];
  readonly user: (text: string) => Message;
  readonly answer: (text: string) => Message;
}

const plain = (role: string) => (content: string) => ({ role, content });
const DIALECTS: readonly Dialect[] = [
  {
    format: "openai-chat",
    shown: [
      {
        role: "user",
        content: [
          { type: "file", file: { filename: "lease.pdf", file_data: `data:application/pdf;base64,${pdf}` } },
          { type: "image_url", image_url: { url: SIGNED } },
          { type: "image_url", image_url: { url: data } },
          { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
          { type: "video_url", video_url: { url: "https://files.example/quay.mp4" } },
        ],
      },
      { role: "assistant", content: null, refusal: "I cannot read that lease." },
    ],
    lines: [
      'document: pdf "lease.pdf"',
      `image: ${SIGNED}`,
      "image: png 1x1",
      "audio: wav",
      "video: https://files.example/quay.mp4",
    ],
    user: plain("user"),
    answer: plain("assistant"),
  },
  {
    format: "openai-responses",
    shown: [
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_file", filename: "manifest.csv", file_data: "data:text/csv;base64,aWQsYmVydGgK" },
          { type: "input_file", file_id: "file-77Manifest" },
          { type: "input_image", image_url: data },
        ],
      },
      { type: "function_call", call_id: "c", name: "rates", arguments: "{}" },
      {
        type: "function_call_output",
        call_id: "c",
        output: [{ type: "input_file", filename: "rates.pdf", file_data: `data:application/pdf;base64,${pdf}` }],
      },
      { type: "function_call", call_id: "d", name: "rates", arguments: "{}" },
      { type: "function_call_output", call_id: "d", output: "no more" },
      { type: "image_generation_call", id: "ig_9", status: "completed", result: TINY_PNG },
      { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "I cannot read that lease." }] },
    ],
    lines: [
      'document: csv "manifest.csv"',
      "document: file-77Manifest",
      "image: png 1x1",
      'document: pdf "rates.pdf"',
      "1x1 ig_9",
    ],
    user: (text) => ({ type: "message", ...plain("user")(text) }),
    answer: (text) => ({ type: "message", ...plain("assistant")(text) }),
  },
  {
    format: "anthropic",
    shown: [
      {
        role: "user",
        content: [
          { type: "document", title: "Lease", source: { type: "base64", media_type: "application/pdf", data: pdf } },
          { type: "document", source: { type: "file", file_id: "file_011Lease" } },
          { type: "image", source: { type: "url", url: SIGNED } },
          { type: "container_upload", file_id: "file_022Rates" },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "look", input: {} }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t",
            content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: TINY_PNG } }],
          },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "u", name: "look", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "u", content: "nothing more" }] },
      { role: "assistant", content: "I looked." },
    ],
    lines: [
      'document: pdf "Lease"',
      "document: file_011Lease",
      `image: ${SIGNED}`,
      "document: file_022Rates",
      "image: png 1x1",
    ],
    user: plain("user"),
    answer: plain("assistant"),
  },
];

const words = "harbour queue ledger lease socket region ".repeat(14).trim();

describe.each(DIALECTS)("attachments in $format", ({ format, shown, lines, user, answer }) => {
  const talk = (count: number) =>
    Array.from({ length: count }, (_, n) => [user(`show ${n}`), answer(`${n} ${words}`)]).flat();
  const summaryOf = (messages: readonly unknown[]) =>
    JSON.stringify(messages.filter((one) => JSON.stringify(one).includes("COMPACT-SUMMARY")))
      .replaceAll('\\\\\\"', '"')
      .replaceAll('\\"', '"');

  it.each(["task_state", "decision_log", "code_delta", "brief"] as const)(
    "leave a line each, over two rounds: %s",
    async (strategy) => {
      verifies("fault/attachments-vanish");
      const manager = new CompactManager({
        archive: false,
        maxContextTokens: 6_500,
        policy: { hardCapBuffer: 50, keepToolIoPairs: 0, strategy },
      });
      const first = await manager.compact("s", [...shown, ...talk(16)], { format });
      const second = await manager.compact("s", [...first.messages, ...talk(16)], { format });
      for (const { messages } of [first, second]) {
        const summary = summaryOf(messages);
        for (const line of lines) expect(summary).toContain(line);
        if (format !== "anthropic") expect(summary).toContain("I cannot read that lease.");
        expect(summary).not.toContain(TINY_PNG.slice(0, 40));
      }
    },
  );

  it("are named to the summarizer's model, too", async () => {
    let prompts = "";
    const model = async ({ prompt }: { readonly prompt: string }) => {
      prompts += prompt;
      return { text: "## Goals\n- Go on.", finish: "stop" as const };
    };
    const manager = new CompactManager({
      archive: false,
      maxContextTokens: 6_500,
      policy: { hardCapBuffer: 50, keepToolIoPairs: 0 },
      summarizer: { model },
    });
    const { messages } = await manager.compact("s", [...shown, ...talk(16)], { format });
    for (const line of lines) {
      expect(prompts).toContain(line);
      expect(summaryOf(messages)).toContain(line);
    }
  });
});

it("what a tool showed again and again is one line", async () => {
  const steps = Array.from({ length: 30 }, (_, n) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `c${n}`, type: "function", function: { name: "screenshot", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: `c${n}`, content: [{ type: "image_url", image_url: { url: data } }] },
  ]).flat();
  const manager = new CompactManager({ archive: false, maxContextTokens: 12_000, policy: { hardCapBuffer: 50 } });
  const { messages } = await manager.compact("s", [
    { role: "user", content: "watch" },
    ...steps,
    { role: "assistant", content: words },
    { role: "user", content: "go on" },
  ]);
  expect(JSON.stringify(messages).match(/image: png 1x1 \(\d+ times\)/g)).toHaveLength(1);
});
