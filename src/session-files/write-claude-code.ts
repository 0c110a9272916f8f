// Writes a session that Claude Code goes on from: as its own compaction does, a boundary and a summary stand before the
// lines that stay, which hang on the summary under new ids. A host that finds ids of another session would join the two.
import { asArray, asText, isFilledText, isObject, type JsonObject } from "../text/json-values.ts";
import { isMessageLine, isSubagents, readBranch } from "./claude-code.ts";
import { assembleMessages } from "./session-messages.ts";
import type { SessionText } from "./session-reader.ts";
import { readLineValues } from "./session-values.ts";
import { type CompactedSession, jsonLines, linesLeft, type SessionWriter, unknownSession } from "./session-writer.ts";

export const claudeCodeWriter: SessionWriter = {
  newId: () => crypto.randomUUID(),
  fileName: ({ id }) => `${id}.jsonl`,
  resume: (id) => [["claude", "--resume", id]],
  write: writeClaudeCodeSession,
};

/** Lines without a place in the thread of which the last of a kind says what holds: titles, modes, names. */
const PASSING: ReadonlySet<unknown> = new Set(["queue-operation", "progress", "file-history-snapshot", "last-prompt"]);
const NAMES_OF_LINES = ["uuid", "parentUuid", "logicalParentUuid", "messageId", "leafUuid", "sourceToolAssistantUUID"];

function writeClaudeCodeSession(from: SessionText, session: CompactedSession): string {
  const { values } = readLineValues(from);
  const { branch } = readBranch(values);
  const { sources } = assembleMessages(branch);
  const left = linesLeft(sources, session);
  const first = session.summary === undefined ? 0 : left.first;
  const lines = values.flatMap(({ value, line }) => (isObject(value) ? [{ value, line }] : []));
  const model = lines.find(({ value }) => isMessageLine(value))?.value;
  if (first === Number.POSITIVE_INFINITY || values.some(({ line }) => line === 0) || !isFilledText(model?.version))
    throw unknownSession("Claude Code");
  const live = new Set(branch.map(({ line }) => line).filter((line) => !left.dropped.has(line)));
  const kept = lines.filter((place) => staysAt(place, first, live));
  const ids = new Map(kept.map(({ value }) => [value.uuid, crypto.randomUUID() as string]));
  // What left has the summary for its place: the way back from a line that stays ends there.
  const parents = new Map(
    lines.map(({ value, line }) => [value.uuid, line < first ? null : (value.parentUuid ?? value.logicalParentUuid)]),
  );
  const opening = session.summary === undefined ? [] : openingLines(model, session, session.summary.text);
  const root = asText(opening.at(-1)?.uuid) || null;
  let before = root;
  const renamed = kept.map(({ value }) => {
    const line = renamedLine(value, ids, session.id);
    if (value.parentUuid !== undefined) line.parentUuid = nearestKept(value, { ids, parents, before, root });
    if (!isMessageLine(value)) return line;
    before = asText(line.uuid) || before;
    return withResults(line, value, session.results);
  });
  const beside = session.summary === undefined ? [] : lastOfEachKind(lines, first, session.id);
  return jsonLines([...beside, ...opening, ...renamed]);
}

function renamedLine(value: JsonObject, ids: ReadonlyMap<unknown, string>, id: string): Record<string, unknown> {
  const line: Record<string, unknown> = { ...value, ...("sessionId" in value ? { sessionId: id } : {}) };
  for (const name of NAMES_OF_LINES) if (ids.has(line[name])) line[name] = ids.get(line[name]);
  if (isObject(line.snapshot)) line.snapshot = { ...line.snapshot, messageId: line.messageId };
  if ("compactMetadata" in line) line.compactMetadata = renamedIn(line.compactMetadata, ids);
  return line;
}

/** A boundary of the host's names the lines that stayed, at some depth. */
function renamedIn(value: unknown, ids: ReadonlyMap<unknown, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => renamedIn(each, ids));
  if (!isObject(value)) return ids.get(value) ?? value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, renamedIn(field, ids)]));
}

/** From the first that stays on; neither what was taken back nor the host's own compactions, which our summary replaces. */
function staysAt(
  { value, line }: { readonly value: JsonObject; readonly line: number },
  first: number,
  live: ReadonlySet<number>,
): boolean {
  if (line < first) return false;
  if (first > 0 && (value.subtype === "compact_boundary" || value.isCompactSummary === true)) return false;
  return !isMessageLine(value) || isSubagents(value) || live.has(line);
}

function lastOfEachKind(
  lines: readonly { readonly value: JsonObject; readonly line: number }[],
  first: number,
  sessionId: string,
): readonly JsonObject[] {
  const last = new Map<unknown, JsonObject>();
  for (const { value, line } of lines)
    if (line < first && !isFilledText(value.uuid) && !PASSING.has(value.type))
      last.set(value.type, "sessionId" in value ? { ...value, sessionId } : value);
  return [...last.values()];
}

function openingLines(model: JsonObject, { id, now, summary }: CompactedSession, text: string): readonly JsonObject[] {
  const { userType, entrypoint, cwd, version, gitBranch } = model;
  const common = { isSidechain: false, userType, entrypoint, cwd, sessionId: id, version, gitBranch, timestamp: now };
  const boundary = {
    ...{ parentUuid: null, ...common, type: "system", subtype: "compact_boundary", level: "info", isMeta: false },
    ...{ content: "Conversation compacted", uuid: crypto.randomUUID() as string },
    compactMetadata: { trigger: "manual", preTokens: summary?.tokensBefore },
  };
  const said = {
    ...{ parentUuid: boundary.uuid, ...common, type: "user", message: { role: "user", content: text } },
    ...{ isCompactSummary: true, isVisibleInTranscriptOnly: true, uuid: crypto.randomUUID() as string },
  };
  return [boundary, said];
}

interface Kept {
  /** New ids by the old ones. */
  readonly ids: ReadonlyMap<unknown, string>;
  readonly parents: ReadonlyMap<unknown, unknown>;
  /** The last message written. */
  readonly before: string | null;
  readonly root: string | null;
}

/** The line's parent, or the nearest before it that stays; where that is not in the file, the line before, as in reading. */
function nearestKept({ parentUuid }: JsonObject, { ids, parents, before, root }: Kept): string | null {
  const seen = new Set<unknown>();
  for (let uuid = parentUuid; isFilledText(uuid) && !seen.has(uuid); uuid = parents.get(uuid)) {
    const known = ids.get(uuid);
    if (known !== undefined) return known;
    if (!parents.has(uuid)) return before;
    seen.add(uuid);
  }
  return root;
}

/** What the host shows beside a result goes with the text that it was made from. */
function withResults(line: JsonObject, { message }: JsonObject, results: CompactedSession["results"]): JsonObject {
  const { content, ...rest } = message as JsonObject;
  let isShorter = false;
  const blocks = asArray(content).map((block) => {
    const shorter =
      isObject(block) && block.type === "tool_result" ? results.get(asText(block.tool_use_id)) : undefined;
    if (shorter === undefined) return block;
    isShorter = true;
    return { ...(block as JsonObject), content: shorter };
  });
  if (!isShorter) return line;
  const { toolUseResult: _, ...others } = line;
  return { ...others, message: { ...rest, content: blocks } };
}
