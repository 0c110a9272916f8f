// What a prompt cache can use: between two compactions each list is the one before with something behind it, and one
// pass over a list rewrites it once.
import { describe, expect, it } from "vitest";
import type { Summarizer } from "../../src/index.ts";
import type { SummaryRequest } from "../../src/summaries/summarizer.ts";
import { verifies } from "../requirements/verifies.ts";
import { DIALECTS, pngBase64 } from "./pictures.ts";
import { assistant, bench, type ChatMessage, pair, system, turns, user } from "./support.ts";

const output = (n: number, characters: number) =>
  `result ${n}\n${Array.from({ length: characters / 8 }, (_, word) => `w${(word * 7 + n) % 9000}`).join(" ")}`;

const startsWith = (list: readonly unknown[], prefix: readonly unknown[]) =>
  prefix.length <= list.length &&
  prefix.every((message, index) => JSON.stringify(message) === JSON.stringify(list[index]));

/** Everything that could differ between two runs: the clock and the session's own past. */
async function replayWith(now: () => number, steps: readonly (readonly unknown[])[]) {
  const { manager, of } = bench({ maxContextTokens: 32_000, now });
  const outputs: string[] = [];
  let breaks = 0;
  let before: readonly unknown[] = [];
  for (const messages of steps) {
    const compactions = of("compact.pruned_messages").length;
    const list = await manager.preflight("s", messages);
    if (!startsWith(list, before)) {
      breaks++;
      expect(of("compact.pruned_messages").length).toBe(compactions + 1);
    } else if (of("compact.pruned_messages").length === compactions) {
      expect(list.length).toBeGreaterThan(before.length);
    }
    outputs.push(JSON.stringify(list));
    before = list;
  }
  return { outputs, breaks, compactions: of("compact.pruned_messages").length };
}

describe("25 preflights with one tool pair appended each time", () => {
  const head = [system("You write code."), user("Make the tests pass.")];
  const steps = Array.from({ length: 25 }, (_, k) => [
    ...head,
    ...Array.from({ length: k + 1 }, (_, n) => pair([`c${n}`], output(n, 4_800))).flat(),
  ]);

  it("give each list as the one before with the pair behind it, but for one break a compaction", async () => {
    verifies("field/prefix-changes-each-turn");
    const { breaks, compactions } = await replayWith(() => Date.UTC(2031, 0, 1), steps);
    expect(compactions).toBe(1);
    expect(breaks).toBe(1);
  });

  it("give the same bytes for the same input, whatever the clock says", async () => {
    verifies("field/prefix-changes-each-turn");
    const early = await replayWith(() => Date.UTC(2031, 0, 1), steps);
    let ticks = Date.UTC(2039, 5, 5);
    const late = await replayWith(() => (ticks += 12_345), steps);
    expect(early.outputs.every((text, index) => text === late.outputs[index])).toBe(true);
    const sent = late.outputs.at(-1) ?? "";
    expect(/203\d-\d\d|\d\d:\d\d:\d\d/.test(sent)).toBe(false);
  });

  it("hold too when the caller goes on from each answer instead of its own history", async () => {
    verifies("field/prefix-changes-each-turn");
    const { manager, of } = bench({ maxContextTokens: 32_000 });
    let list: readonly unknown[] = head;
    let breaks = 0;
    for (let n = 0; n < 25; n++) {
      const given = [...list, ...pair([`c${n}`], output(n, 4_800))];
      const now = await manager.preflight("s", given);
      if (!startsWith(now, list)) breaks++;
      list = now;
    }
    expect(of("compact.pruned_messages")).toHaveLength(breaks);
    expect(breaks).toBe(1);
  });
});

describe.each(DIALECTS)(
  "thirty steps in $name, with a picture now and then",
  ({ name, image, text, user: says, step }) => {
    it("break the prefix at a compaction and nowhere else", async () => {
      verifies("field/prefix-changes-each-turn");
      const { manager, of } = bench({ maxContextTokens: 32_000 });
      const history: object[] = [says([text("go on")])];
      let before: readonly unknown[] = [];
      for (let n = 0; n < 30; n++) {
        const shown = n % 3 === 0 ? [image(pngBase64(800, 600, 2_000, n))] : [];
        history.push(...step(`c${n}`, [text(output(n, 4_000)), ...shown]));
        const compactions = of("compact.pruned_messages").length;
        const now = await manager.preflight("s", history, { format: name });
        expect(of("compact.pruned_messages").length - compactions).toBe(startsWith(now, before) ? 0 : 1);
        before = now;
      }
      expect(of("compact.pruned_messages").length).toBeGreaterThan(0);
      expect(of("compact.pruned_messages").length).toBeLessThan(4);
    });
  },
);

