// What `agent-compact/testing` exports: models and servers that misbehave on command.

export type { Script, WhenOver } from "./testing/scripted-model.ts";
export {
  createScriptedModel,
  type ModelCall,
  type ModelStep,
  type ScriptedError,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "./testing/scripted-model.ts";
export type { ServedAnswer, ServedError, ServerFault } from "./testing/scripted-server.ts";
export {
  type ScriptedServer,
  type ScriptedServerOptions,
  type ServerCall,
  type ServerStep,
  startScriptedServer,
} from "./testing/scripted-server.ts";
