// Valid random histories in the messages of each provider: parallel calls, signed reasoning, images, opaque
// items, ids that repeat where they may, and (some of them) calls still in flight at the end.
import fc from "fast-check";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import type { Format } from "../../src/providers/format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import type { CallDraft, HistoryDraft, HistoryOptions, StepDraft, TurnDraft } from "./history-drafts.ts";
import { historyDraft } from "./history-drafts.ts";

export type History = readonly unknown[];

/** A PNG of 1 x 1 pixels. */
export const TINY_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const PNG_URL = `data:image/png;base64,${TINY_PNG}`;

type Message = Record<string, unknown>;

/** What the writer of one history counts: ids and signatures never repeat unless they may. */
interface Counters {
  next(): number;
}

function counters(): Counters {
  let number = 0;
  return { next: () => (number += 1) };
}

/** The steps of a turn, without the results that have not arrived; a history with missing ones ends there. */
interface Cut {
  readonly turns: readonly TurnDraft[];
  /** How many results of the very last step are there; undefined when all are. */
  readonly arrived: number | undefined;
}

function cutTail({ turns, missing }: HistoryDraft): Cut {
  const last = turns.at(-1);
  const step = last?.steps.at(-1);
  if (missing === 0 || last === undefined || step === undefined) return { turns, arrived: undefined };
  const open = { ...last, answer: undefined, steps: [...last.steps.slice(0, -1), { ...step, aside: undefined }] };
  return { turns: [...turns.slice(0, -1), open], arrived: Math.max(0, step.calls.length - missing) };
}

function meta(turn: TurnDraft): Message {
  return turn.isProtected ? { meta: { protected: true } } : {};
}

/** Writes every turn; `write` appends one, told how many results of its last step have arrived. */
function writeTurns(
  draft: HistoryDraft,
  write: (turn: TurnDraft, arrived: number | undefined) => Message[],
): Message[] {
  const { turns, arrived } = cutTail(draft);
  return turns.flatMap((turn, index) => write(turn, index === turns.length - 1 ? arrived : undefined));
}

function arrivedCalls<T>(step: StepDraft, results: readonly T[], isLast: boolean, arrived: number | undefined): T[] {
  const ordered = step.isReversed ? results.slice().reverse() : [...results];
  return isLast && arrived !== undefined ? ordered.slice(0, arrived) : ordered;
}

// --- OpenAI chat ---

function writeChat(draft: HistoryDraft): History {
  const count = counters();
  const opening = draft.opening.map((content, index) => ({ role: index === 0 ? "system" : "developer", content }));
  return [...opening, ...writeTurns(draft, (turn, arrived) => chatTurn(turn, arrived, count))];
}

function chatTurn(turn: TurnDraft, arrived: number | undefined, count: Counters): Message[] {
  const text = { type: "text", text: turn.user };
  const image = { type: "image_url", image_url: { url: PNG_URL } };
  const content = turn.hasImage ? [text, image] : turn.asParts ? [text] : turn.user;
  const messages: Message[] = [{ role: "user", content, ...meta(turn) }];
  for (const [index, step] of turn.steps.entries()) {
    const isLast = index === turn.steps.length - 1;
    messages.push(...chatStep(step, isLast, arrived, count));
  }
  if (arrived !== undefined) return messages;
  if (turn.answer !== undefined) messages.push(chatAnswer(turn.answer, turn));
  if (turn.reminder !== undefined) messages.push({ role: "developer", content: turn.reminder });
  return messages;
}

function chatStep(step: StepDraft, isLast: boolean, arrived: number | undefined, count: Counters): Message[] {
  // Ids repeat from step to step: only within one they must differ.
  const calls = step.calls.map((call, index) => ({ call, id: `call_${index + (count.next() % 3) * 10}` }));
  const assistant: Message = { role: "assistant", content: step.text ?? null, tool_calls: calls.map(chatCall) };
  if (step.hasOpaque) assistant.x_vendor = { trace: "kept as it is" };
  const results = calls.map(({ call, id }) => ({ role: "tool", tool_call_id: id, content: chatResult(call) }));
  const aside = step.aside === undefined ? [] : [{ role: "user", content: step.aside, name: "reviewer" }];
  return [assistant, ...arrivedCalls(step, results, isLast, arrived), ...aside];
}

function chatCall({ call, id }: { call: CallDraft; id: string }): Message {
  if (call.isCustom) return { id, type: "custom", custom: { name: call.tool, input: call.path } };
  return { id, type: "function", function: { name: call.tool, arguments: JSON.stringify({ path: call.path }) } };
}

function chatResult(call: CallDraft): unknown {
  return call.shape === "text" ? call.result : [{ type: "text", text: call.result }];
}

