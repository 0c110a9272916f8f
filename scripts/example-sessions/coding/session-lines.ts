// Lines of a Claude Code session file: what each kind looks like, and the chain of parents they hang on.
import { LETTERS_AND_DIGITS, type Random } from "../random.ts";

export type Block = Readonly<Record<string, unknown>>;

const START_SECOND = 8 * 3600;
const MODEL = "claude-sonnet-4-5";

/** Collects lines. `parent` is the line that the next one follows; it may be set back. */
export class SessionLines {
  readonly lines: Block[] = [];
  parent: string | null = null;
  private readonly random: Random;
  private readonly sessionId: string;
  private second = START_SECOND;

  constructor(random: Random) {
    this.random = random;
    this.sessionId = random.uuid();
  }

  /** Adds a line to the chain; returns its uuid. */
  add(fields: Block): string {
    const uuid = this.random.uuid();
    this.lines.push({ parentUuid: this.parent, ...this.surroundings(), ...fields, uuid, timestamp: this.timestamp() });
    this.parent = uuid;
    return uuid;
  }

  user(content: unknown, fields: Block = {}): string {
    return this.add({ type: "user", message: { role: "user", content }, ...fields });
  }

  /** One line per block, all with the same message id, as the host writes them. Returns their uuids. */
  answer(blocks: readonly Block[], fields: Block = {}): string[] {
    const id = `msg_01${this.random.text(22, LETTERS_AND_DIGITS)}`;
    const usage = { input_tokens: this.random.whole(3, 12), output_tokens: this.random.whole(40, 900) };
    const reason = blocks.at(-1)?.type === "tool_use" ? "tool_use" : "end_turn";
    return blocks.map((block, index) => {
      const stopReason = index === blocks.length - 1 ? reason : null;
      const frame = { model: MODEL, id, type: "message", role: "assistant", content: [block] };
      return this.add({
        type: "assistant",
        message: { ...frame, stop_reason: stopReason, stop_sequence: null, usage },
        ...fields,
      });
    });
  }

  /** Where the file states of a prompt are kept; no part of the chain. */
  snapshot(messageId: string, paths: readonly string[]): void {
    const backups = paths.map((path) => [path, { backupFileName: `${this.random.hex(16)}@v1`, version: 1 }]);
    const snapshot = { messageId, trackedFileBackups: Object.fromEntries(backups), timestamp: this.timestamp() };
    this.lines.push({ type: "file-history-snapshot", messageId, snapshot, isSnapshotUpdate: false });
  }

  /** Shown while a hook runs; the model never sees it. */
  progress(hookEvent: string, toolUseId: string): void {
    const data = { type: "hook_progress", hookEvent, hookName: hookEvent, command: "scripts/hooks/format-changed.sh" };
    this.add({ type: "progress", data, parentToolUseID: toolUseId, toolUseID: toolUseId });
  }

  /** The host's own compaction: a new chain, which names the old one. */
  boundary(tokens: number): void {
    const logicalParentUuid = this.parent;
    this.parent = null;
    const compactMetadata = { trigger: "manual", preTokens: tokens };
    const content = "Conversation compacted";
    this.add({
      logicalParentUuid,
      type: "system",
      subtype: "compact_boundary",
      content,
      isMeta: false,
      compactMetadata,
    });
  }

  private surroundings(): Block {
    const place = { userType: "external", cwd: "/home/dev/invoice-service", sessionId: this.sessionId };
    return { isSidechain: false, ...place, version: "2.1.7", gitBranch: "bill-482-rounding" };
  }

  private timestamp(): string {
    this.second += this.random.whole(1, 45);
    const two = (value: number): string => String(value).padStart(2, "0");
    const [hours, minutes] = [Math.floor(this.second / 3600), Math.floor(this.second / 60) % 60];
    return `2026-06-15T${two(hours)}:${two(minutes)}:${two(this.second % 60)}.${this.random.whole(100, 999)}Z`;
  }
}
