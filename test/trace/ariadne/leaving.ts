// A program that traces and ends: `leaving.ts URL SINK HOW`. Says when it has emitted, so that only its ending is
// measured.
import { createAriadneSink } from "../../../src/trace/ariadne-sink.ts";
import { createOtlpSink } from "../../../src/trace/otlp-sink.ts";
import { warning } from "../viewer/sample-events.ts";

const [, , url = "", name, how] = process.argv;
const sink = name === "otlp" ? createOtlpSink({ url }) : createAriadneSink({ url });
for (let count = 0; count < 200; count++) sink.emit(warning(`c${count}`));
process.stdout.write("emitted\n");
if (how === "flush") await sink.flush();
if (how === "shutdown") await sink.shutdown();
// In the middle of a post.
if (how === "posting") await new Promise((resolve) => setTimeout(resolve, 200));
if (how === "exit") {
  await sink.flush();
  process.exit(0);
}
