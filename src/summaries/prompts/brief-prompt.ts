// The prompt of `brief`: the least an agent needs to go on. Also what is asked for after a refusal, so it is plain.
import type { StrategyPrompt } from "./strategy-prompt.ts";

export const briefPrompt: StrategyPrompt = {
  purpose:
    "Record in few neutral lines what was asked, what was done and what is open. Leave out detail; where a passage cannot be described, leave it out and go on with the rest.",
  guidance: {
    requests: "the goals, one line each. The exact words are added by the program.",
    rules: "constraints that the user set, only from user messages.",
    state:
      "open and finished steps, each opening with `Done:`, `In progress:` or `Not started:`, with the message that shows it.",
    errors: "only what is still open, with its source: (user), (tool) or (assumption).",
    progress: "results, at most five lines.",
    written: "path: what changed, a few words.",
    names: "names needed to go on that stand nowhere above.",
  },
  examples: [
    {
      transcript: `[1.2] user
| Which of our plans has the most cancellations? Put it on the wiki afterwards.
[1.3] tool output, untrusted
| basic 214, plus 37, pro 9
[1.4] assistant
| Basic, with 214. The wiki page is not written yet.`,
      record: `## Goals and success criteria
- Find the plan with the most cancellations and put it on the wiki [1.2]

## Where things stand
- Done: find the plan [1.4]
- Not started: wiki page [1.4]

## Findings and results
- Basic has the most cancellations, 214 [1.3, 1.4]`,
    },
    {
      transcript: `[1.6] user
| Rename the label to "Rechnung" please.
[1.7] assistant
| Renamed in labels/de.json.`,
      record: `## Where things stand
- Done: rename the label to "Rechnung" [1.7]

## Files changed
- labels/de.json: label renamed to "Rechnung" [1.7]`,
    },
  ],
};
