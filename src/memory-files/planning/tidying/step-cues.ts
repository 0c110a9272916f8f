// Words that say that the order of lines matters, so that one written twice is meant twice.

const STEPS =
  /(?<!\p{L})(?:steps?|order(?:ed|ing)?|sequen\p{L}{1,7}|procedures?|then|runbooks?|playbooks?|routines?|instructions?|how[ -]?to|schritt\p{L}{0,4}|reihenfolge\p{L}{0,2}|ablauf|abläufe|pasos?|secuencia|procedimientos?|étapes?|séquence|ordre|procédures?|passos?|etapas?|sequência|procedimento)(?!\p{L})|步骤|步驟|顺序|順序|流程|手順|手顺|절차|순서|단계|поряд|шаг/iu;
const REPEATS =
  /(?<!\p{L})(?:wait|waits|pause|then|again|repeat(?:ed|s)?|once more|afterwards?|after that|next|finally|warte\p{L}{0,2}|dann|danach|wieder\p{L}{0,8}|erneut|nochmals?|esper[ae]r?|luego|entonces|de nuevo|otra vez|repet\p{L}{1,4}|attend\p{L}{0,3}|puis|ensuite|encore|répét\p{L}{1,4}|aguard\p{L}{1,3}|depois|novamente|de novo)(?!\p{L})|等待|稍等|等一|然后|然後|接着|接著|再|重复|重複|又|待つ|待って|次に|もう一度|繰り返|그런 ?다음|다시|기다|затем|снова|подожд/iu;

/** Said of a list, by its heading or what leads to it. */
export function speaksOfSteps(text: string): boolean {
  return STEPS.test(text);
}

/** Said by an item: what stands before it may come behind it once more. */
export function speaksOfRepeating(text: string): boolean {
  return REPEATS.test(text);
}
