// Real sessions through the command line, where they are at hand.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { call, newFolder } from "./command-line.ts";

const corpus = process.env.AGENT_CORPUS;

/** The second of its kind by name: not the largest, not the smallest. */
function sessionOf(folder: string, start: string): string {
  const path = join(corpus ?? "", folder);
  const files = readdirSync(path).filter((file) => file.startsWith(start) && file.endsWith(".gz"));
  return join(path, files.sort()[1] ?? "");
}

describe.skipIf(!corpus)("real sessions (AGENT_CORPUS)", () => {
  it.each([
    ["claude-code", "transcripts", anthropicFormat],
    ["pi", "transcripts", anthropicFormat],
    ["openai-chat", "derived", openaiChatFormat],
  ])("inspects and compacts a session of %s", async (format, folder, output) => {
    const path = sessionOf(folder, format);
    const cwd = newFolder();
    const inspected = await call(["inspect", path, "--json"], { cwd });
    const { tokens, format: found } = JSON.parse(inspected.stdout) as { tokens: { total: number }; format: string };
    expect(found).toBe(format);
    const target = Math.floor(tokens.total * 0.15);
    const { code, stdout } = await call(
      ["conversation", path, "--target-tokens", String(target), "--out", "out.json", "--json"],
      { cwd },
    );
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as { status: string; tokens_before: number; tokens_after: number };
    expect(report.status).toBe("compacted");
    // Healing adds a few results where a call never got one.
    expect(report.tokens_before).toBeGreaterThanOrEqual(tokens.total);
    expect(report.tokens_before / tokens.total).toBeCloseTo(1, 2);
    expect(report.tokens_after).toBeLessThan(tokens.total / 2);
    const written = JSON.parse(readFileSync(join(cwd, "out.json"), "utf8")) as unknown[] | { messages: unknown[] };
    const messages = Array.isArray(written) ? written : written.messages;
    expect(output.validate(messages, { allowOpenTail: true })).toEqual([]);
  });
});
