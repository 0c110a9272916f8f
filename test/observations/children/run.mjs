// Runs a TypeScript file in this very process, so that killing the process kills what the file does.
import process from "node:process";
import { unrun } from "unrun";

process.argv.splice(1, 1);
await unrun({ path: process.argv[1] });
