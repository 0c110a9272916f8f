// Finds the line of an output that names the error. `sure`: a line that no run that went well prints; `likely`:
// also what is an error only where the run is known to have failed.

/** The surest and most telling first. */
const SURE: readonly RegExp[] = [
  /^(?:\S{1,300}[(:]\d{1,7}[,:]\d{1,7}\)?:? (?:- )?)?error (?:TS|CS|FS|MSB|BC)\d{2,6}:/,
  /^error(?:\[E\d{2,5}\]): /,
  /^--- FAIL: /,
  /^FAILED \S{1,300}::/,
  /^(?:thread '.{1,80}' panicked at|panic: )/,
  /^(?:fatal|FATAL)(?: error| ERROR)?: /,
  /^(?:Fehler|Erreur|Erro|Errore|Ошибка|错误|エラー) ?[:：] ?\S/,
  /^(?:npm (?:ERR!|error) (?!A complete log|code|errno|syscall|path|http|0)|ERR_PNPM_)/,
  /^(?:[A-Z]\w{0,60}\.){0,4}\w{0,60}(?:Error|Exception)(?: \[\w{1,60}\])?: \S/,
  /^(?:\w{1,60}\.){1,6}\w{0,60}(?:Error|Exception)(?:: |$)/,
  /^(?:\[ERROR\]|ERROR:) /,
  /^Error: \S/,
  /^error: \S/,
  /^make(?:\[\d{1,3}\])?: \*\*\* /,
  /: command not found$/,
  /^zsh: command not found: /,
  /^Segmentation fault|^Killed$/,
];
const LIKELY: readonly RegExp[] = [
  /^<tool_use_error>/,
  /^[✗✖×✕❌] ?\S/,
  /^● \S/,
  /^not ok \d/,
  /^E {2,}\w{0,60}(?:Error|Exception|assert)/,
  /^\S{1,300}:\d{1,7}(?::\d{1,7})?:? .{0,40}(?:error|undefined|not used|cannot|expected|invalid|unknown|redeclared|mismatch|lint|check)/i,
  /^\S{1,300}:\d{1,7}:\d{1,7}: \S/,
  /^(?:FAIL|FAILED)[ \t:]+\S/,
  /(?:^|[\s:])(?:error|exception|denied|refused|not allowed|not found|failed|cannot|could not|unable to|invalid|no such|timed out|unknown (?:option|flag|command)|usage:)/i,
];
const NAMES_TEST = /^(?:--- FAIL: |● |[✗✖×✕] )/;
const REASON =
  /^(?:\S{1,120}:\d{1,7}: .{0,200}\b(?:expected|want|got|should|error|fail|failed|unexpected|must|not)\b|\w{0,40}(?:Error|Exception): |expect\(|Expected)/i;
const TRACEBACK = /^Traceback \(most recent call last\)/;
const WORDS =
  /err|fail|fehler|错误|エラー|Ошибка|panic|fatal|exception|not found|✗|✖|×|✕|❌|●|not ok|assert|undefined|cannot|could not|denied|refused|invalid|unknown|:\d|\*\*\*|not allowed|no such|killed|fault|timed out|unable|usage:/i;

/** The line without its indentation; undefined when none is found. */
export function findErrorLine(lines: readonly string[], certainty: "sure" | "likely"): string | undefined {
  const forms = certainty === "sure" ? SURE : [...SURE, ...LIKELY];
  let best: { readonly rank: number; readonly line: string } | undefined;
  const traceback = lines.findLastIndex((line) => TRACEBACK.test(line.trimStart()));
  const raised = traceback === -1 ? undefined : raisedLine(lines.slice(traceback + 1));
  if (raised !== undefined) return raised;
  for (const [at, raw] of lines.entries()) {
    if (!WORDS.test(raw)) continue;
    const line = raw.trimStart();
    const rank = forms.findIndex((form) => form.test(line));
    if (rank === -1 || (best !== undefined && rank >= best.rank)) continue;
    best = { rank, line: withReason(line, lines.slice(at + 1, at + 30)) };
    if (rank === 0) break;
  }
  return best?.line;
}

/** The last line of a Python traceback: the first after it that is not indented. */
function raisedLine(lines: readonly string[]): string | undefined {
  return lines.find((line) => line !== "" && !/^\s/.test(line));
}

/** A test's name alone says little: with the first line below it that tells what was expected. */
function withReason(line: string, following: readonly string[]): string {
  if (!NAMES_TEST.test(line)) return line;
  const end = following.findIndex((text) => NAMES_TEST.test(text));
  const own = end === -1 ? following : following.slice(0, end);
  const reason = own.map((text) => text.trim()).find((text) => REASON.test(text));
  return reason === undefined ? line : `${line}: ${reason}`;
}
