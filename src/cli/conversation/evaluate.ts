// `agent-compact evaluate FILE|DIR`: what of one's own sessions survives compaction, beside trimming to the same size.
// Writes nothing, and asks a model only when one is named and its cost was agreed to.
import { readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { apiKeyFor } from "../../config/api-key.ts";
import type { ConfigFile } from "../../config/file-schema.ts";
import { type NamedSummarizerConfig, SUMMARIZER_DEFAULTS } from "../../config/summarizer-schema.ts";
import { CompactError } from "../../errors.ts";
import { namedModel } from "../../factories/summarizer.ts";
import { isModelFailure } from "../../models/failures.ts";
import type { Model } from "../../models/model.ts";
import {
  compactedText,
  type EvaluatedInput,
  type EvaluatedSession,
  type EvaluationConfig,
  evaluateSession,
} from "../../operations/evaluate.ts";
import { askAboutSession, estimateCalls } from "../../operations/evaluate-by-model.ts";
import { type EvaluationReport, meaningOf, type SessionReport, totalOf } from "../../operations/evaluate-report.ts";
import { createRedactor } from "../../redaction/redactor.ts";
import { kindAt } from "../../storage/files.ts";
import { withoutUndefined } from "../../text/json-values.ts";
import { counterFor } from "../../tokens/create-token-counter.ts";
import { resolveModel } from "../../tokens/models.ts";
import { readConversationSource } from "../files/conversation-source.ts";
import { badFlag } from "../flags.ts";
import { readConfig } from "../open-compactor.ts";
import type { EvaluateFlags } from "../program.ts";
import { createProgress, type Progress, printResult } from "../report.ts";
import { colorsOf, type Terminal } from "../terminal.ts";
import { renderEstimate, renderEvaluation } from "./evaluate-view.ts";

interface Judge {
  readonly model: Model;
  readonly summarizer: NamedSummarizerConfig;
}

interface Measured {
  readonly input: EvaluatedInput;
  readonly session: EvaluatedSession;
}

export async function evaluateSessions(path: string, flags: EvaluateFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal, flags);
  const { config: file, warnings } = await readConfig(flags, terminal);
  for (const warning of warnings) progress.warn(warning);
  const { model, models, policy, redaction } = file;
  const config = withoutUndefined({ model, models, policy, redaction }) as EvaluationConfig;
  const judges = (flags.model ?? []).map((name) => openJudge(name, file.summarizer));
  const found: Found = { sessions: [], reports: [], skipped: [], estimate: [] };
  const print = (status: EvaluationReport["status"]) => {
    const report: EvaluationReport = {
      status,
      targets: flags.targets,
      sessions: found.reports,
      total: flags.targets.flatMap((percent) => totalOf(found.reports, percent)),
      skipped: found.skipped,
      estimate: found.estimate,
      meaning: meaningOf(found.reports.some(({ models: asked }) => asked.length > 0)),
    };
    printResult(report, (colors) => renderEvaluation(report, colors), flags, terminal);
  };
  try {
    await measureAll(path, { flags, config, keepsTexts: judges.length > 0 }, found, { terminal, progress });
    if (judges.length > 0) await askAll(judges, config, found, flags, { terminal, progress });
  } catch (error) {
    const isPartial = terminal.signal?.aborted === true || isModelFailure(error);
    if (isPartial && found.reports.length > 0) print("partial");
    throw error;
  }
  print("done");
}

/** Filled as it goes, so that what was found is there when it is stopped. */
interface Found {
  readonly sessions: Measured[];
  readonly reports: SessionReport[];
  readonly skipped: { file: string; reason: string }[];
  readonly estimate: EvaluationReport["estimate"][number][];
}

interface Outside {
  readonly terminal: Terminal;
  readonly progress: Progress;
}

interface Work {
  readonly flags: EvaluateFlags;
  readonly config: EvaluationConfig;
  readonly keepsTexts: boolean;
}

async function measureAll(path: string, work: Work, found: Found, { terminal, progress }: Outside): Promise<void> {
  const { signal } = terminal;
  const files = await filesOf(path, terminal);
  for (const [index, file] of files.entries()) {
    signal?.throwIfAborted();
    progress.step(
      `Reading ${file === "-" ? "stdin" : file}${files.length > 1 ? ` (${index + 1} of ${files.length})` : ""}`,
    );
    try {
      const source = await readConversationSource(file, "auto", terminal);
      const input = { file: source.label, format: source.format, messages: source.messages };
      const session = await evaluateSession(input, { targets: work.flags.targets, config: work.config, signal });
      if (work.keepsTexts) found.sessions.push({ input, session });
      found.reports.push({ ...session.figures, format: source.readAs });
    } catch (error) {
      signal?.throwIfAborted();
      if (!CompactError.isInstance(error) || files.length === 1) throw error;
      found.skipped.push({ file, reason: error.message });
    }
  }
  if (found.reports.length === 0)
    throw new CompactError("NotFound", `No session in ${path} could be read: ${files.length} files were tried.`, {
      code: "NO_SESSIONS",
      hint: found.skipped[0]?.reason ?? "Name a session file, or a folder that holds some.",
    });
}