describe("one pass", () => {
  it("shortens and summarizes in one rewrite", async () => {
    verifies("field/two-rewrites-in-one-pass");
    let calls = 0;
    const summarizer: Summarizer = {
      kind: "model",
      async summarize() {
        calls++;
        return { text: "## Task\nThe tests are being made to pass.", source: "model" };
      },
    };
    const { manager, archive, of } = bench({ maxContextTokens: 32_000, summarizer });
    // Shortening the newest result alone would not do, nor would leaving out the oldest turns.
    const messages = [system("s"), ...turns(60), user("read it"), ...pair(["c1"], output(1, 400_000))];
    const list = await manager.preflight("s", messages);
    expect(of("compact.token_estimate")[0]?.t_est).toBeGreaterThan(32_000 * 1.3);
    expect(of("compact.pruned_messages")).toHaveLength(1);
    const [event] = of("compact.pruned_messages");
    expect(event?.shortened).toHaveLength(1);
    expect(event?.pruned_count).toBeGreaterThan(50);
    expect(event?.tokens_after).toBeLessThanOrEqual(30_500);
    expect(calls).toBe(1);
    expect(await archive.nextStep("s")).toBe(2);
    expect(await manager.preflight("s", messages)).toEqual(list);
    expect(of("compact.pruned_messages")).toHaveLength(1);
  });

  it.each(DIALECTS)("takes out images and turns together where both are too many ($name)", async (dialect) => {
    verifies("field/two-rewrites-in-one-pass");
    const { name, image, text, user: says, step, answer } = dialect;
    const old = Array.from({ length: 40 }, (_, n) => [
      says([text(`question ${n}`)]),
      ...step(`c${n}`, [text(output(n, 4_800)), image(pngBase64(800, 600, 120_000, n))]),
      answer(output(n, 800)),
    ]).flat();
    const { manager, of } = bench({ maxContextTokens: 64_000, policy: { maxRequestBytes: 500_000 } });
    const list = await manager.preflight("s", [...old, says([text("go on")])], { format: name });
    expect(of("compact.pruned_messages")).toHaveLength(1);
    const [event] = of("compact.pruned_messages");
    expect(event?.pruned_count).toBeGreaterThan(50);
    expect(event?.shortened.length).toBeGreaterThan(0);
    expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(500_000);
    expect(event?.tokens_after).toBeLessThanOrEqual(48_000);
  });

  it("leaves turns alone where images alone bring the tokens down far enough", async () => {
    verifies("field/two-rewrites-in-one-pass");
    const shown = Array.from({ length: 32 }, (_, n) => [
      {
        role: "user",
        content: [{ type: "text", text: `look ${n}` }, DIALECTS[0]?.image(pngBase64(1500, 900, 60_000, n))],
      },
      assistant("seen"),
    ]).flat();
    const { manager, of } = bench({ maxContextTokens: 64_000, policy: { maxRequestBytes: 1_000_000 } });
    const list = await manager.preflight("s", [...shown, user("and now?")]);
    expect(of("compact.trigger_decision")[0]?.reason).toBe("over_trigger_pct");
    expect(of("compact.pruned_messages")[0]).toMatchObject({ pruned_count: 0 });
    expect(of("compact.pruned_messages")[0]?.tokens_after).toBeLessThanOrEqual(48_000);
    expect(list).toHaveLength(shown.length + 1);
  });
});

describe("protected messages", () => {
  it("come out unchanged and are shown to no summarizer, by mark or by role", async () => {
    verifies("conversation/protected-message-never-pruned", "conversation/role-based-protection");
    const requests: SummaryRequest[] = [];
    const summarizer: Summarizer = {
      kind: "model",
      async summarize(request) {
        requests.push(request);
        return { text: "## Task\nQuestions were answered.", source: "model" };
      },
    };
    const marked: ChatMessage = { ...user("KEEP-4711 is the contract"), meta: { protected: true } };
    const byRole = [system("SYSTEM-4712"), { role: "developer", content: "DEVELOPER-4713" }];
    const { manager, of } = bench({ maxContextTokens: 12_000, summarizer });
    let list: readonly unknown[] = [...byRole, ...turns(10), marked];
    for (let round = 0; round < 4; round++) {
      list = await manager.preflight("s", [...list, ...turns(40), user("next")]);
      for (const message of [...byRole, marked]) expect(list.filter((one) => one === message)).toHaveLength(1);
    }
    expect(of("compact.summary_created").length).toBeGreaterThanOrEqual(4);
    const shown = JSON.stringify(requests.map(({ passages, previous }) => [passages, previous]));
    expect(shown).toContain("question 1");
    expect(shown).not.toMatch(/KEEP-4711|SYSTEM-4712|DEVELOPER-4713/);
    const ledgers = JSON.stringify(requests.map(({ ledger }) => ledger));
    expect(ledgers).not.toMatch(/KEEP-4711|SYSTEM-4712|DEVELOPER-4713/);
  });

  it("are those of any role that the policy names", async () => {
    verifies("conversation/role-based-protection");
    const { manager, of } = bench({ maxContextTokens: 12_000, policy: { rolesNeverPrune: ["user"] } });
    const messages = [system("leaves"), ...turns(40), user("next")];
    const list = await manager.preflight("s", messages);
    expect(of("compact.pruned_messages")[0]?.pruned_count).toBeGreaterThan(20);
    const asked = messages.filter(({ role }) => role === "user");
    expect(list.filter((message) => asked.includes(message as ChatMessage))).toEqual(asked);
    expect(list).not.toContain(messages[0]);
  });
});
