// The changes of a transaction to the files of a folder, gathered until it is over. Nothing is written here.
import { CompactError } from "../../errors.ts";
import type { RawDecision } from "../decision.ts";
import { copiedRecord } from "../memory/copied-record.ts";
import { checkRecord, type RecordStore, type StoredRecord } from "../memory/writer.ts";
import { canonicalJson } from "../reading/canonical-json.ts";
import { checkChangedSize, checkSize } from "../reading/record-size.ts";
import type { FileChange } from "./commit.ts";
import type { Folder } from "./places.ts";
import { bytesOf, readFrom } from "./read-file.ts";
import { dateInName, recordPath, recordText } from "./yaml/new-record.ts";
import { decodeText, isRecord, type ParsedRecord, parseRecord } from "./yaml/parse-record.ts";
import { spliceRecord } from "./yaml/splice-record.ts";

export interface StagedRecords extends RecordStore {
  readonly changes: () => readonly FileChange[];
  /** What a staged file will be read as. */
  readonly parsed: (name: string) => ParsedRecord | undefined;
}

export function stageRecords(folder: Folder): StagedRecords {
  const staged = new Map<string, FileChange & { readonly parsed?: ParsedRecord }>();
  const stage = (name: string, before: string | undefined, after: string): StoredRecord => {
    const parsed = parseRecord(after);
    const read = readFrom(name, parsed);
    if (read.decision !== undefined) staged.set(name, { name, before, after, parsed });
    return { place: name, read };
  };
  /** A record that no longer has a date would get one by the name of its file: it moves. */
  const restage = (name: string, before: string | undefined, now: string, after: string): StoredRecord => {
    if (dateInName(name) === undefined || !hasDate(now) || hasDate(after)) return stage(name, before, after);
    const { decision } = readFrom(name, parseRecord(after));
    if (decision === undefined) return stage(name, before, after);
    const place = freePath(decision.id, undefined);
    if (before === undefined) staged.delete(name);
    else staged.set(name, { name, before, after: undefined });
    return { ...stage(place, undefined, after), left: name };
  };
  const freePath = (id: string, decidedAt: number | undefined) => {
    const name = recordPath(id, decidedAt);
    if (staged.has(name) || folder.fs.existsSync(folder.file(name))) throw taken(name);
    return name;
  };
  const now = (name: string) => {
    const { before, after } = staged.get(name) ?? { before: textOf(folder, name) };
    return { before, after: after ?? before ?? "" };
  };
  const change = (name: string, changes: RawDecision) => {
    const { before, after } = now(name);
    const raw = rawOf(after) ?? {};
    checkChangedSize(raw, changes, { ...raw, ...changes });
    return restage(name, before, after, spliceRecord(name, after, changes));
  };
  return {
    changes: () => [...staged.values()],
    parsed: (name) => staged.get(name)?.parsed,
    change: (name, changes) => change(name, copiedRecord(changes)),
    add(raw) {
      const copy = copiedRecord(raw);
      checkSize(copy);
      const { id, decidedAt } = checkRecord(copy);
      return stage(freePath(id, decidedAt), undefined, recordText(copy));
    },
    replace(name, raw) {
      const copy = copiedRecord(raw);
      checkSize(copy);
      const { before, after } = now(name);
      const changes = changesBetween(after, copy);
      try {
        if (changes !== undefined) return restage(name, before, after, spliceRecord(name, after, changes));
      } catch (error) {
        if (!CompactError.isInstance(error) || error.code !== "UNEDITABLE_RECORD") throw error;
      }
      return restage(name, before, after, recordText(copy));
    },
  };
}

/** Undefined where keys are to go: then the whole is written anew. */
function changesBetween(text: string, wanted: RawDecision): RawDecision | undefined {
  const before = rawOf(text);
  if (before === undefined || Object.keys(before).some((key) => !Object.hasOwn(wanted, key))) return undefined;
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([key, value]) => !Object.hasOwn(before, key) || canonicalJson(before[key]) !== canonicalJson(value),
    ),
  );
}

function rawOf(text: string): RawDecision | undefined {
  const parsed = parseRecord(text);
  return "raw" in parsed && isRecord(parsed.raw) ? parsed.raw : undefined;
}

/** Of its own, not by the name of its file. */
function hasDate(text: string): boolean {
  return (readFrom("", parseRecord(text)).decision?.date ?? "") !== "";
}

function textOf(folder: Folder, name: string): string {
  const decoded = decodeText(bytesOf(folder, name).bytes);
  return "text" in decoded ? decoded.text : "";
}

function taken(name: string): CompactError {
  return new CompactError("Conflict", `Nothing was changed: the file ${name} is there already.`, {
    code: "DECISION_EXISTS",
    hint: "Take another id, or look at what the file holds.",
    data: { file: name },
  });
}
