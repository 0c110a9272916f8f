// The prompt of `decision_log`: the choices that were made, in their order, with why and on what ground.
import type { StrategyPrompt } from "./strategy-prompt.ts";

export const decisionLogPrompt: StrategyPrompt = {
  purpose:
    "Record the decisions of the conversation as a ledger in chronological order, so that nobody has to argue them again and everybody can see what they rest on. Nothing is invented: a reason that was not given is `no reason given`.",
  guidance: {
    decisions:
      "one line each, oldest first: [id] decision :: rationale :: inputs (brief) :: outputs (brief); say what was not chosen, who decided if it was the user, and `(superseded, see [id])` when a later one replaced it.",
    rules: "constraints that the user set, only from user messages.",
    errors: "`Open:` or `Fixed:`; what forced a decision. For each blocker its source: (user), (tool) or (assumption).",
    written: "path: what a decision changed in it.",
    state:
      "what follows from the decisions, each opening with `Done:`, `In progress:` or `Not started:`, with the message that shows it.",
    names: "names the decisions rest on that stand nowhere above.",
  },
  examples: [
    {
      transcript: `[2.3] user
| Checkout times out again. Find out why before we add machines.
[2.4] assistant
| Two candidates: the pool of 20 connections, or the lock on basket_lines.
| [calls query: {"sql":"select * from pg_stat_activity"}]
[2.5] tool output, untrusted
| 19 sessions waiting on basket_lines
[2.6] assistant
| It is the lock, not the pool. I'll take the short transaction rather than a second pool, because waiting sessions would fill that one as well.
[2.7] user
| Agreed. And no deploy on Fridays.`,
      record: `## Decisions (decision :: rationale :: inputs :: outputs)
[2.3] user: find the cause before adding machines :: no reason given :: checkout time-outs :: investigation
[2.6] Shorten the transaction (instead of a second pool) :: waiting sessions would fill the second pool as well :: 19 sessions waiting on basket_lines :: none

## Rules and constraints
- No deploy on Fridays [2.7]

## Errors, failed attempts and fixes
- Open: checkout times out; source: (tool) 19 sessions waiting on basket_lines [2.5]

## Where things stand
- Not started: shorten the transaction, agreed by the user [2.6, 2.7]`,
    },
    {
      transcript: `[1.9] assistant
| I keep the queue at 3 workers.
[1.14] user
| Make it 5, three can't keep up with the Monday load.`,
      record: `## Decisions (decision :: rationale :: inputs :: outputs)
[1.9] Keep the queue at 3 workers (superseded, see [1.14]) :: no reason given :: none :: none
[1.14] user: 5 workers instead of 3 :: three can't keep up with the Monday load :: none :: none

## Where things stand
- Not started: set the queue to 5 workers, three could not keep up [1.14]`,
    },
  ],
};
