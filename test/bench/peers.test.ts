// The comparison of libraries, on a small session of its own: our two rows and a library that drops the oldest.
import { describe, expect, it } from "vitest";
import { measureCompacted } from "../../bench/peers/measures/compacted.ts";
import { areEqual, createIntern } from "../../bench/peers/measures/interned.ts";
import { measureFailure } from "../../bench/peers/measures/model-failures.ts";
import { measurePlantedRounds } from "../../bench/peers/measures/planted-rounds.ts";
import { measureReplay } from "../../bench/peers/measures/replay-cost.ts";
import { sumOf } from "../../bench/peers/measures/validity.ts";
import type { FAULTS } from "../../bench/peers/model/failing-models.ts";
import { generousModel } from "../../bench/peers/model/generous-model.ts";
import { BY_CODE, ourPeers, WITH_MODEL } from "../../bench/peers/ours.ts";
import { drawChart } from "../../bench/peers/page/chart.ts";
import { renderPage } from "../../bench/peers/page/page.ts";
import type { ChatMessage, Peer } from "../../bench/peers/peer.ts";
import { type Answers, type Broken, isBroken, type Job } from "../../bench/peers/run/jobs.ts";
import { type Loaded, runJob } from "../../bench/peers/run/run-job.ts";
import { walk } from "../../bench/peers/run/walk.ts";
import type { Crew } from "../../bench/peers/run/worker-crew.ts";
import { type ChatSession, chatSession, countAll } from "../../bench/peers/sessions/chat-session.ts";
import { isPromised, lossesOf } from "../../bench/peers/verdict/losses.ts";

const SHARE = 0.1;
const TASK = { turns: 50, set: "English" } as const;
const beat = () => {};

/** Keeps the system message and what fits from the end; a result may lose its call, so it is no valid list. */
const dropOldest: Peer = {
  name: "drop the oldest",
  version: "0.0.0",
  settings: "None.",
  usesModel: false,
  habit: "each call",
  open: () => ({
    compact: async ({ messages, budget, count }) => {
      const [system, ...rest] = messages;
      const kept: ChatMessage[] = [];
      let left = budget - (system === undefined ? 0 : count(system));
      for (const message of rest.toReversed()) {
        left -= count(message);
        if (left < 0) break;
        kept.unshift(message);
      }
      return system === undefined ? kept : [system, ...kept];
    },
  }),
};
const untouched: Peer = {
  ...dropOldest,
  name: "gives it back",
  open: () => ({ compact: async ({ messages }) => messages }),
};
const throwing: Peer = {
  ...dropOldest,
  name: "throws",
  open: () => ({
    compact: async () => {
      throw new Error("no such option");
    },
  }),
};

