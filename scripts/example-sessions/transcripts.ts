// The four example transcripts as texts, each from its own seed, so that a change in one leaves the others alone.
import { firstAct } from "./coding/act-1.ts";
import { secondAct } from "./coding/act-2.ts";
import { thirdAct } from "./coding/act-3.ts";
import { chatSession } from "./coding/chat-session.ts";
import { claudeCodeSession } from "./coding/claude-code-session.ts";
import { play } from "./coding/play.ts";
import { readProject } from "./coding/project-files.ts";
import { createRandom } from "./random.ts";
import { researchSession } from "./research.ts";
import { supportChat } from "./support-chat.ts";
import { writeJson } from "./write-json.ts";

/** File name below `examples/transcripts/` to text. The same texts in every run. */
export function exampleTranscripts(): ReadonlyMap<string, string> {
  const project = readProject();
  const played = createRandom(482);
  // One project and one source of hashes for all acts, or a commit would change its hash between them.
  const steps = play([...firstAct, ...secondAct, ...thirdAct], project, played);
  const second = firstAct.length;
  const third = second + secondAct.length;
  const acts = [steps.slice(0, second), steps.slice(second, third), steps.slice(third)];
  return new Map([
    ["coding-session.json", writeJson(chatSession(steps, createRandom(1)))],
    ["coding-session.claude-code.jsonl", claudeCodeSession(acts, createRandom(2))],
    ["support-chat.anthropic.json", writeJson(supportChat(createRandom(3)))],
    ["research.openai-responses.json", writeJson(researchSession(createRandom(4)))],
  ]);
}
