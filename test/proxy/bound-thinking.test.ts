// Thinking that its provider takes back behind the very beginning alone that it was thought behind.
import { describe, expect, it } from "vitest";
import { ask, conversation, openTestProxy } from "./support.ts";

const WINDOW = { config: { maxContextTokens: 8_000 }, provider: { window: 8_000, binds: true } };
const script = () => ({ thinking: "The port matters, and nothing else does.", text: "Looked at it: it holds." });

/** A client that sends back what it was answered, as it was answered. */
async function converse(address: string, turns: number, messages: unknown[]) {
  const told: (readonly [status: number, outcome: string | null])[] = [];
  for (let turn = 0; turn < turns; turn++) {
    messages.push(conversation(turn + 1).at(-1));
    const { status, outcome, text } = await ask(address, messages);
    told.push([status, outcome]);
    messages.push({ role: "assistant", content: JSON.parse(text).content });
  }
  return told;
}

describe("thinking that is bound to what stood before it", () => {
  it("is left out where that was compacted, once the provider has said so, and stays where it was not", async () => {
    const { address, provider } = await openTestProxy({ ...WINDOW, provider: { ...WINDOW.provider, script } });
    const told = await converse(address, 60, []);
    expect(told.map(([status]) => status)).toEqual(told.map(() => 200));
    expect(told.filter(([, outcome]) => outcome === "compacted").length).toBeGreaterThan(1);
    expect(provider.heard.filter(({ status }) => status !== 200)).toHaveLength(1);
    expect(provider.heard.at(-1)?.bytes.toString()).toContain("The port matters");
  });

  it("goes on in a proxy that was started anew", async () => {
    const first = await openTestProxy({ ...WINDOW, provider: { ...WINDOW.provider, script } });
    const messages: unknown[] = [];
    await converse(first.address, 40, messages);
    const second = await openTestProxy({ ...WINDOW, state: first.state, upstream: first.provider.address });
    const told = await converse(second.address, 20, messages);
    expect(told.map(([status]) => status)).toEqual(told.map(() => 200));
  });

  it("is left out where something else has changed, too: a host's own system prompt", async () => {
    const { address, provider } = await openTestProxy({ ...WINDOW, provider: { ...WINDOW.provider, script } });
    const messages: unknown[] = [];
    await converse(address, 3, messages);
    const next = [...messages, { role: "user", content: "And now?" }];
    const { status } = await ask(address, next, { system: "Be brief." });
    expect([status, provider.heard.map((each) => each.status)]).toEqual([200, [200, 200, 200, 400, 200]]);
  });
});
