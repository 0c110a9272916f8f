// A third, small set: written after the extractors were changed for the second, measured once, and never tuned for.
import { explicit, implicit, prohibition, superseded, type Template } from "./planted-fact.ts";

export const THIRD: readonly Template[] = [
  explicit("assistant", "Whoever needs the archive finds it under {bucket}.", ["{bucket}"], "whoever archive"),
  explicit("tool", "[info] tenant quota: soft {n}, hard {m}", ["{m}"], "tenant quota"),
  explicit(
    "assistant",
    "Per tenant, {n} exports a day is all that the contract allows.",
    ["{n} exports"],
    "exports contract",
  ),
  explicit(
    "assistant",
    "According to {person} in procurement, the licence runs out soon.",
    ["{person}"],
    "procurement licence",
  ),
  explicit("user", "Payment is due a fortnight after Easter.", ["a fortnight after Easter"], "payment due"),
  explicit(
    "assistant",
    "I compiled it with {flag}; otherwise the symbols are missing.",
    ["{flag}"],
    "compiled symbols",
  ),
  explicit(
    "assistant",
    "On the coldest night the sensor read minus {n} degrees.",
    ["{n} degrees"],
    "coldest night sensor",
  ),
  explicit("assistant", "Die Freigabe erteilt {person}, sonst niemand.", ["{person}"], "Freigabe erteilt"),
  explicit("assistant", "バックアップは毎晩 {bucket} に保存されます。", ["{bucket}"], "バックアップ 毎晩"),
  explicit("assistant", "La migration part de {hash}, pas de la branche principale.", ["{hash}"], "migration part"),
  superseded("Give the importer {old} threads.", "user", "Hmm, {now} threads for the importer after all.", "importer", [
    "{old}",
    "{now}",
  ]),
  superseded(
    "Staging answers at {oldhost}.",
    "assistant",
    "Staging no longer answers there but at {nowhost}.",
    "Staging",
    ["{oldhost}", "{nowhost}"],
  ),
  superseded(
    "El servidor de pruebas escucha en {oldhost}.",
    "user",
    "El servidor de pruebas ya no escucha ahí, sino en {nowhost}.",
    "servidor de pruebas",
    ["{oldhost}", "{nowhost}"],
  ),
  superseded("Das Limit liegt bei {old}.", "assistant", "Das Limit liegt seit heute bei {now}.", "Limit", [
    "{old}",
    "{now}",
  ]),
  superseded("The audit is on {olddate}.", "user", "They pushed the audit back, it is on {nowdate} now.", "audit", [
    "{olddate}",
    "{nowdate}",
  ]),
  prohibition(
    "I'd be very upset if anybody emptied {table}.",
    "I'd be very upset if anybody emptied {table}",
    "upset emptied",
  ),
  prohibition("{path} is sacrosanct.", "{path} is sacrosanct", "sacrosanct"),
  prohibition("Steer clear of {host}.", "Steer clear of {host}", "steer clear"),
  prohibition(
    "{bucket} darf auf gar keinen Fall geleert werden.",
    "{bucket} darf auf gar keinen Fall geleert werden",
    "geleert",
  ),
  prohibition("Que nadie toque {branch}.", "Que nadie toque {branch}", "nadie toque"),
  implicit(
    "assistant",
    "Anything beyond {m} characters gets cut off silently.",
    ["{m} characters"],
    "characters cut off",
  ),
  implicit("assistant", "We lost the session each time the proxy idled for more than {ms}.", ["{ms}"], "proxy idled"),
  implicit("tool", "note: {version} found, newer than supported", ["{version}"], "newer than supported"),
  implicit("assistant", "Le test ne passe qu'après {n} tentatives.", ["{n} tentatives"], "test passe"),
];