function chatAnswer(content: string, turn: TurnDraft): Message {
  const extra = turn.hasOpaque ? { refusal: null, annotations: [], audio: { id: "audio_1" } } : {};
  return { role: "assistant", content: turn.asParts ? [{ type: "text", text: content }] : content, ...extra };
}

// --- OpenAI Responses ---

function writeResponses(draft: HistoryDraft): History {
  const count = counters();
  const opening = draft.opening.map((content) => ({ type: "message", role: "developer", content }));
  return [...opening, ...writeTurns(draft, (turn, arrived) => responsesTurn(turn, arrived, count))];
}

function responsesTurn(turn: TurnDraft, arrived: number | undefined, count: Counters): Message[] {
  const items: Message[] = [responsesUser(turn)];
  for (const [index, step] of turn.steps.entries()) {
    items.push(...responsesStep(step, index === turn.steps.length - 1, arrived, count));
  }
  if (arrived !== undefined) return items;
  if (turn.hasOpaque) items.push({ type: "compaction", id: `cmp_${count.next()}`, encrypted_content: "gAAAA==" });
  if (turn.answer !== undefined) {
    if (turn.answerReasoning) items.push(reasoning(count));
    items.push(responsesText(turn.answer, count));
  }
  if (turn.reminder !== undefined) items.push({ type: "message", role: "developer", content: turn.reminder });
  return items;
}

function responsesUser(turn: TurnDraft): Message {
  if (!turn.hasImage && !turn.asParts) return { role: "user", content: turn.user, ...meta(turn) };
  const image = turn.hasImage ? [{ type: "input_image", image_url: PNG_URL }] : [];
  return { type: "message", role: "user", content: [{ type: "input_text", text: turn.user }, ...image], ...meta(turn) };
}

function responsesText(text: string, count: Counters): Message {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id: `msg_${count.next()}`, role: "assistant", status: "completed", content };
}

function reasoning(count: Counters): Message {
  const number = count.next();
  return { type: "reasoning", id: `rs_${number}`, summary: [], encrypted_content: `gAAAA${number}==` };
}

function responsesStep(step: StepDraft, isLast: boolean, arrived: number | undefined, count: Counters): Message[] {
  const items: Message[] = Array.from({ length: step.reasoning }, () => reasoning(count));
  if (step.hasOpaque) items.push({ type: "web_search_call", id: `ws_${count.next()}`, status: "completed" });
  if (step.text !== undefined) items.push(responsesText(step.text, count));
  const calls = step.calls.map((call) => ({ call, id: `call_${count.next()}` }));
  items.push(...calls.map(responsesCall));
  items.push(...arrivedCalls(step, calls.map(responsesOutput), isLast, arrived));
  if (step.aside !== undefined) items.push({ type: "message", role: "user", content: step.aside });
  return items;
}

function responsesCall({ call, id }: { call: CallDraft; id: string }): Message {
  if (call.isCustom) return { type: "custom_tool_call", call_id: id, name: call.tool, input: call.path };
  const given = JSON.stringify({ path: call.path });
  return { type: "function_call", id: `fc_${id}`, call_id: id, name: call.tool, arguments: given };
}

function responsesOutput({ call, id }: { call: CallDraft; id: string }): Message {
  const type = call.isCustom ? "custom_tool_call_output" : "function_call_output";
  if (call.shape === "text") return { type, call_id: id, output: call.result };
  const image = call.shape === "image" ? [{ type: "input_image", image_url: PNG_URL }] : [];
  return { type, call_id: id, output: [{ type: "input_text", text: call.result }, ...image] };
}

// --- Anthropic ---

function writeAnthropic(draft: HistoryDraft): History {
  const count = counters();
  return writeTurns(draft, (turn, arrived) => anthropicTurn(turn, arrived, count));
}

function anthropicTurn(turn: TurnDraft, arrived: number | undefined, count: Counters): Message[] {
  const text = { type: "text", text: turn.user };
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: TINY_PNG } };
  const content = turn.hasImage ? [image, text] : turn.asParts ? [text] : turn.user;
  const messages: Message[] = [{ role: "user", content, ...meta(turn) }];
  for (const [index, step] of turn.steps.entries()) {
    messages.push(...anthropicStep(step, index === turn.steps.length - 1, arrived, count));
  }
  if (arrived === undefined && turn.answer !== undefined) messages.push(anthropicAnswer(turn.answer, turn, count));
  return messages;
}

function thinking(count: Counters, isRedacted: boolean): Message {
  const signature = `sig${count.next()}==`;
  if (isRedacted) return { type: "redacted_thinking", data: signature };
  return { type: "thinking", thinking: "Weigh both ways first. ", signature };
}

