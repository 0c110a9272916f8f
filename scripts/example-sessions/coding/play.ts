// Plays the written session on a copy of the fictional project: reads give the text as it is at that moment,
// edits must fit, searches find what is there. So the outputs cannot contradict each other.
import type { Random } from "../random.ts";
import type { Call, Step } from "./steps.ts";

export interface PlayedCall {
  readonly call: Call;
  readonly output: string;
  readonly isError: boolean;
}

export type PlayedStep =
  | { readonly who: "user"; readonly text: string }
  | {
      readonly who: "assistant";
      readonly text: string;
      readonly thinking?: string;
      readonly calls: readonly PlayedCall[];
    };

/** `project` is changed as the session changes it. Throws when an edit does not fit. */
export function play(steps: readonly Step[], project: Map<string, string>, random: Random): PlayedStep[] {
  const fill = createFiller(random);
  return steps.map((step) => {
    const text = fill(step.text);
    if (step.who === "user") return { who: "user", text };
    const calls = step.calls.map((call) => ({
      call: call.tool === "run_command" ? { ...call, command: fill(call.command) } : call,
      output: outputOf(call, project, fill),
      isError: call.tool === "run_command" && call.exitCode !== 0,
    }));
    return { who: "assistant", text, calls, ...(step.thinking === undefined ? {} : { thinking: step.thinking }) };
  });
}

/** Puts times and commit hashes into `{ms}` and `{hash:name}`; one name always gives one hash. */
function createFiller(random: Random): (text: string) => string {
  const hashes = new Map<string, string>();
  const hashOf = (name: string): string => {
    // With a letter and a digit, so that it cannot be taken for a word or a number.
    const hash = hashes.get(name) ?? `${random.text(1, "abcdef")}${random.whole(1, 9)}${random.hex(5)}`;
    hashes.set(name, hash);
    return hash;
  };
  return (text) =>
    text
      .replaceAll("{ms}", () => `${random.whole(3, 480)}ms`)
      .replace(/\{hash:(\w{1,8})\}/g, (_, name) => hashOf(name));
}

function outputOf(call: Call, project: Map<string, string>, fill: (text: string) => string): string {
  switch (call.tool) {
    case "read_file":
      return textOf(project, call.path);
    case "edit_file":
      return applyEdit(call.path, call.oldText, call.newText, project);
    case "search":
      return searchIn(project, call.query, call.path);
    case "run_command":
      return call.exitCode === 0 ? fill(call.output) : `${fill(call.output)}\n\nexit code ${call.exitCode}`;
  }
}

function textOf(project: ReadonlyMap<string, string>, path: string): string {
  const text = project.get(path);
  if (text === undefined) throw new Error(`the session reads ${path}, which the project does not have`);
  return text;
}

function applyEdit(path: string, oldText: string, newText: string, project: Map<string, string>): string {
  if (oldText === "") {
    project.set(path, newText);
    return `Created ${path} (${newText.split("\n").length - 1} lines)`;
  }
  const before = textOf(project, path);
  if (before.split(oldText).length !== 2)
    throw new Error(`an edit of ${path} fits ${before.split(oldText).length - 1} times`);
  const after = before.replace(oldText, () => newText);
  project.set(path, after);
  return `Edited ${path}:\n${surroundings(after, after.indexOf(newText), newText)}`;
}

/** The changed lines with two lines around them, numbered. */
function surroundings(text: string, offset: number, changed: string): string {
  const first = text.slice(0, offset).split("\n").length - 1;
  const last = first + changed.replace(/\n$/, "").split("\n").length - 1;
  const lines = text.replace(/\n$/, "").split("\n");
  const from = Math.max(0, first - 2);
  return lines
    .slice(from, last + 3)
    .map((line, index) => `${from + index + 1}: ${line}`)
    .join("\n");
}

function searchIn(project: ReadonlyMap<string, string>, query: string, folder: string): string {
  const hits = [...project]
    .filter(([path]) => path.startsWith(`${folder}/`))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([path, text]) =>
      text.split("\n").flatMap((line, index) => (line.includes(query) ? [`${path}:${index + 1}:${line}`] : [])),
    );
  return hits.length === 0 ? `no match for "${query}" in ${folder}` : hits.join("\n");
}
