// A ceiling for the bytes of a request: the oldest images give way, and nothing else when nothing else has to.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandReference } from "../../src/archive/read-archive.ts";
import { CompactError, type Summarizer } from "../../src/index.ts";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { formatHistories, TINY_PNG } from "../formats/histories.ts";
import { verifies } from "../requirements/verifies.ts";
import { chatImage, DIALECTS, pngBase64 } from "./pictures.ts";
import { assistant, bench, pair, system, turns, user } from "./support.ts";

const MEBIBYTE = 1024 * 1024;
const FORMATS = new Map([openaiChatFormat, openaiResponsesFormat, anthropicFormat].map((one) => [one.name, one]));
const bytesOf = (messages: readonly unknown[]) => Buffer.byteLength(JSON.stringify({ messages }));

const neverAsked: Summarizer = {
  kind: "model",
  summarize: () => Promise.reject(new Error("a summary was asked for")),
};

describe.each(DIALECTS)(
  "45 images of 700 KB in old results of $name",
  ({ name, image, text, user: says, step, answer }) => {
    const old = Array.from({ length: 45 }, (_, n) =>
      step(`c${n}`, [text("shot"), image(pngBase64(1500, 900, 700_000, n))]),
    );
    const asked = says([text("and this?"), image(pngBase64(1500, 900, 700_000, 99))]);
    const messages = [says([text("walk through the pages")]), ...old.flat(), answer("seen"), asked];

    it("come under 16 MiB by the oldest alone, without a summary, in one rewrite", async () => {
      verifies("field/bytes-run-out-before-tokens", "field/two-rewrites-in-one-pass");
      const { manager, archive, of } = bench({
        maxContextTokens: 1_000_000,
        policy: { maxRequestBytes: 16 * MEBIBYTE },
        summarizer: neverAsked,
      });
      const output = await manager.preflight("s", messages, { format: name });
      expect(of("compact.trigger_decision")[0]).toMatchObject({ triggered: true, reason: "over_request_bytes" });
      expect(bytesOf(output)).toBeLessThanOrEqual(16 * MEBIBYTE);
      expect(FORMATS.get(name)?.validate(output)).toEqual([]);
      expect(output).toHaveLength(messages.length);
      expect(output.at(-1)).toBe(asked);
      const changed = output.flatMap((message, index) => (message === messages[index] ? [] : [index]));
      expect(changed.length).toBeGreaterThan(20);
      // The oldest, one after the other; the newest stay.
      expect(changed).toEqual(changed.map((_, position) => 2 + 2 * position));
      expect(45 - changed.length).toBeGreaterThan(10);
      const [event] = of("compact.pruned_messages");
      expect(event).toMatchObject({ pruned_count: 0, first_changed: 2 });
      expect(event?.shortened).toHaveLength(changed.length);
      expect(event?.shortened[0]).toMatchObject({
        message: 3,
        tool: "screenshot",
        call_id: "c0",
        attachments_removed: 1,
      });
      const marker = /\[image: png 1500x900, removed to save room; message 3 of step 1 in the archive: (.*?)\]/.exec(
        JSON.stringify(output[2]),
      );
      expect(marker?.[1]).toBe("agent-compact archive expand 1.3 --session-id s");
      const { messages: whole } = await expandReference(archive, "s", "1.3");
      expect(JSON.stringify(whole[0]?.message) === JSON.stringify(messages[2])).toBe(true);
      expect(await archive.nextStep("s")).toBe(2);
    });

    it("are left alone without the key, and so is the next list that fits", async () => {
      const { manager, of } = bench({ maxContextTokens: 1_000_000, summarizer: neverAsked });
      expect(await manager.preflight("s", messages, { format: name })).toBe(messages);
      const capped = bench({
        maxContextTokens: 1_000_000,
        policy: { maxRequestBytes: 16 * MEBIBYTE },
        summarizer: neverAsked,
      });
      const first = await capped.manager.preflight("s", messages, { format: name });
      const grown = [...messages, answer("yes"), says([text("go on"), image(pngBase64(1500, 900, 700_000, 7))])];
      const second = await capped.manager.preflight("s", grown, { format: name });
      expect(second.slice(0, first.length).every((message, index) => message === first[index])).toBe(true);
      expect(capped.of("compact.pruned_messages")).toHaveLength(1);
      expect(of("compact.pruned_messages")).toHaveLength(0);
    });
  },
);

const shot = (n: number, characters = 300_000) => chatImage(pngBase64(800, 600, characters, n));
const withImage = (text: string, n: number, characters?: number) => ({
  role: "user",
  content: [{ type: "text", text }, shot(n, characters)],
});
const result = (id: string, n: number, characters?: number) => {
  const [call, answer] = pair([id]);
  return [call, { ...answer, content: [{ type: "text", text: "shot" }, shot(n, characters)] }];
};

