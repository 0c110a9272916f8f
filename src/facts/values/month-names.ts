// Names of months in the languages that dates are written out in, as one alternative of a regular expression.

export const MONTHS =
  "(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch|zo|ço|s)?|märz|apr(?:il)?|may|mai|mayo|maio|june?|juni|jul(?:y|i)?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|okt(?:ober)?|nov(?:ember)?|dec(?:ember)?|dez(?:ember)?|enero|febrero|abril|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|avril|juin|juillet|août|septembre|octobre|novembre|décembre|janeiro|fevereiro|junho|julho|setembro|outubro|novembro|dezembro)";

/** "12 May", "12. Mai 2031", "May 12th, 2031", "12 de mayo". */
export const WRITTEN_DATE = `\\d{1,2}(?:st|nd|rd|th|\\.)? (?:de |of )?${MONTHS}(?![\\p{L}])(?:,? (?:de )?\\d{4})?|${MONTHS} \\d{1,2}(?:st|nd|rd|th)?(?!\\d)(?:,? \\d{4})?`;
