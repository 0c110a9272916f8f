// The block `memory_files` of a configuration file: where the workspace is, which of its files are memory and notes, and how
// large the memory may be. What `auto` finds is variables/workspace.ts.
import { key, strict, text, whole } from "./schema-parts.ts";

/** As a workspace's name: what the environment names, else a known place. */
export const AUTO_WORKSPACE = "auto";

/** Kilobytes; a file of 64 MB is not read. */
const MOST_MEMORY_KB = 65_536;

const memoryKb = whole(1, MOST_MEMORY_KB);

export const memoryFilesSchema = strict({
  workspace: key(
    text,
    "The folder that MEMORY.md stands in, from the working directory, or auto. ~ is the home folder.",
    {
      note: "this folder if it holds memory files, else auto: MG_WORKSPACE, OPENCLAW_WORKSPACE, ~/.openclaw/workspace, ~/workspace/agent/workspace",
      example: "~/.openclaw/workspace",
    },
  ),
  memoryFile: key(text, "The memory: a Markdown file, or a folder of them, from the workspace.", {
    note: "the first that is there of MEMORY.md, CLAUDE.md, AGENTS.md, memory-bank/",
    example: "CLAUDE.md",
  }),
  notesGlob: key(text, "Which files are notes: a pattern from the workspace.", {
    note: "memory/YYYY-MM-DD.md and memory/YYYY-MM-DD-slug.md",
    example: "notes/**/*.md",
  }),
  maxMemoryKb: key(memoryKb, "Kilobytes of 1,024 bytes that the main memory file may have.", {
    note: "5 on the command line, 15 for the MCP tool and in code",
    example: 15,
  }),
});