function anthropicAnswer(text: string, turn: TurnDraft, count: Counters): Message {
  if (!turn.asParts) return { role: "assistant", content: text };
  const content: Message[] = turn.answerReasoning ? [thinking(count, false)] : [];
  if (turn.hasOpaque) content.push(...serverSearch(count));
  return { role: "assistant", content: [...content, { type: "text", text }] };
}

function serverSearch(count: Counters): Message[] {
  const id = `srvtoolu_${count.next()}`;
  const found = [{ type: "web_search_result", url: "https://example.org", title: "t", encrypted_content: "EqgB==" }];
  return [
    { type: "server_tool_use", id, name: "web_search", input: { query: "q" } },
    { type: "web_search_tool_result", tool_use_id: id, content: found },
  ];
}

function anthropicStep(step: StepDraft, isLast: boolean, arrived: number | undefined, count: Counters): Message[] {
  const content: Message[] = Array.from({ length: step.reasoning }, (_, index) => thinking(count, index > 0));
  if (step.hasOpaque) content.push(...serverSearch(count));
  if (step.text !== undefined) content.push({ type: "text", text: step.text });
  const calls = step.calls.map((call) => ({ call, id: `toolu_${count.next()}` }));
  for (const { call, id } of calls) content.push({ type: "tool_use", id, name: call.tool, input: { path: call.path } });
  const results = arrivedCalls(step, calls.map(anthropicResult), isLast, arrived);
  const aside = step.aside === undefined ? [] : [{ type: "text", text: step.aside }];
  const carrier = results.length === 0 ? [] : [{ role: "user", content: [...results, ...aside] }];
  return [{ role: "assistant", content }, ...carrier];
}

function anthropicResult({ call, id }: { call: CallDraft; id: string }): Message {
  const error = call.isError ? { is_error: true } : {};
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: TINY_PNG } };
  const parts = [{ type: "text", text: call.result }, ...(call.shape === "image" ? [image] : [])];
  return { type: "tool_result", tool_use_id: id, content: call.shape === "text" ? call.result : parts, ...error };
}

// --- what tests take ---

export const chatHistoryOf = (options?: HistoryOptions): fc.Arbitrary<History> => historyDraft(options).map(writeChat);
export const responsesHistoryOf = (options?: HistoryOptions): fc.Arbitrary<History> =>
  historyDraft(options).map(writeResponses);
export const anthropicHistoryOf = (options?: HistoryOptions): fc.Arbitrary<History> =>
  historyDraft(options).map(writeAnthropic);

export interface FormatHistories {
  readonly format: Format;
  readonly historyOf: (options?: HistoryOptions) => fc.Arbitrary<History>;
}

/** Every format with its histories, for tests that hold for all. */
export const formatHistories: readonly FormatHistories[] = [
  { format: openaiChatFormat, historyOf: chatHistoryOf },
  { format: openaiResponsesFormat, historyOf: responsesHistoryOf },
  { format: anthropicFormat, historyOf: anthropicHistoryOf },
];

/** A valid history with messages lost, repeated, moved, cut or replaced by anything JSON can be. */
export function damaged(history: fc.Arbitrary<History>): fc.Arbitrary<History> {
  const place = fc.nat({ max: 60 });
  const damage = fc.oneof(
    fc.record({ kind: fc.constantFrom("lose", "repeat", "break"), at: place, to: place }),
    fc.record({ kind: fc.constant("move"), at: place, to: place }),
    fc.record({ kind: fc.constant("insert"), at: place, to: place, value: fc.jsonValue() }),
  );
  return fc.tuple(history, fc.array(damage, { minLength: 1, maxLength: 6 })).map(([messages, damages]) => {
    const list = [...messages];
    for (const { kind, at, to, ...rest } of damages) {
      const from = at % Math.max(1, list.length);
      const target = to % Math.max(1, list.length);
      if (kind === "lose") list.splice(from, 1);
      else if (kind === "repeat") list.splice(target, 0, list[from]);
      else if (kind === "move") list.splice(target, 0, ...list.splice(from, 1));
      else if (kind === "break") list[from] = breakMessage(list[from], to);
      else list.splice(from, 0, (rest as { value?: unknown }).value);
    }
    return list;
  });
}

/** One field of a message gone, emptied or filled with half a surrogate pair. */
function breakMessage(message: unknown, choice: number): unknown {
  if (typeof message !== "object" || message === null) return message;
  const keys = Object.keys(message);
  const key = keys[choice % Math.max(1, keys.length)] ?? "content";
  const values = [undefined, null, "", [], "\ud83d", 7, {}, [null], [{ type: "text" }]];
  return JSON.parse(JSON.stringify({ ...message, [key]: values[choice % values.length] }));
}
