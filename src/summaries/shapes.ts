// What each strategy writes: which sections, under which titles, in which order, and how much each is worth.
import type { Strategy } from "./summarizer.ts";

/** Sections of a summary, whoever wrote it: code fills some, a model others. */
export type Section =
  | "state"
  | "requests"
  | "rules"
  | "decisions"
  | "progress"
  | "errors"
  | "written"
  | "commands"
  | "talk"
  | "attached"
  | "names";

/** A line that somebody else wrote for a section. */
export interface GivenLine {
  readonly section: Section;
  readonly text: string;
}

export interface Shape {
  readonly sections: readonly (readonly [section: Section, title: string])[];
  /** What a section's lines are worth, where that is not 1; those that are not in `sections` are left out. */
  readonly worth: Readonly<Partial<Record<Section, number>>>;
}

const STATE = ["state", "Where things stand"] as const;
const REQUESTS = ["requests", "Goals and success criteria"] as const;
const RULES = ["rules", "Rules and constraints"] as const;
const DECISIONS = ["decisions", "Decisions (decision :: rationale :: inputs :: outputs)"] as const;
const PROGRESS = ["progress", "Findings and results"] as const;
const ERRORS = ["errors", "Errors, failed attempts and fixes"] as const;
const WRITTEN = ["written", "Files changed"] as const;
const COMMANDS = ["commands", "Commands and their outcome"] as const;
const TALK = ["talk", "Goals, decisions and results as they were said, in order"] as const;
const ATTACHED = ["attached", "Attachments and refusals"] as const;
const NAMES = ["names", "Also named"] as const;

export const SHAPES: Readonly<Record<Strategy, Shape>> = {
  task_state: {
    sections: [STATE, REQUESTS, RULES, DECISIONS, PROGRESS, ERRORS, WRITTEN, COMMANDS, TALK, ATTACHED, NAMES],
    worth: {},
  },
  decision_log: {
    sections: [DECISIONS, STATE, RULES, ERRORS, WRITTEN, ATTACHED, NAMES],
    worth: { written: 0.5 },
  },
  code_delta: {
    sections: [
      WRITTEN,
      ["errors", "Follow-up: errors"],
      ["state", "Follow-up: where things stand"],
      COMMANDS,
      RULES,
      TALK,
      ATTACHED,
      NAMES,
    ],
    worth: { written: 3, talk: 0.6 },
  },
  brief: {
    sections: [STATE, REQUESTS, RULES, PROGRESS, ERRORS, WRITTEN, TALK, ATTACHED, NAMES],
    worth: { errors: 0.5, written: 0.5 },
  },
};
