// A second forty in German, Spanish, Chinese, French and Portuguese, written without a look at the phrases that the
// first forty were tuned with.
import { explicit, implicit, prohibition, superseded, type Template } from "./planted-fact.ts";

export const SECOND_LANGUAGES: readonly Template[] = [
  // German
  explicit("user", "Der Maildienst, der auf {host} läuft, gehört einem anderen Team.", ["{host}"], "Maildienst"),
  explicit("assistant", "Die Berichte werden nachts nach {bucket} geschrieben.", ["{bucket}"], "Berichte nachts"),
  explicit(
    "user",
    "Bisher bekannt:\n- Leerlaufzeit: {ms}\n- Ansprechpartner: {person}",
    ["Leerlaufzeit", "{ms}"],
    "Leerlaufzeit",
  ),
  explicit(
    "assistant",
    "Für die Abrechnung ist {person} zuständig.",
    ["{person}", "Abrechnung"],
    "Abrechnung zuständig",
  ),
  superseded(
    "Die Stapelgröße ist {old}.",
    "assistant",
    "Ich habe die Stapelgröße von {old} auf {now} geändert.",
    "Stapelgröße",
    ["{old}", "{now}"],
  ),
  superseded(
    "Der Abgabetermin ist {olddate}.",
    "user",
    "Der Abgabetermin wurde auf {nowdate} verschoben.",
    "Abgabetermin",
    ["{olddate}", "{nowdate}"],
  ),
  prohibition("Finger weg von {table}.", "Finger weg von {table}", "Finger weg"),
  prohibition("Die Datei {path} bleibt so, wie sie ist.", "{path} bleibt so, wie sie ist", "bleibt so"),
  implicit(
    "assistant",
    "Erst mit {n} Verbindungen lief der Import durch.",
    ["{n} Verbindungen"],
    "Import Verbindungen",
  ),
  implicit("assistant", "Am Ende half nur {flag} beim Binden.", ["{flag}"], "half beim Binden"),
  // Spanish
  explicit(
    "user",
    "El servicio de correo, que escucha en {host}, es de otro equipo.",
    ["{host}"],
    "servicio de correo",
  ),
  explicit("assistant", "Los informes se guardan en {bucket} cada noche.", ["{bucket}"], "informes noche"),
  explicit(
    "user",
    "Valores actuales:\n| clave | valor |\n|---|---|\n| tiempoLimite | {ms} |",
    ["tiempoLimite", "{ms}"],
    "tiempoLimite",
  ),
  explicit(
    "assistant",
    "{person} es la responsable de facturación.",
    ["{person}", "facturación"],
    "responsable facturación",
  ),
  superseded(
    "El tamaño del lote es {old}.",
    "user",
    "Perdón, el tamaño del lote es {now}, no {old}.",
    "tamaño del lote",
    ["{old}", "{now}"],
  ),
  superseded("La fecha límite es {olddate}.", "assistant", "La fecha límite pasó a ser {nowdate}.", "fecha límite", [
    "{olddate}",
    "{nowdate}",
  ]),
  prohibition("Bajo ningún concepto se borra {table}.", "Bajo ningún concepto se borra {table}", "ningún concepto"),
  prohibition("Prohibido reiniciar {host}.", "Prohibido reiniciar {host}", "prohibido reiniciar"),
  implicit("assistant", "Solo funcionó cuando subí el límite a {m}.", ["{m}"], "funcionó subí límite"),
  implicit("user", "Parece que falla con archivos de más de {n} MB.", ["{n} MB"], "falla archivos"),
  // Chinese
  explicit("user", "邮件服务监听在 {host},由另一个团队负责。", ["{host}"], "邮件服务"),
  explicit("assistant", "每晚的报表会写入 {bucket}。", ["{bucket}"], "每晚的报表"),
  explicit("user", "目前的配置:\n```yaml\nkeepDays: {n}\n```", ["keepDays", "{n}"], "keepDays"),
  explicit("assistant", "账单问题由{cjkperson}负责。", ["{cjkperson}"], "账单问题"),
  superseded("批次大小是 {old}。", "assistant", "批次大小从 {old} 改成了 {now}。", "批次大小", ["{old}", "{now}"]),
  superseded("截止日期是 {olddate}。", "user", "截止日期推迟到 {nowdate}。", "截止日期", ["{olddate}", "{nowdate}"]),
  prohibition("任何情况下都不许删除 {table}。", "任何情况下都不许删除 {table}", "不许删除"),
  prohibition("别动 {path}。", "别动 {path}", "别动"),
  implicit("assistant", "把超时调到 {ms} 之后才不再报错。", ["{ms}"], "超时调到"),
  implicit("assistant", "最后加上 {flag} 才编译通过。", ["{flag}"], "编译通过"),
  // French and Portuguese
  explicit("user", "La file d'attente, qui écoute sur {host}, est gérée ailleurs.", ["{host}"], "file d'attente"),
  explicit("assistant", "C'est {person} qui s'occupe de la facturation.", ["{person}", "facturation"], "facturation"),
  explicit("assistant", "Os relatórios são gravados em {bucket} todas as noites.", ["{bucket}"], "relatórios noites"),
  explicit("user", "Quem cuida da cobrança é {person}.", ["{person}", "cobrança"], "cobrança"),
  superseded(
    "La taille du lot est {old}.",
    "assistant",
    "J'ai fait passer la taille du lot de {old} à {now}.",
    "taille du lot",
    ["{old}", "{now}"],
  ),
  superseded("O tamanho do lote é {old}.", "user", "Afinal, o tamanho do lote passa a ser {now}.", "tamanho do lote", [
    "{old}",
    "{now}",
  ]),
  prohibition("Ne touche à {table} sous aucun prétexte.", "Ne touche à {table} sous aucun prétexte", "aucun prétexte"),
  prohibition("É proibido apagar {bucket}.", "É proibido apagar {bucket}", "proibido apagar"),
  implicit("assistant", "L'import n'est passé qu'avec {n} connexions.", ["{n} connexions"], "import connexions"),
  implicit("assistant", "Só compilou depois de acrescentar {flag}.", ["{flag}"], "compilou depois"),
];
