// What `agent-compact/testing` exports: models and servers that misbehave on command.
export type { ServedAnswer, ServedError } from "./provider-bodies.ts";
export type { Script, WhenOver } from "./script.ts";
export {
  createScriptedModel,
  type ModelCall,
  type ModelStep,
  type ScriptedError,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "./scripted-model.ts";
export {
  type ScriptedServer,
  type ScriptedServerOptions,
  type ServerCall,
  type ServerStep,
  startScriptedServer,
} from "./scripted-server.ts";
export type { ServerFault } from "./server-faults.ts";
