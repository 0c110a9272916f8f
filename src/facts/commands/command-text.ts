// A command as the ledger shows it, and what makes two runs the same command: where they ran, redirections and what
// was cut off their output do not matter.
import { cutWords } from "../../language/last-sentence.ts";

const LONGEST_COMMAND = 200;
const LONGEST_SCRIPT = 4_000;
/** Lines of a script that do nothing by themselves. */
const PREAMBLE = /^(?:#|$|set [-+]|export \w{1,80}=|cd [^;&|]{1,300}$|source |\. )/;
const FOLDER = /^\(?cd (?:"([^"]{1,300})"|'([^']{1,300})'|([^\s;&|]{1,300})) ?(?:&&|;) ?/;
const SETTING =
  /^(?:export [^&;]{1,200}(?:&&|;) ?|(?:env |sudo |time |command |nohup )|timeout (?:-\w+ )?\d{1,6}[smh]? |[A-Za-z_]\w{0,60}=(?:"[^"]{0,200}"|'[^']{0,200}'|[^\s;&|]{0,200}) )/;
const OUTPUT_TAIL =
  / ?\|{1,2} ?(?:head|tail|grep|egrep|rg|tee|cat|less|more|sed|awk|wc|sort|uniq|cut|tr|jq|true|echo|xargs)\b/;
const ENDING = / ?(?:;|&&) ?(?:echo|true|exit|sleep)\b/;
const REDIRECTION = / ?(?:\d?>&\d|&?>{1,2} ?[^\s;&|]{1,200}|<{2}-? ?["']?\w{1,40}["']?.{0,200})/g;
const PROBES = new Set(
  (
    "ls ll cat head tail less more grep egrep fgrep rg ag find fd which where whereis type pwd cd echo printf wc stat file tree du df ps env " +
    "printenv date whoami uname history man sed awk cut sort uniq jq diff test true sleep id hostname nl bat xxd od strings basename dirname realpath readlink"
  ).split(" "),
);
const GIT_PROBE =
  /^git (?:-C \S{1,200} |--no-pager )?(?:status|log|diff|show|branch|blame|ls-files|remote|rev-parse|grep|describe|reflog|config --get)\b/;
const SHOWS_VERSION = /^\S{1,100} (?:--version|-v|-V|--help|-h|help|version)$/;

export interface CommandIdentity {
  /** Where it ran, as the command itself says. */
  readonly folder: string | undefined;
  readonly command: string;
}

/** The line that says what a script does, at most 200 units, cut between words. */
export function commandText(script: string): string {
  const lines = script
    .slice(0, LONGEST_SCRIPT)
    .split("\n")
    .map((line) => line.trim());
  const line = lines.find((text) => !PREAMBLE.test(text)) ?? lines.find((text) => text !== "") ?? "";
  return cutWords(line.replace(/\s+/g, " "), LONGEST_COMMAND);
}

export function identifyCommand(text: string): CommandIdentity {
  let rest = text.trim();
  let folder: string | undefined;
  for (let prefixes = 0; prefixes < 8; prefixes += 1) {
    const moved = FOLDER.exec(rest);
    if (moved !== null) folder = moved[1] ?? moved[2] ?? moved[3];
    const prefix = moved ?? SETTING.exec(rest);
    if (prefix === null) break;
    rest = rest.slice(prefix[0].length);
  }
  for (const pattern of [OUTPUT_TAIL, ENDING]) {
    const tail = pattern.exec(rest);
    if (tail !== null && tail.index > 0) rest = rest.slice(0, tail.index);
  }
  return { folder, command: rest.replace(REDIRECTION, "").replace(/\s+/g, " ").trim() || text.trim() };
}

/** One key for runs that are the same but for redirections and what is cut off their output. */
export function commandKey(text: string): string {
  const { folder, command } = identifyCommand(text);
  return folder === undefined ? command : `cd ${folder} && ${command}`;
}

/** Looking around: its outcome says nothing about the work. */
export function isProbe(text: string): boolean {
  const { command } = identifyCommand(text);
  const program = command.split(" ", 1)[0] ?? "";
  const isEdit = program === "sed" && / -[a-zA-Z]{0,3}i/.test(command);
  const writes = /<<|(?<![\d&>])>{1,2} ?[^&\s]/.test(text) && !text.includes(">/dev/null");
  if (isEdit || writes) return false;
  return PROBES.has(program) || GIT_PROBE.test(command) || SHOWS_VERSION.test(command);
}
