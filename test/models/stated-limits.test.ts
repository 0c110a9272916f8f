// A model given as an object of a class: what stands on its prototype counts, too.
import { expect, it } from "vitest";
import { CompactManager, createMemoryArchive, type ModelRequest } from "../../src/index.ts";
import { turns, user } from "../conversation/support.ts";

class Counting {
  #calls = 0;
  get name() {
    return "counting";
  }
  get maxOutputTokens() {
    return 700;
  }
  async complete({ maxTokens }: ModelRequest) {
    this.#calls += 1;
    return {
      text: `## Progress (the assistant's own reports)\n- Call ${this.#calls} of ${maxTokens} [1.1]`,
      finish: "stop" as const,
    };
  }
}

it("keeps its name, its limits and its private fields", async () => {
  const manager = new CompactManager({ archive: createMemoryArchive(), summarizer: { model: new Counting() } });
  const { report, messages } = await manager.compact("s", [...turns(12), user("go on")]);
  expect(report.summary).toMatchObject({ source: "model+ledger", usage: { calls: 1 } });
  expect(JSON.stringify(messages)).toMatch(/COMPACT-SUMMARY v1/);
});
