// A process of its own, whose files may not grow beyond a few MB: emits into ARGV's archive until that is used up, then says what it was
// told.
import type { CompactError } from "../../src/errors.ts";
import { createJsonlSink } from "../../src/trace/jsonl-sink.ts";
import { warning } from "./sink-contract.ts";

const [path = ""] = process.argv.slice(2);
const errors: CompactError[] = [];
const sink = createJsonlSink({ path, onError: (error) => void errors.push(error) });
for (let n = 0; n < 8; n++) sink.emit(warning(`${n} ${"x".repeat(900_000)}`));
await sink.flush();
const told = errors.map(({ kind, message, hint }) => ({ kind, message, hint }));
process.stdout.write(JSON.stringify({ dropped: sink.dropped, told }));
