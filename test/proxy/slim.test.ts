// Slimming: earlier results of repeated calls become shorter, where the provider's cache is cold, once.
import { describe, expect, it } from "vitest";
import { createMemoryArchive } from "../../src/archive/archives.ts";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { slim } from "../../src/proxy/slim.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { ask, openTestProxy } from "./support.ts";

const MINUTE = 60_000;
const output = (run: number) =>
  `Run ${run} begins.\n${`A line of ${run === 1 ? "the listing" : "the build's output"}. `.repeat(200)}\nRun ${run} ends.`;

/** The same command again and again, and one that was run once. */
function work(runs: number): object[] {
  const turns = Array.from({ length: runs }, (_, run) => {
    const input = run === 1 ? { command: "ls" } : { command: "npm run build" };
    return [
      { role: "assistant", content: [{ type: "tool_use", id: `toolu_${run}`, name: "bash", input }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${run}`, content: output(run) }] },
    ];
  });
  return [{ role: "user", content: "Make the build green." }, ...turns.flat()];
}

async function open() {
  const clock = { now: 1_700_000_000_000 };
  const archive = createMemoryArchive();
  const slimming = { archive, redactor: createRedactor() };
  const proxy = await openTestProxy({
    config: { maxContextTokens: 200_000 },
    compaction: { slimming, now: () => clock.now },
  });
  const told = async (runs: number) => {
    const { outcome, status } = await ask(proxy.address, work(runs));
    expect(status).toBe(200);
    return { outcome, sent: proxy.provider.heard.at(-1)?.bytes.toString() ?? "" };
  };
  return { ...proxy, archive, clock, told };
}

describe("slimming", () => {
  it("leaves everything as it is while the provider's cache is warm", async () => {
    const { told, clock } = await open();
    for (let runs = 1; runs <= 6; runs++) {
      clock.now += 4 * MINUTE;
      expect((await told(runs)).sent).toContain(
        "Run 0 begins.\\nA line of the build's output. A line of the build's output. A",
      );
      expect((await told(runs)).outcome).toBe("passed");
    }
  });

  it("shortens what a later run of the same command repeats after a rest, says where the whole is, and then stays", async () => {
    const { told, clock, archive, provider } = await open();
    await told(4);
    clock.now += 10 * MINUTE;
    const { outcome, sent } = await told(5);
    expect(outcome).toBe("replayed");
    const whole = (run: number) => sent.includes(JSON.stringify(output(run)).slice(1, -1));
    expect([0, 1, 2, 3, 4].map(whole)).toEqual([false, true, false, false, true]);
    const [, place = ""] = /archive expand 1\.1 --session-id (\S+?)\]/.exec(sent) ?? [];
    expect(JSON.stringify(await archive.readTranscript(place, 1))).toContain("Run 0 ends.");
    const later = await told(6);
    expect(later.sent.startsWith(sent.slice(0, sent.lastIndexOf("]}")))).toBe(true);
    expect(provider.heard.at(-1)?.cached).toBe(provider.heard.at(-2)?.tokens);
  });

  it("does nothing where too little would be won", async () => {
    const { told, clock } = await open();
    await told(2);
    clock.now += 10 * MINUTE;
    expect((await told(2)).outcome).toBe("passed");
  });

  it("shortens a read that a later, wider read of the file holds, and what comes numbered otherwise", async () => {
    const file = Array.from({ length: 400 }, (_, at) => `const value${at} = compute(${at}, "of line ${at}");`);
    const read = (from: number, to: number) =>
      file
        .slice(from, to)
        .map((line, at) => `${String(from + at + 1).padStart(6)}\t${line}`)
        .join("\n");
    const { slimmed, results } = await slimOf([read(100, 300), read(0, 90), file.join("\n"), read(350, 400)]);
    expect(slimmed).toBe(true);
    expect(results.map((text) => text.includes("Its lines stand in output below."))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const changed = file.map((line, at) => (at % 5 === 0 ? `${line} // mended` : line));
    expect(await slimOf([file.join("\n"), changed.join("\n")])).toMatchObject({ slimmed: false });
  });

  it("leaves base64 and all but the newest three images of tools out, and nothing that somebody showed", async () => {
    const base64 = Buffer.from(Array.from({ length: 6_000 }, (_, at) => (at * 7919) % 251)).toString("base64");
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: base64 } };
    const { results, slimmed, sent } = await slimOf(
      [`{"cert": "${base64}"}`, [image], [image], [image], [image]],
      [image],
    );
    expect(slimmed).toBe(true);
    expect(results[0]).toMatch(
      /^\{"cert": "\S{60}\[[\d,]+ more characters of base64; whole text: .* expand 1\.1 --session-id s\]"\}$/,
    );
    expect(results[1]).toMatch(
      /^\[image: png, sent before and left out here; whole text: .* expand 1\.2 --session-id s\]$/,
    );
    expect(sent.split(base64)).toHaveLength(1 + 4);
  });

  it("leaves what came since the last answer whole, and the newest of results whose ids are the same", async () => {
    const base64 = Buffer.from(Array.from({ length: 6_000 }, (_, at) => (at * 7919) % 251)).toString("base64");
    const call = (id: string, run: number) => ({
      role: "assistant",
      content: [{ type: "tool_use", id, name: "build", input: { run } }],
    });
    const result = (id: string, content: string) => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content }],
    });
    const messages = [
      { role: "user", content: "Build it." },
      ...[call("a", 1), result("a", output(2)), call("a", 1), result("a", output(3))],
      ...[call("b", 2), result("b", base64)],
    ];
    const slimming = { archive: createMemoryArchive(), redactor: createRedactor() };
    const slimmed = await slim(messages, anthropicFormat, "s", slimming);
    const texts = slimmed?.messages.flatMap((message) =>
      anthropicFormat.view(message).parts.flatMap((part) => (part.kind === "result" ? [part.text] : [])),
    );
    expect(texts?.[0]).toContain("The same call was made again below.");
    expect(texts?.slice(1)).toEqual([output(3), base64]);
  });
});

/** What results became, each of a call of its own; `shown` stands beside the user's request. */
async function slimOf(contents: readonly unknown[], shown: readonly object[] = []) {
  const turns = contents.flatMap((content, run) => [
    { role: "assistant", content: [{ type: "tool_use", id: `toolu_${run}`, name: "read", input: { run } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${run}`, content }] },
  ]);
  const asked = { role: "user", content: [{ type: "text", text: "Find the value." }, ...shown] };
  const messages = [asked, ...turns, { role: "assistant", content: "Found." }, { role: "user", content: "Go on." }];
  const slimming = { archive: createMemoryArchive(), redactor: createRedactor() };
  const slimmed = await slim(messages, anthropicFormat, "s", slimming);
  const list = slimmed?.messages ?? messages;
  expect(anthropicFormat.validate(list)).toEqual([]);
  const parts = list.flatMap((message) => anthropicFormat.view(message).parts);
  const results = parts.flatMap((part) => (part.kind === "result" ? [part.text] : []));
  return { slimmed: slimmed !== undefined, results, sent: JSON.stringify(list) };
}
