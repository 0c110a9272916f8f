// What a proxy sends in the place of a conversation that has grown, and that it stays the same between two compactions.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ask, conversation, converse, openTestProxy } from "./support.ts";

const WINDOW = { config: { maxContextTokens: 8_000 }, provider: { window: 8_000, factor: 1.25 } };

const listOf = (bytes: Buffer): readonly unknown[] => JSON.parse(bytes.toString()).messages;
const asTexts = (bytes: Buffer): readonly string[] => listOf(bytes).map((each) => JSON.stringify(each));
const bare = (text: string) => text.replaceAll(/,"cache_control":\{[^}]*\}/g, "");

describe("a conversation through the proxy", () => {
  it("never overflows, and is the client's own bytes until the first compaction", async () => {
    const { address, provider } = await openTestProxy(WINDOW);
    const told = await converse(address, 30);
    expect(told.map(({ status }) => status)).toEqual(told.map(() => 200));
    const first = told.findIndex(({ outcome }) => outcome === "compacted");
    expect(first).toBeGreaterThan(5);
    for (const [at, { bytes }] of provider.heard.slice(0, first).entries()) {
      const body = { model: "claude-sonnet-4-5", max_tokens: 500, messages: conversation(at + 1) };
      expect(bytes.toString()).toBe(JSON.stringify(body));
    }
    expect(told.filter(({ outcome }) => outcome === "compacted").length).toBeGreaterThan(1);
  });

  it("is sent with the same beginning between two compactions, which the provider reads from its cache", async () => {
    const { address, provider } = await openTestProxy(WINDOW);
    const told = await converse(address, 30);
    let kept = 0;
    for (let at = 1; at < told.length; at++) {
      if (told[at]?.outcome !== "replayed") continue;
      const [before, now] = [provider.heard[at - 1], provider.heard[at]];
      if (before === undefined || now === undefined) continue;
      const earlier = asTexts(before.bytes);
      expect(asTexts(now.bytes).slice(0, earlier.length)).toEqual(earlier);
      expect(now.cached).toBe(before.tokens);
      kept++;
    }
    expect(kept).toBeGreaterThan(5);
  });

  it("keeps what was asked for, and every message can be had back from the archive", async () => {
    const { address, provider, state } = await openTestProxy(WINDOW);
    await converse(address, 20);
    const sent = provider.heard.at(-1)?.bytes.toString() ?? "";
    expect(sent).toContain("COMPACT-SUMMARY");
    for (const port of [8000, 8005, 8010]) expect(sent).toContain(String(port));
    const [session = ""] = readdirSync(join(state, "archive")).filter((name) => name.startsWith("anthropic-"));
    const kept = readdirSync(join(state, "archive", session)).join();
    expect(kept).toMatch(/transcript/);
  });

  it.each([
    ["/v1/chat/completions", "messages", "gpt-4o"],
    ["/v1/responses", "input", "gpt-4o"],
  ])("is compacted at %s, too", async (path, list, model) => {
    const { address, provider } = await openTestProxy({ ...WINDOW, provider: { window: 8_000 } });
    let compacted = 0;
    for (let length = 1; length <= 25; length++) {
      const fields = { model, messages: undefined, max_tokens: undefined, [list]: conversation(length) };
      const { status, outcome } = await ask(address, [], fields, {}, path);
      expect(status).toBe(200);
      if (outcome === "compacted") compacted++;
    }
    expect(compacted).toBeGreaterThan(0);
    expect(provider.heard.flatMap(({ violations }) => violations)).toEqual([]);
  });

  it("goes on where it was after a hundred others were compacted and it was let go", { timeout: 60_000 }, async () => {
    const [alone, busy] = [await openTestProxy(WINDOW), await openTestProxy(WINDOW)];
    const sent = ({ provider }: typeof alone) => provider.heard.at(-1)?.bytes.toString();
    for (const { address } of [alone, busy]) await converse(address, 14);
    for (let at = 0; at < 110; at++) await ask(busy.address, conversation(14, `service ${at}`));
    for (const { address } of [alone, busy]) {
      expect((await ask(address, conversation(14))).outcome).toBe("replayed");
      await converse(address, 30);
    }
    expect(sent(busy)).toMatch(/COMPACT-SUMMARY v[2-9]/);
    expect(sent(busy)).toBe(sent(alone));
  });

  it("goes on with the same beginning in a proxy that was started anew, and in another one beside it", async () => {
    const first = await openTestProxy(WINDOW);
    const told = await converse(first.address, 14);
    const before = first.provider.heard.at(-1);
    const second = await openTestProxy({ ...WINDOW, state: first.state });
    expect(told.some(({ outcome }) => outcome === "compacted")).toBe(true);
    const { outcome } = await ask(second.address, conversation(14));
    expect(outcome).toBe("replayed");
    expect(second.provider.heard.at(-1)?.bytes.equals(before?.bytes ?? Buffer.alloc(0))).toBe(true);
    await converse(second.address, 24);
    const again = await ask(first.address, conversation(24));
    expect([again.status, again.outcome]).toEqual([200, "replayed"]);
  });

  it("tells conversations apart that begin alike: no word of one comes into the other", async () => {
    const { address, provider } = await openTestProxy(WINDOW);
    const hello = { role: "user", content: "Hello" };
    const answer = { role: "assistant", content: "Hello. What is it?" };
    const turns = 20;
    for (let length = 2; length <= turns; length++) {
      for (const name of ["copper", "silver"]) await ask(address, [hello, answer, ...conversation(length, name)]);
    }
    const [copper, silver] = provider.heard.slice(-2).map(({ bytes }) => bytes.toString());
    expect(copper).toContain("COMPACT-SUMMARY");
    expect([copper?.includes("copper3"), copper?.includes("silver")]).toEqual([true, false]);
    expect([silver?.includes("silver3"), silver?.includes("copper")]).toEqual([true, false]);
  });

  it("that was rewound is sent as it is, and one that forked after a compaction goes its own way from there", async () => {
    const { address, provider } = await openTestProxy(WINDOW);
    const told = await converse(address, 16);
    const first = told.findIndex(({ outcome }) => outcome === "compacted") + 1;
    expect((await ask(address, conversation(first - 2))).outcome).toBe("passed");
    expect(provider.heard.at(-1)?.bytes.toString()).not.toContain("COMPACT-SUMMARY");
    const fork = (length: number) => [...conversation(first), ...conversation(length, "forked").slice(1)];
    for (let length = 2; length < 14; length++) await ask(address, fork(length));
    const sent = provider.heard.at(-1)?.bytes.toString() ?? "";
    expect(sent).toContain("gateway2");
    expect(sent).not.toContain(`gateway${first + 2}.ts`);
  });

  it("is compacted once, however often the same request comes at once", async () => {
    const { address, provider, lines } = await openTestProxy(WINDOW);
    await converse(address, 10);
    provider.clear();
    const told = await Promise.all(Array.from({ length: 6 }, () => ask(address, conversation(18))));
    expect(told.map(({ status }) => status)).toEqual(told.map(() => 200));
    expect(new Set(provider.heard.map(({ bytes }) => bytes.toString())).size).toBe(1);
    expect(lines.filter((line) => line.includes("compacted from")).length).toBeLessThanOrEqual(2);
  });

  it.each([{ type: "ephemeral" }, { type: "ephemeral", ttl: "1h" }])(
    "has the client's mark for the cache at its head where it sets some, never more than four: %j",
    async (cache_control) => {
      const { address, provider } = await openTestProxy(WINDOW);
      const mark = { cache_control };
      const system = [{ type: "text", text: "You help.", ...mark }];
      const marked = (length: number) =>
        conversation(length).map(({ role, content }, at, all) => ({
          role,
          content: [{ type: "text", text: content, ...(at >= all.length - 2 ? mark : {}) }],
        }));
      const outcomes: (string | null)[] = [];
      for (let length = 1; length <= 24; length++) {
        const { status, outcome } = await ask(address, marked(length), { system });
        expect(status).toBe(200);
        outcomes.push(outcome);
      }
      const at = outcomes.lastIndexOf("compacted");
      const compacted = provider.heard[at]?.bytes.toString() ?? "";
      expect(compacted.split("cache_control").length - 1).toBe(2);
      for (const [place, { bytes, cached, tokens }] of provider.heard.entries()) {
        if (outcomes[place] !== "replayed") continue;
        const before = provider.heard[place - 1];
        expect(bytes.toString().split("cache_control").length - 1).toBe(4);
        expect(cached).toBeGreaterThan(0.8 * (before?.tokens ?? 0));
        expect(
          asTexts(bytes)
            .map(bare)
            .join()
            .startsWith(
              asTexts(before?.bytes ?? bytes)
                .map(bare)
                .slice(0, -2)
                .join(),
            ),
        ).toBe(true);
        expect(tokens).toBeLessThan(8_000);
      }
    },
  );
});

