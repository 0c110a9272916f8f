// A made-up session whose end needs what its beginning said.

type Message = Readonly<Record<string, unknown>>;

const OUTPUT = "The quick survey of the module found nothing unusual, and the next part was read in turn. ";

export const SECRET = `sk-proj-${"a1B2c3D4".repeat(6)}`;

/** OpenAI chat. The port, the ticket and the table are named at the beginning, and again in the last fifth alone. */
export function longSession(turns = 40): readonly Message[] {
  const messages: Message[] = [
    { role: "user", content: `The ticket is PAY-4711, the key is ${SECRET}. Never touch the table ledger_v3 by hand.` },
    { role: "assistant", content: "Understood. The service listens on port 58123. Shall I keep the old endpoint?" },
    { role: "user", content: "Yes, keep it until March." },
  ];
  for (let turn = 1; turn <= turns; turn++) {
    const id = `call_${turn}`;
    const call = { id, type: "function", function: { name: "read_file", arguments: `{"path":"src/part-${turn}.ts"}` } };
    messages.push(
      { role: "user", content: `Please check part ${turn} of the module for me.` },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: id, content: `part ${turn}: ${OUTPUT.repeat(16)}` },
      { role: "assistant", content: `Part ${turn} is in order, nothing to be done there.` },
    );
  }
  messages.push(
    { role: "user", content: "Now write the migration." },
    { role: "assistant", content: "For PAY-4711 it reads ledger_v3 and calls port 58123; nothing else." },
  );
  return messages;
}
