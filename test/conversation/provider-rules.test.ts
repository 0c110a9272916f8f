// The list that comes out is one its provider accepts, whatever is kept around the summary.
import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { verifies } from "../requirements/verifies.ts";
import { assistant, bench, type ChatMessage, pair, system, turns, user } from "./support.ts";

const filler = "lorem ipsum dolor sit amet ".repeat(60);

describe("a batch of parallel calls", () => {
  it("is never split, wherever the cut falls", async () => {
    verifies("field/cut-inside-a-tool-call-batch");
    for (let keepToolIoPairs = 0; keepToolIoPairs <= 4; keepToolIoPairs++) {
      for (let keepRecentTurns = 0; keepRecentTurns <= 3; keepRecentTurns++) {
        const batches = Array.from({ length: 3 }, (_, n) => [
          ...pair([`a${n}`, `b${n}`, `c${n}`], filler),
          user(`next ${n}`),
          assistant(filler),
        ]).flat();
        const { manager } = bench({ policy: { keepToolIoPairs, keepRecentTurns } });
        const output = await manager.manualCompact("s", [system("s"), user("go"), ...batches, user("and now?")]);
        expect(openaiChatFormat.validate(output)).toEqual([]);
      }
    }
  });

  it("keeps Anthropic results in the one next user message, with the user's words behind them", async () => {
    const batch = (n: number) => [
      {
        role: "assistant",
        content: [
          { type: "text", text: filler },
          { type: "tool_use", id: `t${n}`, name: "run", input: { n } },
          { type: "tool_use", id: `u${n}`, name: "run", input: { n } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: `t${n}`, content: filler },
          { type: "tool_result", tool_use_id: `u${n}`, content: "ok" },
          { type: "text", text: `also check the logs ${n}` },
        ],
      },
    ];
    const history = [
      user("go"),
      ...Array.from({ length: 8 }, (_, n) => batch(n)).flat(),
      assistant("All done."),
      user("thanks"),
    ];
    for (let keep = 0; keep <= 8; keep++) {
      const { manager } = bench({ policy: { keepToolIoPairs: keep, keepRecentTurns: 1 } });
      const output = await manager.manualCompact("s", history);
      expect(anthropicFormat.validate(output)).toEqual([]);
      for (let n = 0; n < 8; n++) expect(JSON.stringify(output)).toContain(`also check the logs ${n}`);
    }
  });
});

describe("reasoning items", () => {
  it("stay with the item they belong to, wherever the cut falls", async () => {
    verifies("field/reasoning-parted-from-its-item");
    const reasoning = (id: string) => ({ type: "reasoning", id, summary: [], encrypted_content: "gAAA" });
    const round = (n: number) => [
      { type: "message", role: "user", content: [{ type: "input_text", text: `question ${n} ${filler}` }] },
      reasoning(`rs_${n}a`),
      { type: "function_call", id: `fc_${n}`, call_id: `call_${n}`, name: "run", arguments: "{}" },
      { type: "function_call_output", call_id: `call_${n}`, output: filler },
      reasoning(`rs_${n}b`),
      reasoning(`rs_${n}c`),
      {
        type: "message",
        id: `msg_${n}`,
        role: "assistant",
        content: [{ type: "output_text", text: filler, annotations: [] }],
      },
    ];
    const items = Array.from({ length: 6 }, (_, n) => round(n)).flat();
    for (let turnsKept = 0; turnsKept <= 6; turnsKept++) {
      for (let pairsKept = 0; pairsKept <= 6; pairsKept++) {
        const { manager } = bench({ policy: { keepRecentTurns: turnsKept, keepToolIoPairs: pairsKept } });
        expect(openaiResponsesFormat.validate(await manager.manualCompact("s", items))).toEqual([]);
      }
    }
  });
});