describe("the comparison of libraries", () => {
  it("starts from a valid list and knows what is in it", () => {
    const session = smallSession();
    expect(session.messages[0]?.role).toBe("system");
    expect(session.written).toEqual(["src/ledger/open-rows.ts"]);
    expect(session.namedThrice).toContain("src/ledger/open-rows.ts");
    expect(session.users[0]).toContain("Find out why rows are lost");
    // The call that was never answered is not in it.
    expect(session.messages.at(-1)?.tool_calls).toBeUndefined();
  });

  it("measures our rows and another by the same rule", async () => {
    const session = smallSession();
    const dropped = await measureCompacted(dropOldest, session, SHARE, beat);
    expect(dropped.tokens).toBeLessThanOrEqual(dropped.budget);
    expect(dropped.retained.users.held).toBeLessThan(dropped.retained.users.of);
    for (const peer of ourPeers()) {
      const ours = await measureCompacted(peer, session, SHARE, beat);
      expect(sumOf(ours.faults)).toBe(0);
      expect(ours.tokens).toBeLessThan(session.tokens / 2);
      expect(ours.retained.users).toMatchObject({ held: session.users.length, lost: [] });
      expect(ours.retained.written.lost).toEqual([]);
    }
  });

  it("replays: a library that changes nothing costs what the session costs, and copies are the same to the cache", async () => {
    const session = longSession();
    const plain = await measureReplay(untouched, session, SHARE, beat);
    const copying: Peer = {
      ...untouched,
      open: () => ({ compact: async ({ messages }) => structuredClone(messages) }),
    };
    expect((await measureReplay(copying, session, SHARE, beat)).weighted).toBe(plain.weighted);
    const [ours] = ourPeers();
    if (ours === undefined) throw new Error("no row");
    const small = await measureReplay(ours, session, SHARE, beat);
    expect(small.compactions).toBeGreaterThan(0);
    expect(small.weighted).toBeLessThan(plain.weighted);
  });

  it("finds planted facts after five rounds, for who is called with everything and who is not", async () => {
    const all = await measurePlantedRounds(untouched, TASK, SHARE, beat);
    expect(all.held).toBe(all.of);
    const dropped = await measurePlantedRounds(dropOldest, TASK, SHARE, beat);
    expect(dropped.held).toBeLessThan(all.of / 2);
    const [ours] = ourPeers();
    if (ours === undefined) throw new Error("no row");
    expect((await measurePlantedRounds(ours, TASK, SHARE, beat)).held).toBeGreaterThan(dropped.held);
  });

  it("has a model that keeps within its cap what its prompt names, and says whose words they are", async () => {
    const prompt =
      "Human: Never touch src/old/parser.ts, please.\nAI: I read src/old/parser.ts and https://a.example/spec.";
    const answer = await generousModel({ system: "", prompt, maxTokens: 400 });
    expect(answer).toContain("Never touch src/old/parser.ts, please.");
    expect(answer).toContain("https://a.example/spec");
    const short = await generousModel({ system: "", prompt, maxTokens: 30 });
    expect(countAll([{ role: "user", content: short }])).toBeLessThan(40);
  });

  it("tells bad text that is stored as memory from a list that is left alone", async () => {
    const session = smallSession();
    const believing: Peer = {
      ...dropOldest,
      usesModel: true,
      open: () => ({
        compact: async ({ messages, model }) => {
          const content = await model({ system: "", prompt: JSON.stringify(messages), maxTokens: 500 });
          return [...messages.slice(0, 1), { role: "user", content }];
        },
      }),
    };
    const outcomes = async (peer: Peer, fault: (typeof FAULTS)[number]) =>
      (await measureFailure(peer, session, SHARE, fault, session.namedTwice.length)).outcomes;
    expect(await outcomes(believing, "throws")).toEqual(["threw"]);
    expect(await outcomes(believing, "empty")).toEqual(["history lost"]);
    expect(await outcomes(believing, "refuses")).toEqual(["bad text stored", "history lost"]);
    expect(await outcomes(believing, "invents")).toContain("bad text stored");
    expect(await outcomes(untouched, "refuses")).toEqual(["list unchanged"]);
    const withModel = ourPeers().find(({ name }) => name === WITH_MODEL);
    if (withModel === undefined) throw new Error("no row");
    expect(await outcomes(withModel, "refuses")).not.toContain("bad text stored");
  });

  it("knows equal messages, whatever the order of their keys", () => {
    const call = (args: string) => ({ function: { name: "read", arguments: args }, id: "1", type: "function" });
    const one = { role: "assistant", content: "", tool_calls: [call('{"a":1,"b":2}')] };
    const same = { tool_calls: [call('{"b": 2, "a": 1}')], content: null, role: "assistant" };
    const intern = createIntern();
    expect(intern(same)).toBe(intern(one));
    expect(areEqual([one], [{ ...one, content: "read" }])).toBe(false);
  });

  it("writes the page, with what others do better and what failed", async () => {
    const session = smallSession();
    const peers = [dropOldest, untouched, throwing];
    const loaded: Loaded = { peers, missing: [{ name: "absent", reason: "not installed" }] };
    const { lanes, listed } = await lanesWith(loaded);
    const plan = { sessions: [session], peers: listed.peers, shares: [SHARE], planted: [], isKeptOnly: false };
    const measured = await walk(plan, lanes, beat);
    const losses = lossesOf(measured);
    // Who hands everything back is larger than its budget: it is no loss that it keeps all.
    expect(losses.filter(({ other, kind }) => other === untouched.name && kind === "retention")).toEqual([]);
    expect(losses.filter(isPromised)).toEqual([]);
    expect(losses.some(({ kind, other }) => kind === "time" && other === dropOldest.name)).toBe(true);
    const comparison = { listed, measured, leftOut: [], date: "2031-04-17", node: "24.0.0", minutes: 1 };
    const page = renderPage(comparison, losses);
    expect(page).toContain(`| 10 % | **${BY_CODE}** |`);
    expect(page).toContain("## What a reader still knows");
    expect(page).toMatch(/gives it back \| [\d,]+ \(100\.0 %\) over budget/);
    expect(page).toContain("threw Error: no such option");
    expect(page).toContain("not measured: not installed");
    const chart = drawChart(measured.sessions);
    expect(chart).toContain("drop the oldest");
    expect(chart).not.toContain("NaN");
  });

  it("names the cell where another keeps more within its budget", async () => {
    const session = smallSession();
    const { lanes, listed } = await lanesWith({ peers: [dropOldest], missing: [] });
    const measured = await walk(
      { sessions: [session], peers: listed.peers, shares: [SHARE], planted: [], isKeptOnly: true },
      lanes,
      beat,
    );
    const worse = measured.sessions.map((cell) => {
      if (cell.peer.name !== BY_CODE || isBroken(cell.compacted)) return cell;
      const faults = { ...cell.compacted.faults, anthropic: 2 };
      return { ...cell, compacted: { ...cell.compacted, faults, answered: { of: 1, held: 0, lost: [] } } };
    });
    const broken = lossesOf({ ...measured, sessions: worse }).filter(isPromised);
    expect(broken).toMatchObject([
      { kind: "validity", row: BY_CODE, ours: "2" },
      { kind: "answers", row: BY_CODE, other: dropOldest.name, what: "questions answered" },
    ]);
  });
});

