// Facts that were said once, in a window so narrow and a session so talkative that the summary is full: what cannot be
// guessed stays before what was merely told, with a model that says nothing and without one.
import { describe, expect, it } from "vitest";
import type { ConversationConfig } from "../../../src/index.ts";
import { verifies } from "../../requirements/verifies.ts";
import { assistant, bench, pair, textOf, user } from "../support.ts";

const FACTS = [
  "OPS-8812",
  "ap-south-2",
  "2032-11-02 14:00 CET",
  "src/billing/vat_rules.rs:88",
  "gs://kestrel-lake/bronze",
  "timeoutMs=4500",
  "Marta Kovács",
  "7c1e9ab4d0",
];
const [ticket, region, deadline, line, archive, setting, person, commit] = FACTS;

const OPENINGS = {
  "by the user and the assistant": [
    user(`We have ${ticket} in ${region}, due ${deadline}.`),
    assistant(`I found the cause in ${line}; the dump is at ${archive}.`),
    user(`Then set ${setting}; ${person} signs off; revert to ${commit}.`),
    assistant("Ok."),
  ],
  "mostly by the assistant": [
    user(`Fix ${ticket}. Deadline: ${deadline}. Owner is ${person}.`),
    ...pair(["r"], "fn rate() {}", "read_file", { path: "src/billing/vat_rules.rs" }),
    assistant(`The bug is at ${line}, in ${region}; data in ${archive}, ${setting}, last good ${commit}.`),
  ],
};
const talk = (n: number) => [
  user(`Please check part ${n} of the list again and tell me whether it is fine.`),
  assistant(
    `Part ${n} is fine; nothing special. ${"It all looks normal and I see no reason to change it. ".repeat(12)}`,
  ),
];

const saying = (text: string): ConversationConfig => ({ summarizer: { model: async () => text } });
const SUMMARIZERS: Readonly<Record<string, ConversationConfig>> = {
  "no model": {},
  "a model that says that work continued": saying("Work continued."),
  "a model that says so in another language": saying("Das Gespräch ging weiter."),
  "a model whose sections are empty": saying("## Goals\n- none\n\n## Progress\n- Work continued."),
};

describe.each(Object.entries(OPENINGS))("facts said once, %s", (_who, opening) => {
  it.each(Object.keys(SUMMARIZERS))("are all there after five rounds with %s", async (name) => {
    verifies("field/exact-facts-decay");
    const { manager } = bench({ maxContextTokens: 32_000, ...SUMMARIZERS[name] });
    let list: readonly unknown[] = opening;
    for (let round = 0; round < 5; round++) {
      const added = Array.from({ length: 10 }, (_, n) => talk(round * 10 + n)).flat();
      list = [...(await manager.manualCompact("s", [...list, ...added, user("go on")])), assistant("ok")];
    }
    for (const fact of FACTS) expect(textOf(list), fact).toContain(fact);
  });
});