describe("what Claude Code sends", () => {
  const mark = { cache_control: { type: "ephemeral" } };
  const agents = { role: "system", content: "Agents that may be started: Explore, Plan." };
  const left = { role: "system", content: "15000000 tokens left" };
  /** A text is a text, but a list of one while the mark for the cache is on it: the last message of each request. */
  const list = (turns: number) => {
    const [first, ...others] = conversation(turns);
    const all = [first, agents, ...others.flatMap((each) => (each.role === "user" ? [each, left] : [each]))];
    const last = all.at(-1);
    return [...all.slice(0, -1), { ...last, content: [{ type: "text", text: last?.content, ...mark }] }];
  };

  it("is read from the cache between two compactions, although the mark moves on and the form of a message with it", async () => {
    const { address, provider } = await openTestProxy(WINDOW);
    const outcomes: (string | null)[] = [];
    for (let turns = 1; turns <= 24; turns++) {
      const { status, outcome } = await ask(address, list(turns));
      expect(status).toBe(200);
      outcomes.push(outcome);
    }
    expect(outcomes.filter((outcome) => outcome === "compacted").length).toBeLessThan(8);
    expect(outcomes.filter((outcome) => outcome === "replayed").length).toBeGreaterThan(8);
    expect(provider.heard.flatMap(({ violations }) => violations)).toEqual([]);
  });

  it("keeps its system messages in their role, where the provider takes them", async () => {
    const { address, provider } = await openTestProxy(WINDOW);
    for (let turns = 1; turns <= 24; turns++) await ask(address, list(turns));
    const last = listOf(provider.heard.at(-1)?.bytes ?? Buffer.alloc(0)) as { role: string; content: unknown }[];
    const at = last.findIndex(({ content }) => JSON.stringify(content).includes("may be started"));
    expect([last[at - 1]?.role, last[at]?.role, last[at + 1]?.role]).toEqual(["user", "system", "assistant"]);
    expect(JSON.stringify(last[at - 1])).toContain("COMPACT-SUMMARY");
  });
});

