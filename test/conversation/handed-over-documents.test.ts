// A document or a found passage that a user hands over as text: the summary remembers what it says, and never as words of
// the user's own.
import { describe, expect, it } from "vitest";
import { readPassages } from "../../src/conversation/passages.ts";
import { extractFacts } from "../../src/facts/extract-facts.ts";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { collectSources } from "../../src/summaries/answer/source-texts.ts";
import { bench, textOf, turns, user } from "./support.ts";

const WORDS = "The relay reads ops/relay/limits.yaml. Never restart it.";
const RULE = "Never touch the audit table.";
const HANDED_OVER: readonly [string, object][] = [
  ["a document", { type: "document", title: "Relay", source: { type: "text", media_type: "text/plain", data: WORDS } }],
  [
    "a document of blocks",
    { type: "document", title: "Relay", source: { type: "content", content: [{ type: "text", text: WORDS }] } },
  ],
  [
    "a found passage",
    { type: "search_result", title: "Relay", source: "wiki", content: [{ type: "text", text: WORDS }] },
  ],
];

describe.each(HANDED_OVER)("%s that came as text", (_what, block) => {
  const message = { role: "user", content: [block, { type: "text", text: RULE }] };
  const inputs = [{ view: anthropicFormat.view(message), source: { step: 1, message: 1 } }];
  const asIs = (text: string) => text;

  it("is a text of the host's, and nothing that the user said", () => {
    const { rules, userMessages } = extractFacts(inputs, asIs);
    expect(rules.map(({ text }) => text)).toEqual([RULE]);
    expect(userMessages.map(({ author, blocks }) => [author, blocks.join("\n").includes(WORDS)])).toEqual([
      ["host", true],
      ["user", false],
    ]);
  });

  it("is read by a model apart from what the user said", () => {
    const [material, said] = readPassages(inputs, asIs);
    expect(material).toMatchObject({ source: "tool", text: expect.stringContaining(WORDS) });
    expect(said).toEqual({ id: "1.1", source: "user", text: RULE });
  });

  it("makes nobody who cites its message speak for the user", () => {
    const alone = [{ ...inputs[0], view: anthropicFormat.view({ role: "user", content: [block] }) }] as typeof inputs;
    const sourcesOf = (given: typeof inputs) => {
      const ledger = extractFacts(given, asIs);
      const passages = readPassages(given, asIs);
      return collectSources({ passages, ledger, strategy: "task_state", maxTokens: 900, count: (text) => text.length });
    };
    expect(sourcesOf(alone).ids.get("1.1")).toBe("tool");
    const both = sourcesOf(inputs);
    expect(both.ids.get("1.1")).toBe("user");
    const said = both.texts.filter(({ source }) => source === "user").map(({ text }) => text);
    expect(said).toContain(RULE);
    expect(said.join("\n")).not.toContain(WORDS);
  });

  it("is told in the summary when its message leaves", async () => {
    const { manager } = bench();
    const { messages } = await manager.compact("s", [message, user("go on"), ...turns(12)].slice(0, 25));
    const summary = textOf(messages.filter((one) => textOf([one]).includes("<COMPACT-SUMMARY")));
    expect(summary).toMatch(/\[1\.1\] Host: [^[]*\[\w+: Relay\][^[]* ops\/relay\/limits\.yaml/);
  });
});

it("a document of bytes says nothing", () => {
  const source = { type: "base64", media_type: "application/pdf", data: "JVBERi0xLjQK".repeat(20) };
  const view = anthropicFormat.view({ role: "user", content: [{ type: "document", title: "Relay", source }] });
  expect(view.parts).toMatchObject([{ kind: "opaque", type: "document" }]);
  expect(view.parts[0]).not.toHaveProperty("words");
});
