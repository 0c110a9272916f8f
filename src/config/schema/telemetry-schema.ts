// The block `telemetry` of a configuration file: where trace events go. Only addresses stand there; what a collector wants
// in its headers is secret and comes from the environment.
import { findBaseUrlFault } from "./base-url.ts";
import { key, strict, text, yesOrNo } from "./schema-parts.ts";

/** Events hold summaries, so they travel as conversations do. */
const viewerAddress = addressWith(": the viewer takes none");
const collectorAddress = addressWith(": headers come from the environment (OTEL_EXPORTER_OTLP_HEADERS)");

export const telemetrySchema = strict({
  console: key(yesOrNo, "Prints each event as a line on standard error.", { default: false }),
  jsonl: key(
    yesOrNo,
    "Writes each event of a conversation to events.jsonl beside its transcripts; set to true, also those of the other parts.",
    { default: true },
  ),
  ariadneUrl: key(viewerAddress, "Address of an Ariadne trace viewer.", {
    note: "none",
    example: "http://127.0.0.1:5175",
  }),
  otlpUrl: key(collectorAddress, "Address of an OpenTelemetry collector that takes OTLP over HTTP.", {
    note: "none",
    example: "http://127.0.0.1:4318",
  }),
});

function addressWith(where: string) {
  return text.check(({ value, issues }) => {
    const fault = findBaseUrlFault(value, where);
    if (fault !== undefined) issues.push({ code: "custom", message: fault, input: "" });
  });
}
