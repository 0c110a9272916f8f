// `agent-compact/host`: what an integration is made of, for frameworks that have none yet.
export { createHostPreflight, type HostPreflight, type SessionChoice } from "./adapter/host-preflight.ts";
export { type NativeSource, nativeTranslation, type Translation } from "./adapter/translation.ts";
