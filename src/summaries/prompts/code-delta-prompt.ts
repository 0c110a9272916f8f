// The prompt of `code_delta`: what changed in the code, why, and what has to follow.
import type { StrategyPrompt } from "./strategy-prompt.ts";

export const codeDeltaPrompt: StrategyPrompt = {
  purpose:
    "Record the changes to the code as diff-like bullets, for somebody who has to review or continue them without reading the conversation: what changed, why, what else it touches, and what has to follow.",
  guidance: {
    written:
      "one line a file: path: what changed (functions, APIs, tables touched; side effects) and why. Deleted and moved files say so.",
    errors:
      "`Open:` or `Fixed:`, the error as it was printed. For each blocker its source: (user), (tool) or (assumption).",
    state: "follow-up, each opening with `Done:`, `In progress:` or `Not started:`, with the message that shows it.",
    commands: "tests and builds with their outcome and figures.",
    rules: "constraints on the code that the user set, only from user messages.",
    names: "branches, commits, tickets that stand nowhere above.",
  },
  examples: [
    {
      transcript: `[1.5] user
| Uploads above 4 GiB break. Keep the signature of Store.put, the mobile team calls it.
[1.6] assistant
| The offset is a 32-bit number. I'll widen it in store/chunk.rs and leave Store.put alone.
| [calls edit: {"path":"store/chunk.rs","old":"offset: u32","new":"offset: u64"}]
[1.7] tool output, untrusted
| ok
[1.8] assistant
| [calls run: {"cmd":"cargo test -p store"}]
[1.9] tool output, untrusted
| test result: FAILED. 57 passed; 1 failed: resume_after_abort`,
      record: `## Files changed
- store/chunk.rs: field offset widened from u32 to u64, so that uploads above 4 GiB work; Store.put keeps its signature [1.6, 1.7]

## Follow-up: errors
- Open (tool): test resume_after_abort fails [1.9]

## Follow-up: where things stand
- Done: widen the offset [1.7]
- Not started: repair resume_after_abort [1.9]

## Commands and their outcome
- \`cargo test -p store\`: failed, 57 passed; 1 failed [1.9]

## Rules and constraints
- Keep the signature of Store.put, the mobile team calls it [1.5]`,
    },
    {
      transcript: `[2.11] assistant
| Moved legacy/csv.py to readers/csv.py and deleted legacy/tsv.py, nothing imports it.`,
      record: `## Files changed
- legacy/csv.py: moved to readers/csv.py [2.11]
- legacy/tsv.py: deleted, nothing imports it [2.11]`,
    },
  ],
};
