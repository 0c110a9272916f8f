// Tools that do what the tests of the server need: repeat their arguments, take their time, print, fail in every way.
import { spawnSync } from "node:child_process";
import { appendFileSync, writeSync } from "node:fs";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { CompactError } from "../../../src/errors.ts";
import { defineTool, type Tool, type ToolContext } from "../../../src/mcp/tool.ts";

const harmless = { isReadOnly: true, isDestructive: false, isIdempotent: true };

export const repeat = defineTool({
  name: "repeat",
  title: "Repeat",
  description: "Says what it was given.",
  params: z.object({
    older_than_days: z.number().positive().describe("Age in days"),
    dry_run: z.boolean().optional().describe("Only look"),
    limit: z.int().min(1).max(200).optional().describe("Most rows"),
    project: z.string().optional().describe("Project"),
    cursor: z.string().optional().describe("Where to go on"),
    title: z.string().nullable().optional().describe("Null clears it"),
    mode: z.enum(["identify", "execute"]).optional().describe("What to do"),
    ids: z.array(z.int()).optional().describe("Row ids"),
    details: z.object({ note: z.string() }).optional().describe("More"),
    compact_ids: z
      .union([z.string(), z.array(z.unknown())])
      .optional()
      .describe("Ids, as JSON text or a list"),
    max_tokens: z.int().min(1).optional().describe("Most tokens of the answer"),
  }),
  result: z.object({ given: z.record(z.string(), z.unknown()), max_tokens: z.number() }),
  hints: harmless,
  run: async (given, { maxTokens }) => ({
    text: `given ${JSON.stringify(given)}`,
    structured: { given, max_tokens: given.max_tokens ?? maxTokens },
  }),
});

const nothing = z.object({});
const done = z.object({ done: z.boolean() });

/** Appends `begun` and `ended` to a file, with a pause between: work that must not be cut in two. */
export const slow = defineTool({
  name: "slow",
  title: "Slow",
  description: "Takes its time.",
  params: z.object({
    ms: z.number().describe("How long"),
    file: z.string().optional().describe("Where it leaves a trace"),
  }),
  result: done,
  hints: harmless,
  run: async ({ ms, file }) => {
    if (file !== undefined) appendFileSync(file, "begun\n");
    await pause(ms);
    if (file !== undefined) appendFileSync(file, "ended\n");
    return { text: "slow is done", structured: { done: true } };
  },
});

/** Changes something, and never comes to its end. */
export const stubborn = defineTool({
  name: "stubborn",
  title: "Stubborn",
  description: "Takes for ever.",
  params: nothing,
  result: done,
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: false },
  run: async () => {
    await pause(3_600_000);
    return { text: "stubborn is done", structured: { done: true } };
  },
});

export const noisy = defineTool({
  name: "noisy",
  title: "Noisy",
  description: "Prints where it must not.",
  params: nothing,
  result: done,
  hints: harmless,
  run: async () => {
    // biome-ignore lint/suspicious/noConsole: printing where nothing may be printed is what this tool is for
    for (const print of [console.log, console.info, console.debug, console.table, console.dir]) print("NOISE");
    process.stdout.write("NOISE without a line end");
    process.stdout.write(Buffer.from("NOISE in bytes\n"));
    return { text: "noisy is done", structured: { done: true } };
  },
});

export const refusing = defineTool({
  name: "refusing",
  title: "Refusing",
  description: "Fails as tools do.",
  params: nothing,
  result: done,
  hints: harmless,
  run: async () => {
    throw new CompactError("NotFound", "There is no observation 9.", { code: "UNKNOWN_ID", hint: "Search for it." });
  },
});

export const crashing = defineTool({
  name: "crashing",
  title: "Crashing",
  description: "Fails as nobody foresaw.",
  params: z.object({ later: z.boolean().optional().describe("Also after the answer, where nobody waits") }),
  result: done,
  hints: harmless,
  run: async ({ later }) => {
    if (later === true) setTimeout(() => void Promise.reject(new Error("nobody waits for this")), 1);
    throw new TypeError("secret detail of the inside");
  },
});

export const untrue = defineTool({
  name: "untrue",
  title: "Untrue",
  description: "Breaks its own output schema.",
  params: nothing,
  result: done,
  hints: harmless,
  run: async () => ({ text: "saved as 7", structured: { done: "yes" } }),
});

export const generous = defineTool({
  name: "generous",
  title: "Generous",
  description: "Answers more than its output schema says.",
  params: nothing,
  result: done,
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  run: async () => ({ text: "done", structured: { done: true, more: 1 } }),
});

/** As memory tools do when their database cannot be opened. */
export const storing = defineTool({
  name: "storing",
  title: "Storing",
  description: "Asks for the store.",
  params: nothing,
  result: done,
  hints: harmless,
  run: async (_given, { store }) => {
    await store();
    return { text: "stored", structured: { done: true } };
  },
});

/** Never gives its thread back. */
export const blocking = defineTool({
  name: "blocking",
  title: "Blocking",
  description: "Runs for ever, and lets nothing else run.",
  params: z.object({ outside: z.boolean().optional().describe("Not in JavaScript, which can be ended from outside") }),
  result: done,
  hints: harmless,
  run: async ({ outside }) => {
    // Not by the stream, which a blocked thread may keep.
    writeSync(2, "blocking\n");
    if (outside === true) spawnSync(process.execPath, ["-e", "setTimeout(() => {}, 5000)"]);
    for (;;);
  },
});

export const testTools: readonly Tool[] = [
  repeat,
  slow,
  stubborn,
  noisy,
  refusing,
  crashing,
  untrue,
  generous,
  storing,
  blocking,
];

export const testContext: ToolContext = {
  store: async () => {
    throw new CompactError("StoreFailed", "The database cannot be opened.", {
      code: "STORE_UNREADABLE",
      hint: "Name another.",
    });
  },
  archive: async () => {
    throw new CompactError("NotFound", "There is no archive.");
  },
  now: () => 0,
  count: (text) => Math.ceil(text.length / 4),
  maxTokens: 1000,
};