describe("a ceiling for bytes", () => {
  it("holds for a manual compaction too", async () => {
    verifies("field/bytes-run-out-before-tokens");
    const messages = [
      system("s"),
      ...turns(10),
      user("look"),
      ...Array.from({ length: 6 }, (_, n) => result(`c${n}`, n)).flat(),
    ];
    const { manager, of } = bench({ policy: { maxRequestBytes: MEBIBYTE } });
    const { messages: output, report } = await manager.compact("s", messages);
    expect(report.status).toBe("compacted");
    expect(bytesOf(output)).toBeLessThanOrEqual(MEBIBYTE);
    expect(openaiChatFormat.validate(output)).toEqual([]);
    expect(of("compact.pruned_messages")[0]?.shortened.length).toBeGreaterThan(0);
    expect(JSON.stringify(output.at(-1)).includes(pngBase64(800, 600, 300_000, 5))).toBe(true);
  });

  it("takes documents and sound, and says what they were", async () => {
    verifies("field/bytes-run-out-before-tokens");
    const pdf = {
      type: "file",
      file: { filename: 'a "b".pdf', file_data: `data:application/pdf;base64,JVBERi${"A".repeat(400_000)}` },
    };
    const wav = { type: "input_audio", input_audio: { data: "UklGRg".padEnd(400_000, "A"), format: "wav" } };
    const messages = [
      {
        role: "user",
        content: [
          { type: "text", text: "read" },
          pdf,
          wav,
          { type: "image_url", image_url: { url: "https://example.org/a.png" } },
        ],
      },
      assistant("read"),
      ...[1, 2, 3].flatMap((n) => [withImage(`look ${n}`, n), assistant("seen")]),
      user("go on"),
    ];
    const { manager } = bench({ policy: { maxRequestBytes: MEBIBYTE + 200_000 }, summarizer: neverAsked });
    const output = await manager.preflight("s", messages);
    const first = JSON.stringify(output[0]);
    expect(first).toContain('[document: pdf \\"a \\\\\\"b\\\\\\".pdf\\", removed to save room; message 1 of step 1');
    expect(first).toContain("[audio: wav, removed to save room;");
    expect(first).toContain("https://example.org/a.png");
    expect(output.slice(1).every((message, index) => message === messages[index + 1])).toBe(true);
  });

  it("never touches a protected message or the request that waits, and names the parts when these are too large", async () => {
    verifies("field/bytes-run-out-before-tokens");
    const kept = { ...withImage("the design", 1, 600_000), meta: { protected: true } };
    const asked = withImage("match it", 2, 600_000);
    const messages = [kept, ...[3, 4].flatMap((n) => [withImage(`old ${n}`, n), assistant("seen")]), asked];
    const wide = bench({ policy: { maxRequestBytes: 1_300_000 } });
    const output = await wide.manager.preflight("s", messages);
    expect([output[0], output.at(-1)]).toEqual([kept, asked]);
    expect(output[0]).toBe(kept);
    expect(output.at(-1)).toBe(asked);
    const narrow = bench({ policy: { maxRequestBytes: MEBIBYTE } });
    const given = [...messages];
    const failure: unknown = await narrow.manager.preflight("s", given).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "InsufficientBudget", code: "TOO_MANY_BYTES" });
    expect(String(failure)).toMatch(/max_request_bytes is 1048576: images, documents and sound 1\d{6}, texts \d+/);
    expect(String(failure)).toMatch(/message 1 \(user\): 600\d{3}/);
    expect(given).toEqual(messages);
    expect(narrow.of("compact.pruned_messages")).toHaveLength(0);
  });

  it("gives way to screenshots that a host shows as user messages, once the model has seen them", async () => {
    const steps = Array.from({ length: 12 }, (_, n) => [
      ...pair([`c${n}`], "ok", "click"),
      { role: "user", content: [shot(n)] },
    ]);
    const messages = [withImage("make it look like this", 50), ...steps.flat()];
    const { manager } = bench({ policy: { maxRequestBytes: 2 * MEBIBYTE }, summarizer: neverAsked });
    const output = await manager.preflight("s", messages);
    expect(bytesOf(output)).toBeLessThanOrEqual(2 * MEBIBYTE);
    expect(output[0]).toBe(messages[0]);
    expect(output.at(-1)).toBe(messages.at(-1));
    expect(openaiChatFormat.validate(output)).toEqual([]);
  });

  it("summarizes where it is text that is too long", async () => {
    const messages = [...turns(300), user("go on")];
    const limit = Math.floor(bytesOf(messages) / 2);
    const { manager, of } = bench({ maxContextTokens: 1_000_000, policy: { maxRequestBytes: limit } });
    const output = await manager.preflight("s", messages);
    expect(of("compact.trigger_decision")[0]?.reason).toBe("over_request_bytes");
    expect(bytesOf(output)).toBeLessThanOrEqual(limit);
    expect(of("compact.summary_created")).toHaveLength(1);
  });

  it("keeps pinned messages where they stand when nothing leaves", async () => {
    const pinned = { role: "user", content: "always answer in verse", meta: { protected: true } };
    const old = [1, 2, 3, 4, 5].flatMap((n) => [withImage(`look ${n}`, n), assistant("seen")]);
    const messages = [...old, pinned, assistant("so be it"), user("go on")];
    const { manager } = bench({ policy: { maxRequestBytes: MEBIBYTE + 200_000 }, summarizer: neverAsked });
    const output = await manager.preflight("s", messages);
    expect(output[0]).not.toBe(messages[0]);
    expect(output.slice(4).every((message, index) => message === messages[index + 4])).toBe(true);
  });

  it("keeps the summary of an earlier round when only images have to go", async () => {
    const { manager, of } = bench({ maxContextTokens: 16_000, policy: { maxRequestBytes: MEBIBYTE, targetPct: 0.5 } });
    const first = await manager.preflight("s", [...turns(60), user("go on")]);
    expect(of("compact.summary_created")).toHaveLength(1);
    const shown = [1, 2, 3, 4, 5].flatMap((n) => [withImage(`look ${n}`, n), assistant("seen")]);
    const second = await manager.preflight("s", [...first, assistant("on"), ...shown, user("and?")]);
    expect(of("compact.summary_created")).toHaveLength(1);
    expect(of("compact.pruned_messages")).toHaveLength(2);
    expect(second.slice(0, first.length)).toEqual(first);
    const third = await manager.manualCompact("s", second);
    expect(JSON.stringify(third)).toContain("<COMPACT-SUMMARY v2>");
  });

  it("is shown in place by computer screenshots, which have to stay images", async () => {
    const steps = Array.from({ length: 8 }, (_, n) => [
      {
        type: "computer_call",
        call_id: `c${n}`,
        id: `cc${n}`,
        action: { type: "screenshot" },
        pending_safety_checks: [],
        status: "completed",
      },
      {
        type: "computer_call_output",
        call_id: `c${n}`,
        output: { type: "computer_screenshot", image_url: chatImage(pngBase64(800, 600, 300_000, n)).image_url.url },
      },
    ]);
    const messages = [
      { type: "message", role: "user", content: [{ type: "input_text", text: "click" }] },
      ...steps.flat(),
    ];
    const { manager } = bench({ policy: { maxRequestBytes: 2 * MEBIBYTE }, summarizer: neverAsked });
    const output = await manager.preflight("s", messages);
    expect(bytesOf(output)).toBeLessThanOrEqual(2 * MEBIBYTE);
    expect(openaiResponsesFormat.validate(output)).toEqual([]);
    expect(output[2]).toMatchObject({ output: { type: "computer_screenshot" } });
    expect(JSON.stringify(output[2]).length).toBeLessThan(500);
    expect(output.at(-1)).toBe(messages.at(-1));
  });
});

