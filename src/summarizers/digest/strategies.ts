// What each strategy writes: which sections, under which titles, in which order. What users said, what was
// changed and what recurs is in all of them; they differ in what comes first and how much detail it gets.
import type { Strategy } from "../summarizer.ts";
import type { Section } from "./digest-line.ts";

export interface StrategyShape {
  readonly sections: readonly (readonly [Section, string])[];
  /** Files with what was touched and why. */
  readonly detailedFiles: boolean;
}

const REQUESTS = ["requests", "Goals and requests (the user's words)"] as const;
const RULES = ["rules", "Rules and constraints"] as const;
const DECISIONS = ["decisions", "Decisions (decision :: rationale :: inputs :: outputs)"] as const;
const PLAN = ["plan", "State of the plan"] as const;
const PROGRESS = ["progress", "Progress (the assistant's own reports)"] as const;
const ERRORS = ["errors", "Errors"] as const;
const COMMANDS = ["commands", "Commands and their outcome"] as const;
const WRITTEN = ["written", "Files changed"] as const;
const READ = ["read", "Files read"] as const;
const VALUES = ["values", "Values in force"] as const;
const IDENTIFIERS = ["identifiers", "Other identifiers"] as const;

export const STRATEGY_SHAPES: Readonly<Record<Strategy, StrategyShape>> = {
  task_state: {
    sections: [REQUESTS, RULES, DECISIONS, PLAN, PROGRESS, ERRORS, WRITTEN, COMMANDS, VALUES, READ, IDENTIFIERS],
    detailedFiles: true,
  },
  decision_log: {
    sections: [DECISIONS, RULES, REQUESTS, ERRORS, WRITTEN, VALUES, PLAN, IDENTIFIERS],
    detailedFiles: false,
  },
  code_delta: {
    sections: [
      WRITTEN,
      ["errors", "Follow-up: errors"],
      ["plan", "Follow-up: plan"],
      COMMANDS,
      RULES,
      REQUESTS,
      VALUES,
      IDENTIFIERS,
    ],
    detailedFiles: true,
  },
  brief: {
    sections: [REQUESTS, RULES, PLAN, ERRORS, PROGRESS, WRITTEN, VALUES, IDENTIFIERS],
    detailedFiles: false,
  },
};
