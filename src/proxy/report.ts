// The usage that an agent is told when it is to reckon with the size that it sent: what the provider reported, and what of the
// request was not sent to it. Only those figures of an answer are written anew.

import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { JsonObject } from "../text/json-values.ts";
import { holdersOfUsage } from "./usage.ts";

/** `hidden`: tokens. `isStream`: of events, else one JSON object. */
export function createReportEditor(hidden: number, isStream: boolean): Transform {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = rest + decoder.write(chunk);
      const end = isStream ? text.lastIndexOf("\n") + 1 : 0;
      rest = text.slice(end);
      const lines = text.slice(0, end);
      done(
        null,
        lines === ""
          ? undefined
          : lines
              .split("\n")
              .map((line) => editLine(line, hidden))
              .join("\n"),
      );
    },
    flush(done) {
      rest += decoder.end();
      done(null, isStream ? editLine(rest, hidden) : edited(rest, hidden));
    },
  });
}

function editLine(line: string, hidden: number): string {
  const [start = ""] = /^data: ?/.exec(line) ?? [];
  return start === "" || !line.includes('"usage"') ? line : start + edited(line.slice(start.length), hidden);
}

/** The same text where it holds no usage. */
function edited(text: string, hidden: number): string {
  try {
    const value: unknown = JSON.parse(text);
    const holders = holdersOfUsage(value);
    for (const holder of holders) holder.usage = withHidden(holder.usage as JsonObject, hidden);
    return holders.length === 0 ? text : JSON.stringify(value);
  } catch {
    return text;
  }
}

/** The fields that count the prompt, and what they are part of. */
const COUNTS = ["input_tokens", "prompt_tokens"];

function withHidden(usage: JsonObject, hidden: number): JsonObject {
  const counted = COUNTS.filter((name) => typeof usage[name] === "number");
  if (counted.length === 0) return usage;
  const names = [...counted, ...(typeof usage.total_tokens === "number" ? ["total_tokens"] : [])];
  return { ...usage, ...Object.fromEntries(names.map((name) => [name, Number(usage[name]) + hidden])) };
}
