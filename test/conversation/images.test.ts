// An image costs what its pixels cost, on every path: in the estimate, in what is cut, and in what a summarizer reads.
import { describe, expect, it } from "vitest";
import type { Summarizer } from "../../src/index.ts";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import type { SummaryRequest } from "../../src/summaries/summarizer.ts";
import { verifies } from "../requirements/verifies.ts";
import { DIALECTS, pngBase64 } from "./pictures.ts";
import { bench } from "./support.ts";

const MEGABYTES_3 = pngBase64(1500, 900, 4_000_000);
const SMALL = pngBase64(1500, 900, 4_000);
const FORMATS = new Map([openaiChatFormat, openaiResponsesFormat, anthropicFormat].map((one) => [one.name, one]));
const BASE64_RUN = /[A-Za-z0-9+/_-]{201}/;

function recording(): Summarizer & { readonly requests: SummaryRequest[] } {
  const requests: SummaryRequest[] = [];
  return {
    kind: "model",
    requests,
    async summarize(request) {
      requests.push(request);
      return { text: "## Task\nScreens were looked at.", source: "model" };
    },
  };
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index % 97}`).join(" ");

describe.each(DIALECTS)("an image in $name messages", ({ name, image, text, user, step, answer }) => {
  const shown = (base64: string) => [user([text("what is wrong here?"), image(base64)])];
  const returned = (base64: string) => [user([text("look")]), ...step("c1", [text("done"), image(base64)])];

  async function estimate(messages: readonly unknown[]): Promise<number> {
    const { manager, of } = bench({ maxContextTokens: 1_000_000 });
    await manager.preflight("s", messages, { format: name });
    return of("compact.token_estimate")[0]?.t_est ?? 0;
  }

  it("costs one bounded figure, whatever its bytes and wherever it stands", async () => {
    verifies("field/image-bytes-counted-as-text");
    const large = await estimate(shown(MEGABYTES_3));
    expect(large).toBe(await estimate(shown(SMALL)));
    const cost = large - (await estimate([user([text("what is wrong here?")])]));
    expect(cost).toBeGreaterThanOrEqual(1_000);
    expect(cost).toBeLessThanOrEqual(5_000);
    const bare = await estimate([user([text("look")]), ...step("c1", [text("done")])]);
    expect((await estimate(returned(MEGABYTES_3))) - bare).toBe(cost);
  });

  it("is not compacted away in a brand-new chat, and thirty of them are thirty times one", async () => {
    verifies("field/image-bytes-counted-as-text");
    const { manager, of } = bench({ maxContextTokens: 128_000 });
    const messages = [user([text("compare"), ...Array.from({ length: 30 }, () => image(MEGABYTES_3))])];
    expect(await manager.preflight("s", messages, { format: name })).toBe(messages);
    expect(of("compact.token_estimate")[0]?.t_est).toBeGreaterThan(30_000);
    expect(of("compact.token_estimate")[0]?.t_est).toBeLessThan(100_000);
  });

  it("reaches no summarizer as bytes, and stays where it waits for its answer", async () => {
    verifies("field/image-bytes-counted-as-text");
    const summarizer = recording();
    const { manager } = bench({ maxContextTokens: 20_000, summarizer });
    const older = Array.from({ length: 8 }, (_, n) => [
      user([text(`question ${n}`), image(SMALL)]),
      ...step(`c${n}`, [text(`<img src="data:image/png;base64,${SMALL}"> ${words(60)}`), image(SMALL)]),
      answer(words(120)),
    ]).flat();
    const asked = user([text("and this one?"), image(SMALL)]);
    const output = await manager.preflight("s", [...older, asked], { format: name });
    expect(output.at(-1)).toBe(asked);
    expect(FORMATS.get(name)?.validate(output)).toEqual([]);
    const [request] = summarizer.requests;
    const passages = request?.passages.map((passage) => passage.text) ?? [];
    expect(passages.length).toBeGreaterThan(4);
    expect(passages.filter((passage) => BASE64_RUN.test(passage))).toHaveLength(0);
    expect(BASE64_RUN.test(JSON.stringify(request?.ledger))).toBe(false);
    expect(passages[0]?.includes("[image: png 1500x900, message 1]")).toBe(true);
    expect(passages.some((passage) => /word\d[\s\S]*\[image: png 1500x900, message \d+\]/.test(passage))).toBe(true);
    expect(passages.some((passage) => passage.includes("[base64: 4,000 characters]"))).toBe(true);
  });

  it("gives way at the floor, oldest first, when the newest results hold more images than the window", async () => {
    const { manager, of } = bench({ maxContextTokens: 32_000 });
    const images = Array.from({ length: 30 }, (_, n) => image(pngBase64(1500, 900, 4_000, n + 1)));
    const messages = [user([text("look at all")]), ...step("c1", [text("done"), ...images])];
    const output = await manager.preflight("s", messages, { format: name });
    expect(FORMATS.get(name)?.validate(output)).toEqual([]);
    const [event] = of("compact.pruned_messages");
    expect(event?.tokens_after).toBeLessThanOrEqual(30_500);
    const removed = event?.shortened[0]?.attachments_removed ?? 0;
    expect(removed).toBeGreaterThan(10);
    expect(removed).toBeLessThan(20);
    expect(event?.shortened[0]).toMatchObject({ tool: "screenshot", call_id: "c1" });
    const sent = JSON.stringify(output);
    expect(sent.match(/\[image: png 1500x900, removed to save room; message 3 of step 1/g)).toHaveLength(removed);
    expect(sent.includes(pngBase64(1500, 900, 4_000, 30))).toBe(true);
    expect(sent.includes(pngBase64(1500, 900, 4_000, 1))).toBe(false);
  });
});

describe("what else is no text", () => {
  const count = async (messages: readonly unknown[]) => {
    const { manager, of } = bench({ maxContextTokens: 10_000_000 });
    await manager.preflight("s", messages);
    return of("compact.token_estimate")[0]?.t_est ?? 0;
  };

  it("a picture the model made counts as a picture", async () => {
    const asked = { type: "message", role: "user", content: [{ type: "input_text", text: "draw" }] };
    const made = { type: "image_generation_call", id: "ig_1", status: "completed", result: MEGABYTES_3 };
    expect(await count([asked, made])).toBeLessThan(6_000);
  });

  it.each<[string, readonly unknown[]]>([
    [
      "beside its words",
      [
        { role: "user", content: "draw" },
        {
          role: "assistant",
          content: "here",
          images: [{ type: "image_url", image_url: { url: `data:image/png;base64,${MEGABYTES_3}` } }],
        },
      ],
    ],
    [
      "in the output of a program it ran",
      [
        { type: "message", role: "user", content: [{ type: "input_text", text: "plot" }] },
        {
          type: "code_interpreter_call",
          id: "ci_1",
          status: "completed",
          code: "plot()",
          container_id: "c",
          outputs: [{ type: "image", url: `data:image/png;base64,${MEGABYTES_3}` }],
        },
      ],
    ],
  ])("a picture counts as one wherever its address stands: %s", async (_where, messages) => {
    verifies("field/image-bytes-counted-as-text");
    const tokens = await count(messages);
    expect(tokens).toBeGreaterThan(1_000);
    expect(tokens).toBeLessThan(5_000);
  });

  it("a document in a tool's result is not read as letters, nor is sound", async () => {
    const data = `JVBERi0xLjcK${MEGABYTES_3}`;
    const document = { type: "document", source: { type: "base64", media_type: "application/pdf", data } };
    const result = [
      { role: "user", content: "read" },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "fetch", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: [document] }] },
    ];
    const inResult = await count(result);
    expect(inResult).toBeGreaterThan(20_000);
    expect(inResult).toBeLessThan(200_000);
    const shown = await count([{ role: "user", content: [{ type: "text", text: "read" }, document] }]);
    expect(Math.abs(shown - inResult)).toBeLessThan(100);
    const sound = { type: "input_audio", input_audio: { data: MEGABYTES_3, format: "wav" } };
    const heard = await count([{ role: "user", content: [{ type: "text", text: "listen" }, sound] }]);
    expect(heard).toBeGreaterThan(100);
    expect(heard).toBeLessThan(5_000);
  });
});
