// What an edit sets is known whatever the host's tool is called and however it writes the edit down.
import { describe, expect, it } from "vitest";
import { extractFiles } from "../../src/facts/files.ts";
import { runThrough } from "../../src/tokens/stepwise.ts";
import { verifies } from "../requirements/verifies.ts";
import { call, factMessages } from "./fact-messages.ts";

const patch = "*** Begin Patch\n*** Update File: src/fares.py\n@@\n-MAX_FARES = 100\n+MAX_FARES = 500\n*** End Patch";
const WRITTEN: readonly (readonly [host: string, tool: string, input: unknown])[] = [
  ["claude", "Edit", { file_path: "src/fares.py", old_string: "MAX_FARES = 100", new_string: "MAX_FARES = 500" }],
  ["pi old", "edit", { path: "src/fares.py", oldText: "MAX_FARES = 100", newText: "MAX_FARES = 500" }],
  ["pi new", "edit", { path: "src/fares.py", edits: [{ oldText: "MAX_FARES = 100", newText: "MAX_FARES = 500" }] }],
  [
    "pi edits as JSON",
    "edit",
    { path: "src/fares.py", edits: JSON.stringify([{ oldText: "MAX_FARES = 100", newText: "MAX_FARES = 500" }]) },
  ],
  ["opencode", "edit", { filePath: "src/fares.py", oldString: "MAX_FARES = 100", newString: "MAX_FARES = 500" }],
  [
    "opencode multi",
    "multiedit",
    {
      filePath: "src/fares.py",
      edits: [{ filePath: "src/fares.py", oldString: "MAX_FARES = 100", newString: "MAX_FARES = 500" }],
    },
  ],
  ["opencode patch", "apply_patch", { patchText: patch }],
  ["opencode patch2", "patch", { patchText: patch }],
  ["codex custom", "apply_patch", patch],
  ["codex fn", "apply_patch", { input: patch }],
  ["codex shell", "shell", { command: ["apply_patch", patch] }],
  ["codex shell lc", "shell", { command: ["bash", "-lc", `apply_patch <<'EOF'\n${patch}\nEOF`] }],
  ["codex exec_command", "exec_command", { cmd: `apply_patch <<'EOF'\n${patch}\nEOF` }],
  ["codex cd", "exec_command", { cmd: `cd /repo && apply_patch <<'EOF'\n${patch}\nEOF` }],
  ["codex quoted", "exec_command", { cmd: `apply_patch '${patch}'` }],
  ["codex cat", "exec_command", { cmd: `cat > src/fares.py <<'EOT'\nMAX_FARES = 500\nEOT` }],
  ["codex sed", "exec_command", { cmd: `sed -i 's/MAX_FARES = 100/MAX_FARES = 500/' src/fares.py` }],
  ["codex printf", "exec_command", { cmd: `printf 'MAX_FARES = 500\\n' > src/fares.py` }],
  ["codex tee", "exec_command", { cmd: `tee src/fares.py <<'EOT'\nMAX_FARES = 500\nEOT` }],
  ["codex echo", "exec_command", { cmd: `echo "MAX_FARES = 500" >> src/fares.py` }],
  ["codex perl", "exec_command", { cmd: `perl -pi -e 's/MAX_FARES = 100/MAX_FARES = 500/' src/fares.py` }],
  [
    "codex python",
    "exec_command",
    {
      cmd: `python3 - <<'EOF'\nfrom pathlib import Path\np = Path("src/fares.py")\np.write_text(p.read_text().replace("MAX_FARES = 100", "MAX_FARES = 500"))\nEOF`,
    },
  ],
  [
    "responses apply_patch_call",
    "apply_patch_call",
    { type: "update_file", path: "src/fares.py", diff: "@@\n-MAX_FARES = 100\n+MAX_FARES = 500" },
  ],
  ["responses create", "apply_patch_call", { type: "create_file", path: "src/fares.py", diff: "+MAX_FARES = 500" }],
  [
    "gemini",
    "replace",
    {
      file_path: "src/fares.py",
      old_string: "MAX_FARES = 100",
      new_string: "MAX_FARES = 500",
      instruction: "change it",
    },
  ],
  ["gemini w", "write_file", { file_path: "src/fares.py", content: "MAX_FARES = 500" }],
  [
    "Cline",
    "replace_in_file",
    { path: "src/fares.py", diff: "------- SEARCH\nMAX_FARES = 100\n=======\nMAX_FARES = 500\n+++++++ REPLACE" },
  ],
  [
    "Roo Code",
    "apply_diff",
    {
      path: "src/fares.py",
      diff: "<<<<<<< SEARCH\n:start_line:3\n-------\nMAX_FARES = 100\n=======\nMAX_FARES = 500\n>>>>>>> REPLACE",
    },
  ],
  [
    "Roo Code multi",
    "apply_diff",
    {
      args: {
        file: [
          {
            path: "src/fares.py",
            diff: [
              { content: "<<<<<<< SEARCH\nMAX_FARES = 100\n=======\nMAX_FARES = 500\n>>>>>>> REPLACE", start_line: 3 },
            ],
          },
        ],
      },
    },
  ],
  ["Roo Code insert", "insert_content", { path: "src/fares.py", line: 3, content: "MAX_FARES = 500" }],
  [
    "Roo Code search",
    "search_and_replace",
    { path: "src/fares.py", search: "MAX_FARES = 100", replace: "MAX_FARES = 500" },
  ],
  ["cursor", "edit_file", { target_file: "src/fares.py", code_edit: "MAX_FARES = 500" }],
  [
    "cursor sr",
    "search_replace",
    { file_path: "src/fares.py", old_string: "MAX_FARES = 100", new_string: "MAX_FARES = 500" },
  ],
  [
    "Copilot",
    "replace_string_in_file",
    { filePath: "src/fares.py", oldString: "MAX_FARES = 100", newString: "MAX_FARES = 500" },
  ],
  [
    "Copilot multi",
    "multi_replace_string_in_file",
    {
      explanation: "x",
      replacements: [{ filePath: "src/fares.py", oldString: "MAX_FARES = 100", newString: "MAX_FARES = 500" }],
    },
  ],
  ["Copilot insert", "insert_edit_into_file", { filePath: "src/fares.py", code: "MAX_FARES = 500" }],
  ["Copilot create", "create_file", { filePath: "src/fares.py", content: "MAX_FARES = 500" }],
  [
    "windsurf",
    "replace_file_content",
    {
      TargetFile: "src/fares.py",
      ReplacementChunks: [{ TargetContent: "MAX_FARES = 100", ReplacementContent: "MAX_FARES = 500" }],
    },
  ],
  ["windsurf w", "write_to_file", { TargetFile: "src/fares.py", CodeContent: "MAX_FARES = 500" }],
  ["kiro", "strReplace", { path: "src/fares.py", oldStr: "MAX_FARES = 100", newStr: "MAX_FARES = 500" }],
  ["kiro w", "fsWrite", { path: "src/fares.py", text: "MAX_FARES = 500" }],
  ["kiro fs_write", "fs_write", { command: "create", path: "src/fares.py", file_text: "MAX_FARES = 500" }],
  [
    "goose",
    "text_editor",
    { command: "str_replace", path: "src/fares.py", old_str: "MAX_FARES = 100", new_str: "MAX_FARES = 500" },
  ],
  ["goose w", "developer__text_editor", { command: "write", path: "src/fares.py", file_text: "MAX_FARES = 500" }],
  [
    "goose diff",
    "text_editor",
    {
      command: "str_replace",
      path: "src/fares.py",
      diff: "--- a/src/fares.py\n+++ b/src/fares.py\n@@ -1 +1 @@\n-MAX_FARES = 100\n+MAX_FARES = 500",
    },
  ],
  ["serena", "replace_symbol_body", { name_path: "MAX_FARES", relative_path: "src/fares.py", body: "MAX_FARES = 500" }],
  [
    "serena re",
    "replace_content",
    { relative_path: "src/fares.py", needle: "MAX_FARES = 100", repl: "MAX_FARES = 500", mode: "literal" },
  ],
  ["serena re2", "replace_regex", { relative_path: "src/fares.py", regex: "MAX_FARES = 100", repl: "MAX_FARES = 500" }],
  ["serena c", "create_text_file", { relative_path: "src/fares.py", content: "MAX_FARES = 500" }],
  [
    "mcp fs",
    "mcp__fs__edit_file",
    { path: "src/fares.py", edits: [{ oldText: "MAX_FARES = 100", newText: "MAX_FARES = 500" }], dryRun: false },
  ],
  [
    "openhands",
    "str_replace_editor",
    { command: "str_replace", path: "src/fares.py", old_str: "MAX_FARES = 100", new_str: "MAX_FARES = 500" },
  ],
  [
    "memory insert",
    "memory",
    { command: "insert", path: "src/fares.py", insert_line: 2, insert_text: "MAX_FARES = 500" },
  ],
  ["notebook", "NotebookEdit", { notebook_path: "src/fares.ipynb", new_source: "MAX_FARES = 500" }],
  ["langchain", "write_file", { file_path: "src/fares.py", text: "MAX_FARES = 500" }],
  ["generic", "update_file", { filename: "src/fares.py", new_content: "MAX_FARES = 500" }],
  ["generic2", "edit_lines", { path: "src/fares.py", start: 1, end: 2, new_content: "MAX_FARES = 500" }],
  ["generic old/new", "edit", { path: "src/fares.py", old: "MAX_FARES = 100", new: "MAX_FARES = 500" }],
  ["crush find", "edit", { path: "src/fares.py", find: "MAX_FARES = 100", replaceWith: "MAX_FARES = 500" }],
  [
    "github",
    "create_or_update_file",
    { owner: "a", repo: "b", path: "src/fares.py", content: "MAX_FARES = 500", message: "x" },
  ],
  ["codex shell_command", "shell_command", { command: `apply_patch <<'PATCH'\n${patch}\nPATCH` }],
  [
    "git apply",
    "exec_command",
    {
      cmd: "git apply <<'EOF'\n--- a/src/fares.py\n+++ b/src/fares.py\n@@ -1 +1 @@\n-MAX_FARES = 100\n+MAX_FARES = 500\nEOF",
    },
  ],
  [
    "patch -p1",
    "exec_command",
    {
      cmd: "patch -p1 <<'EOF'\n--- a/src/fares.py\n+++ b/src/fares.py\n@@ -1 +1 @@\n-MAX_FARES = 100\n+MAX_FARES = 500\nEOF",
    },
  ],
];

describe("a value that an edit sets", () => {
  it.each(WRITTEN)("%s: %s %j", (_, tool, input) => {
    verifies("fault/values-of-one-hosts-edits");
    const found = runThrough(extractFiles(factMessages([call(tool, input, "ok")])));
    expect(found).toHaveLength(1);
    expect(found[0]?.path).toMatch(/src\/fares\.(?:py|ipynb)$/);
    expect(found[0]?.lines.join("\n")).toContain("+ MAX_FARES = 500");
  });
});