/** Jobs done here instead of in workers. */
async function lanesWith(loaded: Loaded) {
  const run = (job: Job): Promise<Answers[Job["kind"]] | Broken> => runJob(job, loaded, beat);
  const crew = { run, close: async () => {} } as unknown as Crew;
  const all = async <Result>(tasks: readonly ((one: Crew) => Promise<Result>)[]) => {
    const results: Result[] = [];
    for (const task of tasks) results.push(await task(crew));
    return results;
  };
  const listed = await crew.run({ kind: "list" });
  if (isBroken(listed)) throw new Error(listed.broken);
  return { lanes: { all, close: async () => {} }, listed };
}

function smallSession(): ChatSession {
  const turns = Array.from({ length: 12 }, (_, turn) => {
    const path = turn === 3 ? "src/ledger/open-rows.ts" : `src/ledger/part-${turn % 5}.ts`;
    const name = turn === 3 ? "write_file" : "read_file";
    const output = Array.from(
      { length: 60 },
      (_, line) => `${line} export const row${turn * 60 + line} = ${line * 7};`,
    );
    return [
      {
        role: "user",
        content: turn === 0 ? "Find out why rows are lost. Never delete a row." : `Go on with part ${turn}.`,
      },
      callOf(`call_${turn}`, name, { path, content: "filter(isOpen)" }),
      { role: "tool", tool_call_id: `call_${turn}`, content: output.join("\n") },
      { role: "assistant", content: `Part ${turn} is fine; src/ledger/open-rows.ts drops what is open.` },
    ];
  });
  const asked = { kind: "recall", question: "Which part was looked at last?", answer: "11", expect: ["part 11"] };
  const open = callOf("call_open", "read_file", { path: "src/never.ts" });
  return { ...chatSession("a small one", [...turns.flat(), open]), probes: [asked] };
}

/** Above the trigger of the replay. */
function longSession(): ChatSession {
  const turns = Array.from({ length: 40 }, (_, turn) => [
    { role: "user", content: `Look at log ${turn}.` },
    {
      role: "assistant",
      content: `Log ${turn}: ${Array.from({ length: 700 }, (_, line) => `entry ${line}`).join(", ")}.`,
    },
  ]);
  return chatSession("a long one", turns.flat());
}

function callOf(id: string, name: string, input: object): ChatMessage {
  const tool_calls = [{ id, type: "function", function: { name, arguments: JSON.stringify(input) } }];
  return { role: "assistant", content: null, tool_calls };
}