describe("strip_reasoning", () => {
  it.each([
    [
      "openai-chat",
      (n: number) => [
        { role: "assistant", content: "", reasoning_content: `why ${n}`, tool_calls: pair([`c${n}`])[0]?.tool_calls },
        { role: "tool", tool_call_id: `c${n}`, content: filler },
        { role: "assistant", content: filler, reasoning_content: `and so ${n}` },
      ],
    ],
    [
      "anthropic",
      (n: number) => [
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: `why ${n}`, signature: "s" },
            { type: "tool_use", id: `c${n}`, name: "run", input: {} },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: `c${n}`, content: filler }] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: `and so ${n}`, signature: "s" },
            { type: "text", text: filler },
          ],
        },
      ],
    ],
  ])(
    "%s: leaves the reasoning that stands beside calls, which some servers ask for however old it is",
    async (format, step) => {
      verifies("fault/provider-terms-unmet");
      const round = (n: number) => [{ role: "user", content: `question ${n} ${filler}` }, ...step(n)];
      const list = [...Array.from({ length: 8 }, (_, n) => round(n)).flat(), { role: "user", content: "and?" }];
      const { manager } = bench({ policy: { stripReasoning: true } });
      const output = await manager.manualCompact("s", list, { format });
      const said = JSON.stringify(output.slice(1));
      expect(said.match(/"why \d"/g)?.length).toBe(said.match(/"(?:tool_calls|tool_use)"/g)?.length);
      expect(said).toContain('"why 7"');
      expect(said).not.toMatch(/"and so \d"/);
    },
  );

  it("leaves out the reasoning of finished turns, and the id it was matched by; the running turn keeps its own", async () => {
    const item = (type: string, rest: object) => ({ type, ...rest });
    const round = (n: number) => [
      item("message", { role: "user", content: [{ type: "input_text", text: `question ${n} ${filler}` }] }),
      item("reasoning", { id: `rs_${n}`, summary: [], encrypted_content: "gAAA" }),
      item("function_call", { id: `fc_${n}`, call_id: `call_${n}`, name: "run", arguments: "{}" }),
      item("function_call_output", { call_id: `call_${n}`, output: filler }),
      item("message", { id: `msg_${n}`, role: "assistant", content: [{ type: "output_text", text: filler }] }),
    ];
    const items = [...Array.from({ length: 8 }, (_, n) => round(n)).flat(), ...round(8).slice(0, 4)];
    const { manager } = bench({ policy: { stripReasoning: true } });
    const output = (await manager.manualCompact("s", items)) as readonly {
      type: string;
      id?: string;
      call_id?: string;
    }[];
    expect(openaiResponsesFormat.validate(output)).toEqual([]);
    expect(output.filter(({ type }) => type === "reasoning").map(({ id }) => id)).toEqual(["rs_8"]);
    const calls = output.filter(({ type }) => type === "function_call");
    expect(calls.map(({ id }) => id)).toEqual([undefined, undefined, undefined, "fc_8"]);
    expect(calls.map(({ call_id }) => call_id)).toEqual(["call_5", "call_6", "call_7", "call_8"]);
  });

  it("takes signed blocks whole from finished Anthropic turns", async () => {
    const thinking = { type: "thinking", thinking: "hm", signature: "S==" };
    const answer = (n: number) => ({
      role: "assistant",
      content: [thinking, { type: "text", text: `${n} ${filler}` }],
    });
    const history = Array.from({ length: 10 }, (_, n) => [user(`question ${n}`), answer(n)]).flat();
    const { manager } = bench({ policy: { stripReasoning: true } });
    const output = await manager.manualCompact("s", [...history, user("next")]);
    expect(anthropicFormat.validate(output)).toEqual([]);
    expect(JSON.stringify(output)).not.toContain("S==");
  });
});

describe("signed thinking", () => {
  it("is untouched while the result behind it is shortened to fit", async () => {
    verifies("field/thinking-blocks-altered");
    const live = {
      role: "assistant",
      content: [
        { type: "thinking", thinking: `api_key=demo-123456789 ${"thought ".repeat(500)}`, signature: "S==" },
        { type: "redacted_thinking", data: "opaque" },
        { type: "text", text: "Reading the log." },
        { type: "tool_use", id: "t9", name: "read", input: { path: "log" } },
      ],
    };
    const before = structuredClone(live);
    const history = [
      user("why does it fail?"),
      live,
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t9", content: "line of a log file\n".repeat(8000) }],
      },
    ];
    const { manager, of } = bench({ maxContextTokens: 12_000 });
    const output = await manager.preflight("s", history);
    expect(of("compact.pruned_messages")[0]?.shortened).toHaveLength(1);
    expect(output.find((message) => message === live)).toEqual(before);
    expect(anthropicFormat.validate(output)).toEqual([]);
  });
});

