// The played session as a Claude Code session file, with everything that makes such files hard to read: split
// answers, results beside the chain, a prompt that was taken back, a side chain, the host's own compaction.
import { LETTERS_AND_DIGITS, type Random } from "../random.ts";
import { hostSummary, lookAround, takenBack } from "./asides.ts";
import type { PlayedCall, PlayedStep } from "./play.ts";
import { type Block, SessionLines } from "./session-lines.ts";

type AssistantStep = Extract<PlayedStep, { who: "assistant" }>;

const ROOT = "/home/dev/invoice-service";

/** JSON Lines. Each act is a part of the session between two of the events above. */
export function claudeCodeSession(acts: readonly (readonly PlayedStep[])[], random: Random): string {
  const [first = [], second = [], third = []] = acts;
  const file = new SessionLines(random);
  file.progress("SessionStart", random.uuid());
  addSteps(file, first, random);
  addSideChain(file, random);
  const turn = file.parent;
  addTakenBack(file);
  file.parent = turn;
  addSteps(file, second, random);
  file.boundary(random.whole(19_000, 21_000));
  file.user(hostSummary(commitHashes(second)), { isVisibleInTranscriptOnly: true, isCompactSummary: true });
  addSteps(file, third, random);
  return `${file.lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

function addSteps(file: SessionLines, steps: readonly PlayedStep[], random: Random): void {
  const firstPrompt = steps.find((step) => step.who === "user");
  for (const step of steps) {
    if (step.who === "assistant") {
      addAnswer(file, step, random);
      continue;
    }
    const uuid = file.user(step.text);
    if (step === firstPrompt) file.snapshot(uuid, editedPaths(steps));
  }
}

function editedPaths(steps: readonly PlayedStep[]): string[] {
  const calls = steps.flatMap((step) => (step.who === "assistant" ? step.calls : []));
  return [...new Set(calls.flatMap(({ call }) => (call.tool === "edit_file" ? [call.path] : [])))];
}

/** Results hang on the line of their own call, so all but the last stand beside the chain. */
function addAnswer(file: SessionLines, step: AssistantStep, random: Random): void {
  const calls = step.calls.map((played) => ({ played, id: `toolu_01${random.text(22, LETTERS_AND_DIGITS)}` }));
  const uuids = file.answer([
    ...(step.thinking === undefined ? [] : [thinking(step.thinking, random)]),
    ...(step.text === "" ? [] : [{ type: "text", text: step.text }]),
    ...calls.map(({ played, id }) => ({ type: "tool_use", id, ...sessionCall(played) })),
  ]);
  const callLines = uuids.slice(uuids.length - calls.length);
  for (const [index, { played, id }] of calls.entries()) {
    const callLine = callLines[index] ?? null;
    file.parent = callLine;
    if (played.call.tool === "edit_file") file.progress("PostToolUse", id);
    file.parent = callLine;
    const result = { tool_use_id: id, type: "tool_result", content: sessionOutput(played) };
    file.user([played.isError ? { ...result, is_error: true } : result], { sourceToolAssistantUUID: callLine });
  }
}

function thinking(text: string, random: Random): Block {
  return { type: "thinking", thinking: text, signature: `invented${random.text(120, LETTERS_AND_DIGITS)}==` };
}

function sessionCall({ call }: PlayedCall): Block {
  switch (call.tool) {
    case "read_file":
      return { name: "Read", input: { file_path: `${ROOT}/${call.path}` } };
    case "edit_file": {
      const path = { file_path: `${ROOT}/${call.path}` };
      if (call.oldText === "") return { name: "Write", input: { ...path, content: call.newText } };
      return { name: "Edit", input: { ...path, old_string: call.oldText, new_string: call.newText } };
    }
    case "search":
      return { name: "Grep", input: { pattern: call.query, path: `${ROOT}/${call.path}`, output_mode: "content" } };
    case "run_command":
      return { name: "Bash", input: { command: call.command } };
  }
}

function sessionOutput({ call, output }: PlayedCall): string {
  if (call.tool !== "read_file") return output;
  const lines = output.replace(/\n$/, "").split("\n");
  return lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join("\n");
}

/** A second agent that only looked around. Its lines are in the file, but not in the conversation. */
function addSideChain(file: SessionLines, random: Random): void {
  const main = file.parent;
  file.parent = null;
  const aside = { isSidechain: true, agentId: random.hex(7) };
  const id = `toolu_01${random.text(22, LETTERS_AND_DIGITS)}`;
  file.user(lookAround.prompt, aside);
  const input = { pattern: lookAround.query, path: `${ROOT}/src`, output_mode: "content" };
  file.answer([{ type: "tool_use", id, name: "Grep", input }], aside);
  const content =
    "src/storage/invoice-repository.ts:23:          [number, group.rate, group.net / 100, group.tax / 100],";
  file.user([{ tool_use_id: id, type: "tool_result", content }], aside);
  file.answer([{ type: "text", text: lookAround.answer }], aside);
  file.parent = main;
}

function addTakenBack(file: SessionLines): void {
  file.user(takenBack.prompt);
  file.answer([{ type: "text", text: takenBack.answer }]);
}

/** The commits named in the last answer of an act. */
function commitHashes(steps: readonly PlayedStep[]): string[] {
  return [...(steps.at(-1)?.text ?? "").matchAll(/`([0-9a-f]{7})`/g)].flatMap((match) => match[1] ?? []);
}
