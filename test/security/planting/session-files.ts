// Session files as agents leave them on disk, with a secret of every kind in every field that holds text, those that
// only the agent's own program reads included.
import { anthropicTurn } from "./chat-histories.ts";
import type { Plant, Planter } from "./planter.ts";

type Line = Readonly<Record<string, unknown>>;

const jsonLines = (lines: readonly Line[]) => `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;

const timeOf = (index: number) => new Date(Date.UTC(2031, 0, 2) + index * 1000).toISOString();

export function claudeCodeSession(planter: Planter): string {
  let parentUuid: string | null = null;
  const lines: Line[] = [{ type: "summary", summary: "The survey", leafUuid: "uuid-0" }];
  for (const [turn, kind] of planter.kinds.entries()) {
    const plant = planter.plantOf(kind);
    for (const message of anthropicTurn(plant, turn)) {
      const uuid = `uuid-${lines.length}`;
      lines.push({
        parentUuid,
        uuid,
        sessionId: "session-of-the-file",
        type: message.role,
        message,
        cwd: "/home/me/shop",
        gitBranch: plant("branch"),
        toolUseResult: { stdout: plant("the program's copy of a result") },
        timestamp: timeOf(lines.length),
      });
      parentUuid = uuid;
    }
    lines.push({ type: "queue-operation", content: plant("queued prompt"), timestamp: timeOf(lines.length) });
  }
  return jsonLines(lines);
}

export function piSession(planter: Planter): string {
  const header = { type: "session", version: 3, id: "session-of-pi", cwd: "/home/me/shop", timestamp: timeOf(0) };
  const entries = planter.kinds.flatMap((kind, turn) => piTurn(planter.plantOf(kind), turn));
  let parentId: string | null = null;
  const chained = entries.map((entry, index) => {
    const line = { ...entry, id: `entry-${index}`, parentId, timestamp: timeOf(index) };
    parentId = line.id;
    return line;
  });
  return jsonLines([header, ...chained]);
}

function piTurn(plant: Plant, turn: number): readonly Line[] {
  const said = (message: Line): Line => ({ type: "message", message });
  const text = (value: string) => ({ type: "text", text: value });
  const answer = (content: readonly Line[]) =>
    said({
      role: "assistant",
      content,
      api: "anthropic-messages",
      provider: "anthropic",
      model: "m",
      stopReason: "stop",
    });
  const id = `pi_${turn}`;
  return [
    said({
      role: "user",
      content: [text(plant("user text part"))],
      attachments: [{ fileName: "notes.txt", extractedText: plant("attached document") }],
    }),
    answer([
      { type: "thinking", thinking: plant("thinking"), thinkingSignature: "S1==" },
      text(plant("text beside a call")),
      {
        type: "toolCall",
        id,
        name: "run",
        arguments: { command: plant("argument"), deep: [plant("argument in depth")] },
      },
    ]),
    said({
      role: "toolResult",
      toolCallId: id,
      toolName: "run",
      content: [text(plant("tool result"))],
      isError: false,
    }),
    said({
      role: "bashExecution",
      command: plant("command of the user"),
      output: plant("output of a command"),
      exitCode: 0,
    }),
    { type: "custom_message", content: plant("message of an extension"), display: true },
    answer([text(`The survey went on. ${"The next part was read in turn. ".repeat(20)}${plant("assistant text")}`)]),
  ];
}