describe("a list that arrives damaged", () => {
  const damaged = () => [
    { role: "tool", tool_call_id: "gone", content: "an orphan" },
    ...turns(10),
    ...pair(["dead"]).slice(0, 1),
    user("go on"),
    ...pair(["c1"]),
    { role: "tool", tool_call_id: "c1", content: "ok" },
    assistant("done"),
  ];

  it("is healed, and the report lists each repair", async () => {
    verifies("field/history-damaged-on-arrival", "rulings/damaged-input");
    const { manager, of } = bench();
    const { messages, report } = await manager.compact("s", damaged());
    expect(openaiChatFormat.validate(messages)).toEqual([]);
    expect(report.repairs.map(({ kind }) => kind).sort()).toEqual(["dead_call", "duplicate_result", "orphan_result"]);
    expect(of("compact.pruned_messages")[0]?.repairs).toHaveLength(3);
    expect(JSON.stringify(messages)).not.toContain('"tool_call_id":"gone"');
  });

  it("is refused in strict mode with the place of each fault", async () => {
    const { manager } = bench();
    const failure = await manager.compact("s", damaged(), { isStrict: true }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: "InvalidInput",
      code: "DAMAGED_INPUT",
      message: expect.stringContaining("message 1: orphan result"),
    });
    expect((failure as { data: { faults: readonly unknown[] } }).data.faults).toHaveLength(3);
  });
});

describe("first and last roles", () => {
  it("never end in an assistant message the caller did not send, and never open an Anthropic list with one", async () => {
    verifies("field/wrong-first-or-last-role", "conversation/three-layer-output");
    const nothingRecent = { policy: { keepRecentTurns: 0, keepToolIoPairs: 0 } };
    const chat = await bench(nothingRecent).manager.manualCompact("s", [system("s"), ...turns(8)]);
    expect(chat.map((message) => (message as ChatMessage).role)).toEqual(["system", "user"]);
    const anthropic = await bench(nothingRecent).manager.compact("s", turns(8), { format: "anthropic" });
    expect(anthropic.messages).toHaveLength(1);
    expect(anthropicFormat.validate(anthropic.messages)).toEqual([]);
    const alone = Array.from({ length: 12 }, (_, n) => assistant(`thought ${n} ${filler}`));
    for (const format of ["anthropic", "openai-chat"]) {
      const { messages } = await bench().manager.compact("s", alone, { format });
      expect(messages.length).toBeGreaterThan(0);
      if (format === "anthropic") expect(messages[0]).toMatchObject({ role: "user" });
    }
  });

  it("alternate in an Anthropic list that alternated", async () => {
    const { manager } = bench();
    const { messages } = await manager.compact("s", turns(12), { format: "anthropic" });
    const roles = messages.map((message) => (message as ChatMessage).role);
    expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? "user" : "assistant")));
    const again = await manager.compact("s", [...messages, ...turns(12, (n) => `later ${n}`)], { format: "anthropic" });
    expect(again.report.summary.version).toBe(2);
    const later = again.messages.map((message) => (message as ChatMessage).role);
    expect(later).toEqual(later.map((_, index) => (index % 2 === 0 ? "user" : "assistant")));
  });
});

describe("fields we know nothing of", () => {
  it("survive two rounds on the same objects", async () => {
    verifies("field/fields-lost-on-round-trip", "rulings/kept-messages-identical");
    const odd = [
      { role: "user", content: "keep", name: "ada", x_vendor: { z: 1, a: [null] }, meta: { protected: true } },
      {
        role: "assistant",
        content: "kept",
        refusal: null,
        annotations: [],
        audio: { id: "audio_1" },
        cache_control: { type: "ephemeral" },
      },
    ];
    const before = JSON.stringify(odd);
    const { manager } = bench({ protect: (message) => message === odd[1] });
    const first = await manager.manualCompact("s", [...odd, ...turns(10)]);
    const second = await manager.manualCompact("s", [...first, ...turns(10)]);
    expect(second[0]).toBe(odd[0]);
    expect(second[1]).toBe(odd[1]);
    expect(JSON.stringify(second.slice(0, 2))).toBe(before);
  });

  it("stay on frozen input, which is never written to", async () => {
    verifies("field/input-mutated");
    const freeze = <T>(value: T): T => {
      if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
      return value;
    };
    const messages = freeze([...turns(10), ...pair(["c1"], filler), user("next")]);
    const copy = structuredClone(messages);
    await bench().manager.manualCompact("s", messages);
    expect(messages).toEqual(copy);
  });
});
