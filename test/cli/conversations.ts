// Made-up conversations for the tests of the command line.

type Message = Readonly<Record<string, unknown>>;

const FILLER = "The quick survey of the module found nothing unusual, and the next part was read in turn. ";

/** OpenAI chat: a system message, then turns of a request, a call, its result and an answer. */
export function chatConversation(turns: number): readonly Message[] {
  const messages: Message[] = [{ role: "system", content: "You are a careful engineer." }];
  for (let turn = 1; turn <= turns; turn++) {
    const id = `call_${turn}`;
    const call = { id, type: "function", function: { name: "read_file", arguments: `{"path":"src/part-${turn}.ts"}` } };
    messages.push(
      { role: "user", content: `Please check part ${turn} of the module.` },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: id, content: `part ${turn}: ${FILLER.repeat(12)}` },
      { role: "assistant", content: `Part ${turn} is in order. ${FILLER.repeat(2)}` },
    );
  }
  return messages;
}

/** Anthropic: the same turns as content blocks. */
export function anthropicConversation(turns: number): readonly Message[] {
  const messages: Message[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const id = `toolu_${turn}`;
    messages.push(
      { role: "user", content: `Please check part ${turn} of the module.` },
      {
        role: "assistant",
        content: [{ type: "tool_use", id, name: "read_file", input: { path: `src/part-${turn}.ts` } }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: `part ${turn}: ${FILLER.repeat(12)}` }],
      },
      { role: "assistant", content: [{ type: "text", text: `Part ${turn} is in order.` }] },
    );
  }
  return messages;
}

/** Lines of a Claude Code session that holds the same turns. */
export function sessionLines(turns: number): string {
  let parentUuid: string | null = null;
  const lines = anthropicConversation(turns).map((message, index) => {
    const uuid = `uuid-${index}`;
    const line = {
      parentUuid,
      isSidechain: false,
      sessionId: "session-of-the-file",
      type: message.role,
      uuid,
      message,
      timestamp: new Date(1_700_000_000_000 + index * 1000).toISOString(),
    };
    parentUuid = uuid;
    return JSON.stringify(line);
  });
  return `${lines.join("\n")}\n`;
}
