// The provider of the long task: a stock mock that calls tools until the last step, whatever it is sent. What it was sent
// is kept.
import { LLMock } from "@copilotkit/aimock";
import { ANSWER, STEPS } from "../../../test/integrations/long-task.ts";
import { type RecordingServer, startRecordingServer } from "./recording-server.ts";

export * from "../../../test/integrations/long-task.ts";

export interface LongTask {
  /** Where the framework's client is pointed: `${url}/v1` for OpenAI clients. */
  readonly url: string;
  readonly requests: RecordingServer["requests"];
  close(): Promise<void>;
}

export async function startLongTask(): Promise<LongTask> {
  const mock = new LLMock({ port: 0 });
  let step = 0;
  mock.on({ predicate: () => true }, () => {
    step += 1;
    if (step > STEPS) return { content: ANSWER };
    const calls = step % 3 === 0 ? 3 : 2;
    return {
      toolCalls: Array.from({ length: calls }, (_, at) => ({
        id: `call_${step}_${at}`,
        name: "read_file",
        arguments: JSON.stringify({ path: `src/module-${step}/part-${at}.ts` }),
      })),
    };
  });
  await mock.start();
  const server = await startRecordingServer(mock.url);
  return {
    url: server.url,
    requests: server.requests,
    async close() {
      await server.close();
      await mock.stop();
    },
  };
}