describe.each(formatHistories)("any history of $format.name under any ceiling", ({ format, historyOf }) => {
  const large = pngBase64(64, 64, 9_000);

  it("comes out valid and below it, or is refused with its parts named", async () => {
    verifies("field/bytes-run-out-before-tokens");
    await fc.assert(
      fc.asyncProperty(historyOf({ maxTurns: 6 }), fc.integer({ min: 30, max: 99 }), async (history, percent) => {
        const messages = JSON.parse(JSON.stringify(history).replaceAll(TINY_PNG, large)) as unknown[];
        const ceiling = Math.max(1024, Math.floor((bytesOf(messages) * percent) / 100));
        const { manager, of } = bench({ maxContextTokens: 64_000, policy: { maxRequestBytes: ceiling } });
        const given = [...messages];
        try {
          const output = await manager.preflight("s", messages, { format: format.name });
          expect(bytesOf(output)).toBeLessThanOrEqual(ceiling);
          expect(format.validate(output, { allowOpenTail: true })).toEqual([]);
          expect(of("compact.pruned_messages").length).toBeLessThanOrEqual(1);
        } catch (error) {
          if (!CompactError.isInstance(error)) throw error;
          expect(error).toMatchObject({ kind: "InsufficientBudget" });
          expect(messages.every((message, index) => message === given[index])).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });
});
