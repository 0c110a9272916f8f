// One measurement in a process of its own: `node run-one.mjs cold|steady|hostile|turns|appended|memory [peer] [file]`.
// Prints one line of JSON for each figure as soon as it has it, so that a run that is cut short has told something.
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { hostileTexts } from "./hostile-text.mjs";
import { peers } from "./peers.mjs";
import { sessionMessages, sessionTexts } from "./session-text.mjs";

/** A quadratic merge takes minutes for what ours does in a tenth of a second, so the others get less. */
const hostileBytes = { "agent-compact": 1_040_000, "js-tiktoken": 1_300 };

const [mode, peer = "agent-compact", file] = process.argv.slice(2);
const tell = (figure) => process.stdout.write(`${JSON.stringify(figure)}\n`);

function textsOf(path) {
  return path === undefined ? sessionTexts(1) : JSON.parse(readFileSync(path, "utf8"));
}

function timeOf(work) {
  const start = performance.now();
  const tokens = work();
  return { tokens, ms: performance.now() - start };
}

const countAll = (count, texts) => texts.reduce((sum, text) => sum + count(text), 0);

const modes = {
  /** Load and count one session, nothing warm. */
  async cold() {
    const texts = textsOf(file);
    const start = performance.now();
    const count = await peers[peer]();
    const loaded = performance.now();
    const tokens = countAll(count, texts);
    tell({ tokens, load: loaded - start, ms: performance.now() - start });
  },

  /** Sessions that were never seen, after others. */
  async steady() {
    const count = await peers[peer]();
    const rounds = peer === "js-tiktoken" ? 2 : 8;
    const characters = peer === "js-tiktoken" ? 300_000 : undefined;
    for (let seed = 100; seed < 100 + rounds; seed++) {
      const texts = sessionTexts(seed, characters);
      const { tokens, ms } = timeOf(() => countAll(count, texts));
      if (seed >= 100 + rounds / 2) tell({ tokens, ms });
    }
  },

  /** Unbroken text of one size and of twice that size. */
  async hostile() {
    const count = await peers[peer]();
    const bytes = hostileBytes[peer] ?? 10_400;
    const repeats = peer === "agent-compact" ? 5 : 1;
    // A text that was counted before is remembered: each gets a number of its own at the end.
    const time = (text) =>
      median(Array.from({ length: repeats }, (_, index) => timeOf(() => count(`${text} ${text.length}${index}`)).ms));
    for (const [name, make] of Object.entries(hostileTexts)) {
      try {
        time(make(Math.floor(bytes / 10)));
        tell({ name, bytes, single: time(make(bytes)), double: time(make(2 * bytes)) });
      } catch {
        tell({ name, bytes, threw: true });
      }
    }
  },

  /** Longest time that nothing else could run while a list of hostile messages is counted. */
  async turns() {
    const { createTokenCounter } = await import("agent-compact/tokens");
    const counter = createTokenCounter({ encoding: "o200k_base" });
    const lists = {
      "a session of 20,000 messages": sessionMessages(3, 20_000),
      ...Object.fromEntries(
        Object.entries(hostileTexts).map(([name, make]) => [
          `1 MB of ${name}`,
          [{ role: "user", content: make(1_040_000) }],
        ]),
      ),
    };
    for (const [name, messages] of Object.entries(lists)) {
      // Three times, medians: on a busy machine the longest gap is somebody else's turn. Copies, so that none is known.
      const runs = [];
      for (let run = 0; run < 3; run++) {
        const copies = structuredClone(messages).map((message) => ({
          ...message,
          content: `${message.content} ${run}`,
        }));
        const gap = watchGaps();
        const start = performance.now();
        const tokens = await counter.countMessagesAsync(copies);
        runs.push({ tokens, ms: performance.now() - start, gap: gap() });
      }
      tell({
        name,
        tokens: runs[0].tokens,
        ms: median(runs.map(({ ms }) => ms)),
        gap: median(runs.map((run) => run.gap)),
      });
    }
  },

  /** The whole list again after one appended message. */
  async appended() {
    const { createTokenCounter } = await import("agent-compact/tokens");
    for (const size of [1_000, 10_000]) {
      const counter = createTokenCounter({ encoding: "o200k_base" });
      const messages = sessionMessages(5, size);
      const first = timeOf(() => counter.countMessages(messages)).ms;
      const times = Array.from({ length: 51 }, (_, index) => {
        messages.push({ role: "user", content: `and one more thing, number ${index}` });
        return timeOf(() => counter.countMessages(messages)).ms;
      });
      tell({ size, first, again: median(times) });
    }
  },

  /** What both encodings and their memos hold after two sessions each. Needs --expose-gc. */
  async memory() {
    const before = held();
    const { createTokenCounter } = await import("agent-compact/tokens");
    const counters = ["o200k_base", "cl100k_base"].map((encoding) => createTokenCounter({ encoding }));
    for (const counter of counters) for (const seed of [1, 2]) countAll(counter.count, sessionTexts(seed));
    tell({ megabytes: (held() - before) / 1e6, resident: process.memoryUsage.rss() / 1e6, live: counters.length });
  },
};

function median(values) {
  return [...values].sort((one, other) => one - other)[values.length >> 1];
}

function watchGaps() {
  let longest = 0;
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    handle = setImmediate(tick);
  };
  let handle = setImmediate(tick);
  return () => {
    clearImmediate(handle);
    return Math.max(longest, performance.now() - last);
  };
}

function held() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

await modes[mode]();
