// Makes list items out of the rows of a table, so that each is a statement of its own: `| a | b | [1.2] |` says
// `- a: b [1.2]`. The header goes; the title above says as much.
const SEPARATOR = /^ {0,3}\|?(?:\s{0,5}:?-{2,60}:?\s{0,5}\|){1,20}(?:\s{0,5}:?-{2,60}:?\s{0,5})?\s{0,5}$/;
const ROW = /^ {0,3}\|?[^|\n]{0,4000}\|/;
const CITATION = /^\s{0,5}(?:\[[^[\]\n]{1,120}\]\s{0,3}[,;]?\s{0,3}){1,20}$/;
const CELL_MARK = /(?<!\\)\|/;
const COUNTER = /^#?\d{1,4}[.)]?$/;

/** Linear. Only where the line under the header shows that it is a table; fences are left alone by whoever asks. */
export function plainTables(lines: readonly string[]): readonly string[] {
  const plain: string[] = [];
  let isTable = false;
  for (const line of lines) {
    if (SEPARATOR.test(line) && ROW.test(plain.at(-1) ?? "")) {
      plain.pop();
      isTable = true;
    } else if (isTable && ROW.test(line)) plain.push(rowAsItem(line));
    else {
      isTable = false;
      plain.push(line);
    }
  }
  return plain;
}

function rowAsItem(line: string): string {
  const cells = line
    .split(CELL_MARK)
    .map((cell) => cell.replaceAll("\\|", "|").trim())
    .filter((cell) => cell !== "" && cell !== "-" && cell !== "—");
  const said = cells.filter((cell) => !CITATION.test(cell));
  const [first = "", ...rest] = COUNTER.test(said[0] ?? "") ? said.slice(1) : said;
  const text = rest.length === 0 ? first : `${first}: ${rest.join("; ")}`;
  return `- ${[text, ...cells.filter((cell) => CITATION.test(cell))].join(" ")}`;
}
