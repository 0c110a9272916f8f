#!/usr/bin/env node
// The program `agent-compact`: the only file that does something when imported. From Node 22 on what was compiled once is
// kept, in the folder that Node itself chooses: so before anything else of ours is loaded.
import module from "node:module";

(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
const { start } = await import("./start.ts");
await start(new URL(import.meta.url));
