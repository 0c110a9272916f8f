// What is being worked on stays: the open request, calls in flight, the newest result.
import { describe, expect, it } from "vitest";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { verifies } from "../requirements/verifies.ts";
import { DIALECTS } from "./pictures.ts";
import { assistant, bench, type ChatMessage, pair, system, textOf, turns, user } from "./support.ts";

const request = user("Rename column qty to quantity in 3 services; do NOT touch the audit table");

describe("the open request", () => {
  it.each([0, 1, 6])("stays verbatim and behind the summary with keep_recent_turns %i", async (keepRecentTurns) => {
    verifies("field/open-request-disappears", "rulings/never-removed");
    const { manager } = bench({ policy: { keepRecentTurns } });
    const output = await manager.manualCompact("s", [...turns(12), request]);
    expect(output.at(-1)).toBe(request);
    expect(output.length).toBeLessThan(25);
  });

  it("stays when it is two messages, and when 40 tool pairs follow it", async () => {
    const second = user("And keep the old name as an alias.");
    const work = Array.from({ length: 40 }, (_, index) => pair([`c${index}`], "x ".repeat(400))).flat();
    const { manager } = bench({ policy: { keepRecentTurns: 1 } });
    const output = await manager.manualCompact("s", [...turns(12), request, second, ...work]);
    const positions = [request, second].map((message) => output.indexOf(message));
    expect(positions[0]).toBeGreaterThan(0);
    expect(positions[1]).toBe((positions[0] ?? 0) + 1);
    expect(output.slice(-8)).toEqual(work.slice(-8));
  });
});

describe("an assistant that says what it will do", () => {
  const second = user("And keep the old name as an alias.");
  const work = Array.from({ length: 40 }, (_, index) => pair([`c${index}`], "x ".repeat(400))).flat();

  it.each([0, 1, 6])("and goes on working has not answered yet (keep_recent_turns %i)", async (keepRecentTurns) => {
    verifies("field/open-request-disappears");
    const { manager } = bench({ policy: { keepRecentTurns } });
    const list = [...turns(12), request, second, assistant("I'll start with the first service."), ...work];
    const output = await manager.manualCompact("s", list);
    expect(output.filter((message) => message === request || message === second)).toEqual([request, second]);
    expect(output.length).toBeLessThan(40);
  });

  it("has answered once nothing follows but the user", async () => {
    const { manager } = bench({ policy: { keepRecentTurns: 0 } });
    const output = await manager.manualCompact("s", [...turns(12), request, ...work, assistant("All done."), second]);
    expect(output).not.toContain(request);
    expect(output.at(-1)).toBe(second);
  });
});

describe("one turn with many tool pairs", () => {
  it("fits the window at every step of 120, and never loses the request or the newest result", async () => {
    verifies("field/one-turn-history", "rulings/turns-and-tool-pairs");
    const { manager, of } = bench({ maxContextTokens: 32_000 });
    const order = user("migrate the billing module");
    let messages: readonly unknown[] = [system("You migrate code."), order];
    for (let step = 1; step <= 120; step++) {
      const newest = pair([`c${step}`], `result ${step}: ${"value ".repeat(800)}`);
      messages = await manager.preflight("s", [...messages, ...newest]);
      expect(messages).toContain(order);
      expect(messages.slice(-2)).toEqual(newest);
      expect(openaiChatFormat.validate(messages)).toEqual([]);
    }
    const after = of("compact.pruned_messages");
    expect(after.length).toBeGreaterThan(2);
    for (const event of after) expect(event.tokens_after).toBeLessThanOrEqual(30_500);
    for (const event of of("compact.token_estimate")) expect(event.t_est).toBeLessThanOrEqual(32_000);
  });
});

describe("calls in flight", () => {
  it("are kept whole while the older part is compacted, and the late result makes a valid list", async () => {
    verifies("field/compaction-between-call-and-result");
    const [call, first, late] = pair(["c1", "c2"]) as [ChatMessage, ChatMessage, ChatMessage];
    const { manager } = bench();
    const output = await manager.manualCompact("s", [...turns(12), request, call, first]);
    expect(output.slice(-3)).toEqual([request, call, first]);
    expect(openaiChatFormat.validate([...output, late])).toEqual([]);
  });

  it("that never came back do not block compaction, and are named in the event", async () => {
    verifies("field/dead-call-blocks-compaction");
    const [call] = pair(["c7"]) as [ChatMessage];
    const { manager, of } = bench();
    const output = await manager.manualCompact("s", [...turns(3), user("try it"), call, ...turns(60)]);
    expect(of("compact.pruned_messages")[0]?.dead_calls).toEqual(["c7"]);
    expect(openaiChatFormat.validate(output)).toEqual([]);
    expect(output.length).toBeLessThan(20);
  });
});

describe.each(DIALECTS)("what runs beside the conversation, in $name", ({ name, user: says, text, step, answer }) => {
  it("is carried with its status through sixty turns, what has ended is not told as running", async () => {
    verifies("field/running-handles-lost");
    const { manager } = bench({ policy: { keepToolIoPairs: 0 } });
    let list: readonly unknown[] = [
      says([text("start the helpers")]),
      ...step("c1", [text('{"agent_id":"ag_7f31","status":"running"}')]),
      ...step("c2", [text('{"agent_id":"explorer","status":"running"}')]),
      ...step("c3", [text("Process running with session ID 48211")]),
      ...step("c4", [text('{"agent_id":"ag_0c2","status":"running"}')]),
      ...step("c5", [text('{"agent_id":"ag_0c2","status":"done"}')]),
      answer("started"),
    ];
    for (let round = 0; round < 3; round++) {
      const talk = Array.from({ length: 20 }, (_, n) => [
        says([text(`question ${round}.${n}`)]),
        answer(`answer ${round}.${n} ${"word ".repeat(150)}`),
      ]).flat();
      list = await manager.manualCompact("s", [...list, ...talk, ...step(`n${round}`, [text("fine")]), answer("ok")], {
        format: name,
      });
    }
    expect(textOf(list)).toMatch(/ag_7f31\W+status\W+running/);
    expect(textOf(list)).toMatch(/explorer\W+status\W+running/);
    expect(textOf(list)).toContain("running with session ID 48211");
    // What ended may go; where it stands, its end stands behind its beginning.
    const told = [...textOf(list).matchAll(/ag_0c2\W+status\W+(\w+)/g)].map(([, status]) => status);
    if (told.length > 0) expect(told.at(-1)).toBe("done");
  });
});

describe("an empty or system-only list", () => {
  it.each([[[]], [[system("You help.")]]])("goes back unchanged", async (messages) => {
    const { manager, of } = bench();
    expect(await manager.preflight("s", messages)).toBe(messages);
    expect(of("compact.trigger_decision")[0]?.triggered).toBe(false);
  });

  it("counts odd shapes without failing", async () => {
    const odd: readonly unknown[] = ["", null, [], [{ type: "text" }], [{ type: "input_text", text: "x" }], 7].flatMap(
      (content) => [
        { role: "user", content, name: undefined },
        { role: "assistant", content: "seen" },
      ],
    );
    const { manager, of } = bench();
    await manager.preflight("s", odd);
    expect(of("compact.token_estimate")[0]?.t_est).toBeGreaterThan(0);
    expect(textOf(odd)).toContain("seen");
  });
});
