// What is measured: a session cut before its last fifth, made smaller by us and by trimming, held against what it said.
import { describe, expect, it } from "vitest";
import { probedSessions } from "../../bench/probes/sessions.ts";
import { FORMATS } from "../../src/factories/formats.ts";
import { evaluateSession } from "../../src/operations/evaluate.ts";
import type { Format } from "../../src/providers/format.ts";
import { CORPUS } from "../corpus/corpus.ts";
import { longSession, SECRET } from "./long-session.ts";

function formatOf(name: string): Format {
  const format = FORMATS.find((known) => known.name === name);
  if (format === undefined) throw new Error(name);
  return format;
}

const chat = formatOf("openai-chat");

describe("evaluateSession", () => {
  it("asks for names that the last fifth uses and only older messages said", async () => {
    const { figures, texts } = await evaluateSession(
      { file: "talk.json", format: chat, messages: longSession() },
      { targets: [5, 10] },
    );
    expect(figures).toMatchObject({ messages_before: 132, messages_rest: 33 });
    const [first, second] = figures.targets;
    if (first?.ours === undefined || first.trimming === undefined || second?.status !== "measured")
      throw new Error("not measured");
    expect([first.goal, second.goal]).toEqual([4000, 8000]);
    expect(first.ours.coverage.names_used_again).toEqual({ kept: 3, all: 3 });
    expect(first.trimming.coverage.names_used_again).toEqual({ kept: 0, all: 3 });
    expect(first.trimming.lost_names.toSorted()).toEqual(["58123", "PAY-4711", "ledger_v3"]);
    expect(first.ours.coverage.answers).toEqual({ kept: 1, all: 1 });
    expect(first.ours.coverage.rules.kept).toBe(first.ours.coverage.rules.all);
    expect(first.trimming.coverage.user_messages.kept).toBeLessThan(first.ours.coverage.user_messages.kept);
    expect(JSON.stringify({ figures, texts })).not.toContain(SECRET);
  });

  it("gives trimming as many tokens as ours took, or the target where that is more", async () => {
    const { figures } = await evaluateSession(
      { file: "talk.json", format: chat, messages: longSession() },
      { targets: [5, 10, 20] },
    );
    for (const target of figures.targets) {
      if (target.ours === undefined || target.trimming === undefined) continue;
      expect(target.ours.tokens).toBeLessThanOrEqual(target.goal * 1.1);
      expect(target.trimming.tokens).toBe(Math.max(target.goal, target.ours.tokens));
    }
    expect(figures.targets.map(({ status }) => status)).toEqual(["measured", "measured", "too_small"]);
  });

  it("gives the same figures each time, but for the time", async () => {
    const run = async () => {
      const input = { file: "talk.json", format: chat, messages: longSession() };
      const { figures, texts } = await evaluateSession(input, { targets: [5] });
      return JSON.stringify({ figures, texts }, (key, value: unknown) => (key === "milliseconds" ? 0 : value));
    };
    expect(await run()).toBe(await run());
  });

  it("says that a session is too small, also one without a message before the cut", async () => {
    for (const messages of [[], longSession().slice(0, 1), longSession(2)]) {
      const { figures } = await evaluateSession({ file: "s", format: chat, messages }, { targets: [5] });
      expect(figures.targets).toEqual([{ percent: 5, goal: 4000, status: "too_small" }]);
    }
  });

  it("stops when it is told to", async () => {
    const input = { file: "talk.json", format: chat, messages: longSession() };
    await expect(evaluateSession(input, { targets: [5], signal: AbortSignal.abort() })).rejects.toThrow();
  });

  it.skipIf(CORPUS === undefined)(
    "of real sessions we keep more of what the rest needed than trimming does",
    async () => {
      for (const { name, format, before, after } of probedSessions(["pi", "claude-26", "claude-68"])) {
        const input = { file: name, format: formatOf(format), messages: [...before, ...after] };
        const { figures } = await evaluateSession(input, { targets: [10] });
        const { ours, trimming } = figures.targets[0] ?? {};
        if (ours === undefined || trimming === undefined) throw new Error(name);
        expect(ours.coverage.names_used_again.kept, name).toBeGreaterThanOrEqual(
          trimming.coverage.names_used_again.kept,
        );
        expect(ours.coverage.changed_files.kept, name).toBe(ours.coverage.changed_files.all);
      }
    },
  );
});
