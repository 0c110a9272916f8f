// `agent-compact completion bash|zsh|fish`: what a shell needs to complete commands and flags, made from the help's own table.
import type { Command, Option } from "commander";

/** A command by its path from the program, `session compact`; the program's own is empty. */
interface Known {
  readonly path: string;
  readonly commands: readonly Command[];
  readonly options: readonly Option[];
}

/** A script to source. */
export function completionScript(program: Command, shell: "bash" | "zsh" | "fish"): string {
  const known = commandsIn(program, "");
  if (shell === "fish") return fishScript(known);
  const bash = bashScript(known);
  return shell === "bash" ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`;
}

function commandsIn(command: Command, path: string): readonly Known[] {
  const own = { path, commands: command.commands, options: command.options };
  return [own, ...command.commands.flatMap((each) => commandsIn(each, `${path} ${each.name()}`.trim()))];
}

/** Those that hold for every command, and the command's own. */
function flagsOf({ options }: Known, [program]: readonly Known[]): readonly Option[] {
  return [...new Set([...options, ...(program?.options ?? [])])].filter(({ long }) => long !== undefined);
}

function bashScript(known: readonly Known[]): string {
  const within = known.filter(({ commands }) => commands.length > 0);
  const steps = within.flatMap(({ path, commands }) => commands.map((each) => `"${path}|${each.name()}"`));
  const cases = known.map((each) => {
    const words = [...each.commands.map((command) => command.name()), ...flagsOf(each, known).map(({ long }) => long)];
    return `    "${each.path}") words="${words.join(" ")}" ;;`;
  });
  return `_agent_compact() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$path|\${COMP_WORDS[at]}" in
      ${steps.join("|")}) path="\${path:+$path }\${COMP_WORDS[at]}" ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _agent_compact agent-compact
`;
}

function fishScript(known: readonly Known[]): string {
  const lines = known.flatMap((each) => {
    const { path, commands } = each;
    const steps = path.split(" ").filter((step) => step !== "");
    const isHere = ["true", ...steps.map((step) => `__fish_seen_subcommand_from ${step}`)].join("; and ");
    const names = commands.map((command) => command.name());
    const isOpen = names.length === 0 ? isHere : `${isHere}; and not __fish_seen_subcommand_from ${names.join(" ")}`;
    return [
      ...commands.map(
        (command) =>
          `complete -c agent-compact -f -n ${quoted(isOpen)} -a ${command.name()} -d ${quoted(command.description())}`,
      ),
      ...each.options.map(
        ({ long = "", description }) =>
          `complete -c agent-compact -n ${quoted(isHere)} -l ${long.slice(2)} -d ${quoted(description)}`,
      ),
    ];
  });
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replace(/\s+/g, " ").replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
