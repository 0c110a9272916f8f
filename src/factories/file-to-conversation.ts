// The blocks of a configuration file in the terms of code.
import type { Environment } from "../config/environment.ts";
import type { ConfigFile } from "../config/file-schema.ts";
import { archiveOf, DEFAULT_ARCHIVE_PATH } from "./archive.ts";
import type { ConversationConfig } from "./conversation-config.ts";
import { summaryConfigOf } from "./lazy-summarizer.ts";
import { sinksOf } from "./trace.ts";

/** What a file says, in the terms of code. `write` takes the lines of the sinks, a collector's headers are in `environment`. */
export function conversationConfigOf(
  file: ConfigFile,
  write?: (line: string) => void,
  environment?: Environment,
): ConversationConfig {
  const { version: _, storage, telemetry, summarizer: _summarizer, ...rest } = file;
  const { observations: _observations, decisions: _decisions, memoryFiles: _memory, mcp: _mcp, ...shared } = rest;
  const { required: _required, ...place } = { path: DEFAULT_ARCHIVE_PATH, ...storage };
  const trace = sinksOf(telemetry, { write, environment });
  return {
    ...shared,
    ...summaryConfigOf(file),
    ...(storage?.required === false ? { archiveOptional: true } : {}),
    ...(storage?.retention === undefined ? {} : { retention: storage.retention }),
    // The block stands for the archive and its events.jsonl.
    archive: telemetry?.jsonl === false ? archiveOf(place) : place,
    ...(trace.length === 0 ? {} : { trace }),
  } as ConversationConfig; // keys and values have been checked; only their absence is spelt differently
}
