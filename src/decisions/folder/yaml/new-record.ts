// A new record: the text of its file and the name that the layout of decision folders gives it.
import { stringify } from "yaml";
import { CompactError } from "../../../errors.ts";
import { sha256 } from "../../../storage/sha256.ts";
import { isoTime } from "../../../time.ts";
import type { RawDecision } from "../../decision.ts";
import { canonicalJson } from "../../reading/canonical-json.ts";
import { jsonText } from "./flow-text.ts";
import { decodeText, parseRecord } from "./parse-record.ts";

/** Safe as part of a file's name on every system. */
const SAFE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;
/** Ids that look like a made name get one themselves, so that no two ids meet in one. */
const MADE = /--[0-9a-f]{32}$/;
const READABLE_LENGTH = 40;
const DATED = /(?:^|\/)(?<date>\d{4}-\d{2}-\d{2})[^/]{0,300}$/;

/**
 * `2031/03/2031-03-31-decision-1a2b3c4d.yaml`, by the day in UTC. A record without a readable date gets no date by the name
 * of its file either. An id that is not safe as a name never comes into it: its place is taken by what is plain of it and a
 * hash, as the record itself says its id.
 */
export function recordPath(id: string, decidedAt: number | undefined): string {
  const name = `decision-${SAFE_ID.test(id) && !MADE.test(id) ? id : madeName(id)}.yaml`;
  if (decidedAt === undefined) return `undated/${name}`;
  const day = isoTime(decidedAt).slice(0, 10);
  return `${day.slice(0, 4)}/${day.slice(5, 7)}/${day}-${name}`;
}

/** JSON tells lone halves of a character apart, UTF-8 does not. */
function madeName(id: string): string {
  const words = id
    .slice(0, READABLE_LENGTH)
    .split(/[^A-Za-z0-9_]/)
    .filter((word) => word !== "");
  return `${words.join("-") || "id"}--${sha256(JSON.stringify(id)).slice(0, 32)}`;
}

/** The date that the name of a file gives. */
export function dateInName(path: string): string | undefined {
  return DATED.exec(path)?.groups?.date;
}

/**
 * `raw` is JSON. As block YAML; what YAML would not give back exactly, or would make too large of, as JSON, which is YAML
 * too.
 */
export function recordText(raw: RawDecision): string {
  for (const write of [asYaml, asJson, jsonText]) {
    const text = written(write, raw);
    const decoded = decodeText(new TextEncoder().encode(text));
    const read = "text" in decoded ? parseRecord(decoded.text) : decoded;
    if ("raw" in read && canonicalJson(read.raw) === canonicalJson(raw)) return text;
  }
  throw new CompactError("InvalidInput", "Nothing was changed: the record would not be read back as it is given.", {
    code: "UNREADABLE_RECORD",
    hint: "A record is not nested deeply, and its file takes up to 2.5 MB.",
  });
}

/** Empty where it is nested deeper than can be written. */
function written(write: (raw: RawDecision) => string, raw: RawDecision): string {
  try {
    return write(raw);
  } catch {
    return "";
  }
}

function asYaml(raw: RawDecision): string {
  return stringify(raw, {
    schema: "core",
    compat: "yaml-1.1",
    singleQuote: true,
    lineWidth: 100,
    aliasDuplicateObjects: false,
  });
}

function asJson(raw: RawDecision): string {
  return `${JSON.stringify(raw, null, 2)}\n`;
}
