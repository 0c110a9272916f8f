// A session of three windows: several rounds, no error, always within the budget.
import { describe, expect, it } from "vitest";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { verifies } from "../requirements/verifies.ts";
import { assistant, bench, pair, system, user } from "./support.ts";

describe("a session of 384,000 tokens on a 128,000 window", () => {
  it("goes through with at least three compactions", async () => {
    verifies(
      "values/random-histories-and-three-windows",
      "conversation/three-windows-session",
      "conversation/automatic-trigger-at-85-percent",
    );
    const { manager, of } = bench({ maxContextTokens: 128_000 });
    const result = (n: number) => Array.from({ length: 900 }, (_, k) => `value${(n * 31 + k * 7) % 9973}`).join(" ");
    let messages: readonly unknown[] = [system("You migrate a code base.")];
    let sent = 0;
    for (let n = 1; sent < 384_000; n++) {
      const added =
        n % 12 === 0 ? [assistant(`Part ${n} is done.`), user(`Now do part ${n + 1}.`)] : pair([`c${n}`], result(n));
      messages = await manager.preflight("s", [...messages, ...added]);
      sent += n % 12 === 0 ? 20 : 1900;
    }
    const rounds = of("compact.pruned_messages");
    expect(rounds.length).toBeGreaterThanOrEqual(3);
    for (const { tokens_after } of rounds) expect(tokens_after).toBeLessThanOrEqual(126_500);
    const triggered = of("compact.trigger_decision").filter((event) => event.triggered);
    expect(triggered.every(({ reason }) => reason === "over_trigger_pct")).toBe(true);
    expect(of("compact.token_estimate").at(-1)?.t_est).toBeLessThanOrEqual(126_500);
    expect(of("compact.error")).toEqual([]);
    expect(openaiChatFormat.validate(messages, { allowOpenTail: true })).toEqual([]);
  });
});
