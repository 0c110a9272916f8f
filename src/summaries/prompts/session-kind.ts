// What kind of session it is, by the tools that were called, and what its record needs: who talks has no changed files, who
// writes code tells few people's plans.
import type { Ledger } from "../../facts/ledger.ts";
import type { Section } from "../shapes.ts";

export type SessionKind = "coding" | "research" | "support" | "dialogue";

interface KindPrompt {
  /** Sections that such a session has no use for. */
  readonly without: readonly Section[];
  /** What stands in a section, where that is not what the strategy says. */
  readonly guidance: Readonly<Partial<Record<Section, string>>>;
  /** Words of a record for each word of the transcript. */
  readonly share: number;
}

const LOOKS_UP = /search|fetch|browse|web|crawl|lookup|query/iu;

export function sessionKind({ files, commands, calls }: Ledger): SessionKind {
  if (commands.length > 0 || files.some(({ operation }) => operation !== "read")) return "coding";
  if (calls.length === 0) return files.length > 0 ? "research" : "dialogue";
  const lookedUp = calls.filter(({ text }) => LOOKS_UP.test(text.split(/[\s({]/u, 1)[0] ?? "")).length;
  return lookedUp * 2 > calls.length ? "research" : "support";
}

export const KIND_PROMPTS: Readonly<Record<SessionKind, KindPrompt>> = {
  coding: { without: [], guidance: {}, share: 1 / 15 },
  research: {
    without: ["written", "commands"],
    guidance: { progress: "findings, each with the page or file it comes from; what was looked for and not found." },
    share: 1 / 12,
  },
  support: {
    without: ["written", "commands"],
    guidance: {
      progress:
        "the case: who asks, their ids and orders, what was looked up, what was changed in which system, what was promised.",
    },
    share: 1 / 8,
  },
  dialogue: {
    without: ["errors", "written", "commands"],
    guidance: {
      progress:
        "what was told, person by person: events with their day (worked out from the message's own date where it says `yesterday`), plans, preferences, relations, places. No small talk.",
    },
    share: 1 / 6,
  },
};
