// An agent session of pi in memory: nothing of the machine's own pi is read or written, and the model of the
// comparison is a provider registered with its runtime.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AssistantMessageEventStream,
  type Context,
  createAssistantMessageEventStream,
  InMemoryCredentialStore,
} from "@earendil-works/pi-ai";
import {
  type AgentSession,
  createAgentSession,
  DefaultResourceLoader,
  ModelRuntime,
  type SessionManager,
  SettingsManager,
} from "@earendil-works/pi-coding-agent";
import type { PeerModel } from "../../peer.ts";
import { PI_MODEL, PI_PROVIDER, piAnswer } from "./pi-messages.ts";

export interface PiSettings {
  readonly model: PeerModel;
  /** Tokens of one answer. */
  readonly answer: number;
  readonly window: number;
  readonly keepRecentTokens: number;
}

/** Runs `use` with an agent over the conversation that `sessionManager` holds. */
export async function withPiAgent<T>(
  sessionManager: SessionManager,
  settings: PiSettings,
  use: (agent: AgentSession) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "peers-pi-"));
  try {
    const agent = await createPiAgent(sessionManager, settings, folder);
    try {
      return await use(agent);
    } finally {
      agent.dispose();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createPiAgent(sessionManager: SessionManager, settings: PiSettings, folder: string) {
  const modelRuntime = await ModelRuntime.create({
    credentials: new InMemoryCredentialStore(),
    modelsPath: null,
    modelsStorePath: join(folder, "models.json"),
    refreshOnCreate: false,
  });
  modelRuntime.registerProvider(PI_PROVIDER, provider(settings));
  const model = modelRuntime.getModel(PI_PROVIDER, PI_MODEL);
  if (model === undefined) throw new Error("pi does not know the model that was registered with it");
  const { window, keepRecentTokens } = settings;
  const settingsManager = SettingsManager.inMemory({
    compaction: { enabled: true, keepRecentTokens, reserveTokens: Math.min(16_384, Math.floor(window / 8)) },
    retry: { enabled: false },
  });
  const none = { noExtensions: true, noSkills: true, noPromptTemplates: true, noThemes: true, noContextFiles: true };
  const resourceLoader = new DefaultResourceLoader({ cwd: folder, agentDir: folder, settingsManager, ...none });
  await resourceLoader.reload();
  const given = { cwd: folder, agentDir: folder, modelRuntime, model, resourceLoader, sessionManager, settingsManager };
  return (await createAgentSession({ ...given, noTools: "all", thinkingLevel: "off" })).session;
}

function provider({ model, answer, window }: PiSettings): Parameters<ModelRuntime["registerProvider"]>[1] {
  const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    baseUrl: "http://127.0.0.1:9",
    apiKey: "none",
    api: PI_PROVIDER,
    streamSimple: (_, context) => streamAnswer(model, context as Context, answer),
    models: [
      {
        id: PI_MODEL,
        name: PI_MODEL,
        reasoning: false,
        input: ["text"],
        cost: free,
        contextWindow: window,
        maxTokens: answer,
      },
    ],
  };
}

function streamAnswer(ask: PeerModel, { messages }: Context, maxTokens: number): AssistantMessageEventStream {
  const stream = createAssistantMessageEventStream();
  const texts = (isSystem: boolean) =>
    messages.flatMap(({ role, content }) => ((role === "system") === isSystem ? [textOfContent(content)] : []));
  const request = { system: texts(true).join("\n\n"), prompt: texts(false).join("\n\n"), maxTokens };
  ask(request).then(
    (text) => stream.push({ type: "done", reason: "stop", message: piAnswer([{ type: "text", text }], Date.now()) }),
    (error: unknown) =>
      stream.push({ type: "error", reason: "error", error: piAnswer([], Date.now(), (error as Error).message) }),
  );
  return stream;
}

function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as { readonly text?: string }[]) : [];
  return parts.map(({ text = "" }) => text).join("");
}
