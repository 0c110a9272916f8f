// Makes the text of a summary out of a checked answer and the ledger, within the cap: what code carries first, then what
// the model worded, as much of both as there is room for.
import { cutAt } from "../../text/cut.ts";
import { createPacer } from "../../tokens/turns/pacer.ts";
import { runInTurns } from "../../tokens/turns/stepwise.ts";
import type { CheckedStatement } from "../answer/statement.ts";
import type { DigestLine } from "../digest/digest-line.ts";
import { renderSections } from "../digest/render-sections.ts";
import { STRATEGY_SHAPES } from "../digest/strategies.ts";
import { chooseDigestStepwise } from "../extractive-summarizer.ts";
import type { Summary, SummaryRequest } from "../summarizer.ts";
import { type AnswerLine, answerLines } from "./answer-lines.ts";
import { linesByCode, withoutRepeats } from "./lines-by-code.ts";

/** Of a narrow cap this share is the model's at least, if it has so much to say. */
const ANSWER_SHARE = 0.35;
/** The header is worth a line or two, not the room of the content. */
const HEADER_SHARE = 0.2;
/** Titles that may have to be added for lines of code. */
const TITLE_MARGIN = 60;

/** Never empty, never above `maxTokens`. `request.strategy` is the answer's own; a thin answer counts for no section. */
export async function completeAnswer(
  statements: readonly CheckedStatement[],
  request: SummaryRequest,
  isThin = false,
): Promise<Summary> {
  const { ledger, maxTokens, count } = request;
  const pacer = createPacer();
  const whole = withoutRepeats(answerLines(statements), ledger);
  const sizeOf = (lines: readonly DigestLine[]) => lines.reduce((sum, { text }) => sum + count(`${text}\n`), 0);
  const room = maxTokens - Math.min(TITLE_MARGIN, Math.floor(maxTokens / 10));
  let answer = whole;
  let code: readonly DigestLine[] = [];
  let header: readonly string[] = [];
  // Fewer lines of the model may mean more of code, so it takes a few rounds to settle.
  for (let round = 0; round < 4; round += 1) {
    const left = Math.max(room - sizeOf(answer), Math.floor(room * (1 - ANSWER_SHARE)));
    const digest = await runInTurns(chooseDigestStepwise({ ...request, maxTokens: left }));
    await pacer.pause();
    header = headerWithin(digest.header, maxTokens * HEADER_SHARE, count);
    code = linesByCode(digest, answer, isThin, { room: left, count });
    const over = sizeOf(answer) + sizeOf(code) + count(header.join("\n")) - room;
    if (over <= 0) break;
    const shorter = withoutLeast(answer, over, sizeOf(answer) - room * ANSWER_SHARE, count);
    if (shorter.length === answer.length) break;
    answer = shorter;
  }
  const text = renderWithin(header, code, answer, request);
  return { text, source: code.length === 0 && statements.length > 0 ? "model" : "model+ledger" };
}

/** Drops the least valuable lines until `tokens` are gone, or `most` would be exceeded. */
function withoutLeast(
  lines: readonly AnswerLine[],
  tokens: number,
  most: number,
  count: (text: string) => number,
): readonly AnswerLine[] {
  const gone = new Set<AnswerLine>();
  let freed = 0;
  for (const line of [...lines].sort((a, b) => b.rank - a.rank || a.newest - b.newest || b.order - a.order)) {
    if (freed >= tokens) break;
    const size = count(`${line.text}\n`);
    if (freed + size > most) continue;
    gone.add(line);
    freed += size;
  }
  return lines.filter((line) => !gone.has(line));
}

function headerWithin(header: readonly string[], tokens: number, count: (text: string) => number): readonly string[] {
  for (let length = header.length; length > 0; length -= 1) {
    if (count(header.slice(0, length).join("\n")) <= tokens) return header.slice(0, length);
  }
  return [];
}

/** Sizes of lines do not quite add up to that of the text, so the last word has the text itself. */
function renderWithin(
  header: readonly string[],
  code: readonly DigestLine[],
  answer: readonly AnswerLine[],
  { maxTokens, count, strategy }: SummaryRequest,
): string {
  const newestOf = (line: DigestLine) => ("newest" in line ? (line as AnswerLine).newest : line.order);
  const byWorth = [...code, ...answer].sort((a, b) => a.rank - b.rank || newestOf(b) - newestOf(a));
  let lines: readonly DigestLine[] = byWorth;
  for (;;) {
    const text = [...header, ...renderSections(lines, STRATEGY_SHAPES[strategy])].join("\n").trim();
    const tokens = count(text);
    if (tokens <= maxTokens && text !== "") return text;
    if (lines.length <= 1) return cutWithin(lines[0]?.text ?? text, maxTokens, count);
    const share = Math.min(0.95, maxTokens / Math.max(1, tokens));
    lines = lines.slice(0, Math.max(1, Math.min(lines.length - 1, Math.ceil(lines.length * share))));
  }
}

/** For caps too small for a line. */
function cutWithin(text: string, maxTokens: number, count: (text: string) => number): string {
  let short = cutAt(text, Math.max(1, maxTokens * 4));
  while (short.length > 1 && count(short) > maxTokens)
    short = cutAt(short, Math.floor(short.length / 2)) || short.slice(0, 1);
  return short;
}
