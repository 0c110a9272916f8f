// The suite of all sinks, on those that post.
import { createAriadneSink } from "../../src/trace/ariadne-sink.ts";
import { createOtlpSink } from "../../src/trace/otlp-sink.ts";
import { valuesOf } from "./collector/check-traces.ts";
import { startCollector } from "./collector/collector.ts";
import { sinkContract } from "./sink-contract.ts";
import { startViewer } from "./viewer/viewer.ts";

const write = () => {};

async function viewerEnd() {
  const viewer = await startViewer();
  return { end: viewer, read: async () => viewer.spans };
}

async function collectorEnd() {
  const collector = await startCollector();
  return { end: collector, read: async () => collector.spans };
}

function postingContract(
  name: string,
  startEnd: typeof viewerEnd | typeof collectorEnd,
  createSink: (url: string) => ReturnType<typeof createOtlpSink>,
  codeOf: (arrived: unknown) => unknown,
): void {
  const open = async () => {
    const { end, read } = await startEnd();
    return { sink: createSink(end.url), read, close: () => end.close() };
  };
  const behaving = (behaviour: object) => async () => {
    const { end, read } = await startEnd();
    end.behave(behaviour);
    const repair = async () => {
      end.behave({});
      return read;
    };
    return { sink: createSink(end.url), repair, close: () => end.close() };
  };
  sinkContract(name, {
    open,
    codeOf,
    broken: {
      "an end that answers 500, then works": behaving({ status: 500 }),
      "an end that never answers": async () => {
        const { sink, close } = await behaving({ isBlackHole: true })();
        return { sink, close };
      },
      "a port that nobody listens on": async () => {
        const { end } = await startEnd();
        await end.close();
        return { sink: createSink(end.url) };
      },
    },
  });
}

postingContract(
  "ariadne",
  viewerEnd,
  (url) => createAriadneSink({ url, write }),
  (span) => (span as { readonly data: { readonly code?: unknown } }).data.code,
);

postingContract(
  "otlp",
  collectorEnd,
  (url) => createOtlpSink({ url, write }),
  (span) =>
    valuesOf((span as { readonly attributes: Parameters<typeof valuesOf>[0] }).attributes)["agent_compact.code"],
);