async function filesOf(path: string, { cwd }: Terminal): Promise<readonly string[]> {
  if (path === "-" || (await kindAt(resolve(cwd, path))) !== "folder") return [path];
  const entries = await readdir(resolve(cwd, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(path, relative(resolve(cwd, path), join(entry.parentPath, entry.name))))
    .filter(
      (file) =>
        !relative(path, file)
          .split(/[/\\]/u)
          .some((name) => name.startsWith(".") || name === "node_modules"),
    )
    .sort();
}

/** Of the configured summarizer all but the name; without one, a name that begins with claude is Anthropic's. */
function openJudge(name: string, configured: ConfigFile["summarizer"]): Judge {
  if (name.trim() === "") throw badFlag("--model is empty.", "Give it a name, or leave it out.");
  const { type: given, model: usual, maxContextTokens, ...rest } = withoutUndefined({ ...configured });
  const own = name.startsWith("claude") ? "anthropic" : "openai-compatible";
  const type = given === undefined || given === "extractive" ? own : given;
  // What is said of one model's window says nothing of another's.
  const window = maxContextTokens === undefined || (usual !== undefined && usual !== name) ? {} : { maxContextTokens };
  const summarizer = { ...rest, ...window, type, model: name } as NamedSummarizerConfig;
  const model = namedModel(summarizer, apiKeyFor(summarizer));
  if (model === undefined) throw badFlag(`--model ${name} cannot be asked.`);
  return { model, summarizer };
}

async function askAll(
  judges: readonly Judge[],
  config: EvaluationConfig,
  found: Found,
  flags: EvaluateFlags,
  { terminal, progress }: Outside,
): Promise<void> {
  const { signal } = terminal;
  const { count } = counterFor(resolveModel(config.model));
  const measured = found.sessions.filter(({ session }) => session.texts.left.length > 0);
  for (const { session } of measured)
    for (const { model } of judges) found.estimate.push(estimateCalls(session, { model, count }));
  if (measured.length === 0) {
    progress.warn("No session is large enough to be asked about: no model was asked.");
    return;
  }
  if (!(await isAgreed(found.estimate, flags, terminal))) {
    terminal.stderr.write("Nothing was sent.\n");
    return;
  }
  const redactor = createRedactor(config.redaction);
  for (const { input, session } of measured) {
    const at = found.reports.findIndex(({ file }) => file === input.file);
    for (const { model, summarizer } of judges) {
      const others = found.reports[at]?.models ?? [];
      const { timeoutMs = ASK_TIMEOUT_MS, temperature, seed } = summarizer;
      await askAboutSession(
        session,
        {
          model,
          redactor,
          count,
          timeoutMs,
          temperature: temperature ?? SUMMARIZER_DEFAULTS.temperature,
          seed: seed ?? SUMMARIZER_DEFAULTS.seed,
          signal,
          compactWithModel: (percent) => compactedText(input, session, percent, { ...config, summarizer }, signal),
          onStep: (text) => progress.step(`${input.file}: ${text}`),
        },
        (report) => Object.assign(found.reports, { [at]: { ...found.reports[at], models: [...others, report] } }),
      );
    }
  }
}

/** Sixteen answers take longer than a summary. */
const ASK_TIMEOUT_MS = 120_000;

async function isAgreed(
  estimate: EvaluationReport["estimate"],
  { yes }: EvaluateFlags,
  terminal: Terminal,
): Promise<boolean> {
  const { stderr, stdin, signal } = terminal;
  stderr.write(renderEstimate(estimate, colorsOf(stderr, terminal)));
  if (yes === true) return true;
  if (stdin.isTTY !== true || stderr.isTTY !== true)
    throw badFlag("Asking a model costs what stands above, and nobody is here to agree to it.", "Agree with --yes.");
  stderr.write("Go on? [y/N] ");
  for await (const chunk of stdin) return /^\s*y(?:es)?\s*$/iu.test(Buffer.from(chunk).toString("utf8"));
  signal?.throwIfAborted();
  return false;
}
