// An agent's session, made from a seed: about 380,000 tokens of questions, code, listings, logs, JSON and prose in a few
// languages, in texts of the sizes that messages have. Names are made up anew all the time, as in real repositories.
import { createRandom } from "./random.mjs";

const STEMS =
  "load store parse render update create delete find open close read write merge split count check queue cache token session message archive summary policy window budget trigger format reader result error value index offset length buffer stream request response header client server config option filter select insert commit branch remote origin worker thread signal timer event emitter".split(
    " ",
  );
const WORDS =
  "the a of to and in is it that for on with as this be by are from not have an at but which when all there their has more if will one about out up into can time some then these two may other only new after also because should does how any most its where what work over such even through between both during before same while here each those under again never made part number place found still own old long little right world small every near add food between country plant last school father keep tree start city earth eye light thought head story saw left few along might close something seem next hard open example begin life always paper together got group often run important until children side feet car mile night walk white sea began grow took river four carry state once book hear stop without second later miss idea enough eat face watch far Indian really almost let above girl sometimes mountain cut young talk soon list song being leave family".split(
    " ",
  );
const FOREIGN = [
  "数据库连接失败，请稍后再试。系统会在五分钟后自动重启，用户不需要做任何操作。",
  "接続に失敗しました。しばらくしてからもう一度お試しください。",
  "Не удалось подключиться к базе данных, повторите попытку позже.",
  "La connexion à la base de données a échoué ; réessayez plus tard, s’il vous plaît.",
  "Die Verbindung zur Datenbank konnte nicht hergestellt werden.",
];

/** Texts of one session. Different seeds, different texts. */
export function sessionTexts(seed, characters = 1_290_000) {
  const random = createRandom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const times = (most, next) => Array.from({ length: 1 + Math.floor(random() * most) }, next);
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  const name = () =>
    pick(STEMS) + (random() < 0.7 ? capital(pick(STEMS)) : "") + (random() < 0.2 ? capital(pick(WORDS)) : "");
  const hex = (length) => Array.from({ length }, () => "0123456789abcdef"[Math.floor(random() * 16)]).join("");
  const path = () => `src/${times(3, () => pick(STEMS)).join("/")}/${pick(STEMS)}-${pick(WORDS)}.ts`;
  const sentence = () => `${capital(times(14, () => pick(WORDS)).join(" "))}${pick([".", ".", ",", "?", ":"])}`;
  const prose = () => times(12, sentence).join(" ");
  const call = () =>
    `${name()}(${times(3, () => pick([name(), `"${pick(WORDS)}"`, Math.floor(random() * 1000)])).join(", ")})`;
  const line = () =>
    pick([
      () => `  const ${name()} = await ${call()};`,
      () => `  if (${name()}.${pick(STEMS)} === undefined) return ${call()};`,
      () => `    expect(${call()}).toEqual({ ${name()}: ${Math.floor(random() * 5000)} });`,
      () => `  // ${sentence()}`,
      () => `export function ${call()}: ${capital(name())} {`,
      () => "}\n",
    ])();
  const code = () => times(60, line).join("\n");
  const log = () =>
    times(
      30,
      () =>
        `2031-02-${10 + Math.floor(random() * 18)}T10:${10 + Math.floor(random() * 49)}:07.${Math.floor(random() * 999)}Z ${pick(["INFO", "WARN", "ERROR"])} [${pick(STEMS)}] ${sentence()} id=${hex(12)}`,
    ).join("\n");
  const listing = () => times(40, () => `-rw-r--r--  1 dev dev ${Math.floor(random() * 90000)} ${path()}`).join("\n");
  const json = () =>
    JSON.stringify(
      times(12, () => ({
        id: hex(8),
        path: path(),
        [name()]: Math.floor(random() * 1e6),
        ok: random() < 0.5,
        note: sentence(),
      })),
      null,
      random() < 0.5 ? 2 : 0,
    );
  const kinds = [
    prose,
    prose,
    code,
    code,
    code,
    log,
    listing,
    json,
    json,
    () => path(),
    () => `call_${hex(24)}`,
    () => times(4, () => pick(FOREIGN)).join(""),
  ];
  const texts = [];
  for (let size = 0; size < characters; ) {
    const text = pick(kinds)();
    texts.push(text);
    size += text.length;
  }
  return texts;
}

/** The same as a list of chat messages, as many as wanted. */
export function sessionMessages(seed, count) {
  const texts = sessionTexts(seed, 200_000);
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `${index}: ${texts[index % texts.length].slice(0, 1_200)}`,
  }));
}
