// A day in the ways in which titles write it.

const MONTHS: readonly string[] = [
  "january february march april may june july august september october november december",
  "jan feb mar apr may jun jul aug sep oct nov dec",
  "januar februar märz april mai juni juli august september oktober november dezember",
];
const TIME = /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)(?: ?(?:am|pm|utc|gmt|z))?(?![\p{L}\p{N}])/gu;

/** `text` in lower case, without the day and times of a day. */
export function withoutDate(text: string, date: string | undefined): string {
  if (date === undefined) return text;
  return formsOf(date)
    .reduce((rest, form) => rest.replaceAll(form, " "), text)
    .replace(TIME, " ");
}

function formsOf(date: string): readonly string[] {
  const [year = "", month = "", day = ""] = date.split("-");
  const [shortMonth, shortDay] = [String(Number(month)), String(Number(day))];
  const names = MONTHS.map((all) => all.split(" ")[Number(month) - 1] ?? month);
  return [
    date,
    `${year}/${month}/${day}`,
    `${year}.${month}.${day}`,
    `${year}${month}${day}`,
    `${year}年${month}月${day}日`,
    `${year}年${shortMonth}月${shortDay}日`,
    ...names.flatMap((name) =>
      [shortDay, day, ordinal(shortDay)].flatMap((of) => [
        `${name} ${of}, ${year}`,
        `${name} ${of} ${year}`,
        `${of} ${name} ${year}`,
        `${of}. ${name} ${year}`,
      ]),
    ),
  ];
}

function ordinal(day: string): string {
  if (/^1[123]$/.test(day)) return `${day}th`;
  return `${day}${{ 1: "st", 2: "nd", 3: "rd" }[Number(day) % 10] ?? "th"}`;
}
