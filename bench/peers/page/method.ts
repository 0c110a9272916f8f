// How the figures come about, in words, with the constants that the measures use.
import { COST_WEIGHTS } from "../../../src/conversation/report.ts";
import { USER_UNITS } from "../../facts/held.ts";
import { whole } from "../../page/markdown.ts";
import { REPLAY_SYSTEM, REPLAY_TRIGGER, REPLAY_WINDOW } from "../measures/replay-cost.ts";
import { MOST_WRITTEN } from "../model/generous-model.ts";
import { OVER_BUDGET } from "../verdict/comparable.ts";

export function method(): string {
  return `## How it is measured

Each session is read from what its host left on disk, turned into one OpenAI chat list with a system message first, and healed once: all libraries start from the same valid list. Budgets are 5, 10 and 15 % of its tokens (o200k). A library is told the budget in its own way, with the settings below.

- **Tokens left**: of the whole result, system message included.
- **Identifiers** (URLs, paths, file names, hashes) that at least three, or two, messages name; **written files**; **user messages** (the first ${USER_UNITS} characters): found, by a plain search that shares no code with the product, in the text of the result.
- **Planted facts**: hidden in generated sessions, looked for after five rounds, each to the budget's share of all that was said so far. "Outdated": an old value that stands there without a word that it is.
- **Faults**: what the strict validators of three providers refuse, in the result as OpenAI chat, and converted to OpenAI Responses and to Anthropic.
- **ms**: processor time of the library's own call, not clock; median of three runs; one run where it took more than half a second. The model's own time, the conversion of messages to a library's and the search for its setting are not in it; ours is the whole call.
- **Replay cost**: weighted tokens when the session is replayed step by step as in [cost.md](reference/cost.md): one model call before each answer, a system prompt of ${whole(REPLAY_SYSTEM)} tokens, the library called above ${whole(REPLAY_TRIGGER)} tokens with the budget's share of a window of ${whole(REPLAY_WINDOW)}; cached read ${COST_WEIGHTS.cached_read}, cache write ${COST_WEIGHTS.cache_write}, input ${COST_WEIGHTS.input}, output ${COST_WEIGHTS.output}. Messages that say the same are the same to the cache. What the calls for summaries cost is in it. At 10 % only, and neither for sessions that stand here a second time in another provider's form nor for files that join hundreds of short conversations (aider, tau-bench). "-": the session never reaches the trigger.

The model is the same for all that use one. It follows a script, reads a prompt of any length, and keeps as many distinct facts of it as its cap allows (at most ${whole(MOST_WRITTEN)} tokens): recurring names first, then users' words, then figures. That is generous: real models keep less, and make things up. Ours stands in two rows, by code, as it is by default, and with that model.

**A result of more than ${OVER_BUDGET} times its budget is marked "over budget".** Who hands the list back nearly unchanged keeps everything; so retention is compared only among results that met the budget or are no larger than ours. A call or a replay that takes two minutes has "timed out".

To run it again: \`AGENT_CORPUS=<folder> npm run bench:peers\` with Node 22.19 or later; \`--sessions PATTERN\`, \`--peers PATTERN\`, \`--kept\` and \`--quick\` measure less and print it. It ends with 1 and names each cell when ours keeps less than another in any column, or leaves an invalid list.`;
}
