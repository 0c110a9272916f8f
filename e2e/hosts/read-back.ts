// Compares the messages that our reader finds in a session file with what the scripted model heard and said.
import type { Turn } from "./scripted-model.ts";
import type { Session } from "./session.ts";
import type { Body } from "./wires.ts";

/** What came back for a call of a turn, as the model saw it. */
export function saidToUs({ heard }: Session, turn: Turn | undefined, call: number): string | undefined {
  const next = heard.find((request) => request.turn === turn && request.done === call + 1);
  return next?.said.findLast(({ role }) => role === "result")?.texts.join("\n");
}

/** How often each thing that was said stands in the list, and whether the first places of all follow each other. */
export function readBack(messages: readonly Body[], session: Session, turns: readonly Turn[]) {
  const found = messages.flatMap(linesOf);
  const expected = turns.flatMap((turn) => [
    line("user", turn.prompt),
    ...turn.calls.flatMap(({ tool, input }, call) => [
      line("call", tool, JSON.stringify(input)),
      // Some results are no text: loaded tools.
      ...[saidToUs(session, turn, call) ?? "no result"].filter((text) => text !== "").map((text) => line("tool", text)),
    ]),
    line("assistant", turn.says),
  ]);
  const places = expected.map((wanted) => found.findIndex((each) => matches(each, wanted)));
  return {
    times: expected.map((wanted) => [wanted, found.filter((each) => matches(each, wanted)).length] as const),
    inOrder: places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0)),
  };
}

/** A call may stand within a program, its name behind a host's own; a reader may write before a result that it failed. */
function matches(each: string, wanted: string): boolean {
  const [role = "", ...pieces] = wanted.split("\n");
  if (role !== "call" && role !== "tool") return each === wanted;
  return each.startsWith(role) && pieces.every((piece) => each.includes(piece));
}

function linesOf({ role, content, tool_calls: calls = [] }: Body): readonly string[] {
  const texts: string[] = typeof content === "string" ? [content] : (content ?? []).map(({ text }: Body) => text ?? "");
  return [
    // The results of one call are one thing, a person's texts several.
    ...(role === "tool" ? [line(role, texts.join("\n"))] : texts.map((text) => line(role, text))),
    ...calls.map((call: Body) => {
      const { name, arguments: input, input: program } = call.function ?? call.custom;
      return line("call", name, input ?? program);
    }),
  ];
}

/** Without what encoding and wrapping differ in: spaces, quotation marks, backslashes. */
function line(role: string, ...pieces: readonly string[]): string {
  return [role, ...pieces.map((piece) => piece.replace(/[\s"\\]+/g, ""))].join("\n");
}