describe("a window that nobody knew", () => {
  it("is learned from the provider's refusal, and the request is sent again, smaller", async () => {
    const { address, lines } = await openTestProxy({ provider: { window: 6_000 } });
    const told = await converse(address, 24);
    expect(told.map(({ status }) => status)).toEqual(told.map(() => 200));
    expect(told.filter(({ outcome }) => outcome === "compacted").length).toBeGreaterThan(1);
    expect(lines.join("\n")).toContain("compacted from");
  });

  it("is not guessed for a model that nobody knows: its requests pass until one is refused", async () => {
    const { address } = await openTestProxy({ provider: { window: 6_000 } });
    for (let length = 1; length <= 24; length++) {
      const { status } = await ask(address, conversation(length), { model: "acme-large" });
      expect(status).toBe(200);
    }
  });

  it("is a million where the client asks for it", async () => {
    const { address } = await openTestProxy({ provider: {} });
    const beta = { "anthropic-beta": "tools-2025,context-1m-2025-08-07" };
    const long = Array.from({ length: 801 }, (_, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      content: `${at} ${"word ".repeat(300)}`,
    }));
    expect((await ask(address, long, {}, beta)).outcome).toBe("passed");
    expect((await ask(address, long)).outcome).toBe("compacted");
  });

  it("is the configured one where there is one, whatever the client asks for", async () => {
    const { address, provider } = await openTestProxy(WINDOW);
    const beta = { "anthropic-beta": "context-1m-2025-08-07" };
    for (let turns = 1; turns <= 20; turns++) await ask(address, conversation(turns), {}, beta);
    expect(provider.heard.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it("keeps room for the answer that the request wishes for", async () => {
    const { address, provider } = await openTestProxy(WINDOW);
    for (let length = 1; length <= 20; length++) await ask(address, conversation(length), { max_tokens: 3_000 });
    expect(Math.max(...provider.heard.map(({ tokens }) => tokens))).toBeLessThan(5_000);
  });

  it("gives way to the conversation where both do not fit: an answer that is cut is better than none", async () => {
    const { address, provider } = await openTestProxy(WINDOW);
    const system = `You help. ${"Be careful with the gateway. ".repeat(500)}`;
    const outcomes: (string | null)[] = [];
    for (let length = 1; length <= 24; length++) {
      const { status, outcome } = await ask(address, conversation(length), { system, max_tokens: 4_000 });
      expect(status).toBe(200);
      outcomes.push(outcome);
    }
    expect(outcomes).toContain("compacted");
    expect(provider.heard.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe("what the provider counted", () => {
  it("decides when it is more than we count", async () => {
    const { address, provider } = await openTestProxy({ ...WINDOW, provider: { window: 8_000, factor: 2 } });
    const told = await converse(address, 24);
    expect(told.filter(({ status }) => status !== 200)).toEqual([]);
    expect(provider.heard.filter(({ status }) => status !== 200).length).toBeLessThanOrEqual(1);
  });

  it("decides where the request only names what it holds", async () => {
    const { address, provider } = await openTestProxy(WINDOW);
    const image = { type: "image", source: { type: "url", url: "https://example.com/a.png" } };
    const short = (turns: number) =>
      conversation(turns).map(({ role, content }, at) =>
        role === "user"
          ? { role, content: [{ type: "text", text: `${at} ${content.slice(0, 40)}` }, image] }
          : { role, content: "Seen." },
      );
    for (let length = 1; length <= 14; length++) expect((await ask(address, short(length))).status).toBe(200);
    expect(provider.heard.filter(({ status }) => status !== 200)).toEqual([]);
    expect(provider.heard.at(-1)?.bytes.toString()).toContain("COMPACT-SUMMARY");
  });

  it("is asked of what would be sent, so that a host does not compact as well", async () => {
    const { address, provider } = await openTestProxy(WINDOW);
    await converse(address, 14);
    const counted = await ask(address, conversation(14), { max_tokens: undefined }, {}, "/v1/messages/count_tokens");
    const { input_tokens } = JSON.parse(counted.text);
    expect(input_tokens).toBe(provider.heard.at(-2)?.tokens);
    const original = await openTestProxy({ ...WINDOW, parts: { report: "original" } });
    await converse(original.address, 14);
    const whole = await ask(original.address, conversation(14), {}, {}, "/v1/messages/count_tokens");
    expect(JSON.parse(whole.text).input_tokens).toBeGreaterThan(input_tokens);
  });
});

describe("a report of the original size", () => {
  it.each([true, false])(
    "tells the agent what it sent, and the rest of the answer as it is; streaming: %s",
    async (stream) => {
      const { address, provider } = await openTestProxy({ ...WINDOW, parts: { report: "original" } });
      const told: { outcome: string | null; tokens: number; text: string }[] = [];
      for (let length = 1; length <= 26; length++) {
        const { outcome, text } = await ask(address, conversation(length), { stream });
        const tokens =
          /"input_tokens":(\d+),"cache_read_input_tokens":(\d+),"cache_creation_input_tokens":(\d+)/.exec(text) ?? [];
        told.push({ outcome, text, tokens: tokens.slice(1).reduce((sum, each) => sum + Number(each), 0) });
      }
      expect(told.some(({ outcome }) => outcome === "compacted")).toBe(true);
      // What is not sent is counted by us, the rest by this provider: 1.25 for one of ours.
      const growth = told.slice(1).map(({ tokens }, at) => tokens - (told[at]?.tokens ?? 0));
      expect(Math.min(...growth)).toBeGreaterThan(100);
      const last = told.at(-1);
      expect(last?.tokens).toBeGreaterThan(1.5 * (provider.heard.at(-1)?.tokens ?? 0));
      expect(last?.text).toContain(stream ? '"type":"message_stop"' : '"stop_reason":"end_turn"');
    },
  );
});

describe("state on disk", () => {
  it("holds no key and no secret of the conversation, and is the owner's alone", async () => {
    const { address, state } = await openTestProxy(WINDOW);
    const secret = `sk-ant-api03-${"q7".repeat(45)}AA`;
    const key = `sk-ant-api03-${"k9".repeat(45)}AA`;
    const leaky = (length: number) =>
      conversation(length).map((each, at) => (at === 2 ? { ...each, content: `${each.content} key ${secret}` } : each));
    for (let length = 1; length <= 16; length++) {
      await ask(address, leaky(length), {}, { "x-api-key": key, authorization: `Bearer ${key}` });
    }
    const files = readdirSync(state, { recursive: true, encoding: "utf8" }).map((name) => join(state, name));
    const plain = files.filter((file) => statSync(file).isFile());
    expect(plain.length).toBeGreaterThan(3);
    for (const file of plain) {
      const text = readFileSync(file, "latin1");
      expect([text.includes(secret), text.includes(key)]).toEqual([false, false]);
      if (file.includes("/heads/")) expect(statSync(file).mode & 0o077).toBe(0);
    }
  });

  it("that is damaged costs one more compaction and nothing else", async () => {
    const first = await openTestProxy(WINDOW);
    await converse(first.address, 14);
    const heads = join(first.state, "heads");
    for (const name of readdirSync(heads, { recursive: true, encoding: "utf8" })) {
      if (name.endsWith(".json")) writeFileSync(join(heads, name), '{"covers": 3, "pieces": [99');
    }
    const second = await openTestProxy({ ...WINDOW, state: first.state });
    const { status, outcome } = await ask(second.address, conversation(14));
    expect([status, outcome]).toEqual([200, "compacted"]);
  });
});
