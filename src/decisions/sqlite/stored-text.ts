// Texts as the database keeps them: any JavaScript text, NUL and lone surrogates included, in a form that every driver gives
// back unchanged, that sorts as JavaScript sorts and in which a part is found where it is a part. Most texts are their own.

/** Begins the escapes of what sorts first, which are one digit long: NUL, at which SQLite would cut, and itself. */
const LOW = "\u0001";
/** Begins those of the code units from itself to the last surrogate, four digits long: UTF-8 sorts these otherwise. */
const HIGH = "\ud7ef";
/** Of the sixteen digits. */
const FIRST_DIGIT = 0xd7f0;
const ESCAPED = new RegExp(`[\0${LOW}${HIGH}-\udfff]`, "g");
const ESCAPES = new RegExp(`[${LOW}${HIGH}][\ud7f0-\ud7ff]{1,4}`, "g");

/** Stands in no stored text, so it keeps texts apart that are kept as one. */
export const SEPARATOR = HIGH;

export function storedText(text: string): string {
  return text.replace(ESCAPED, (unit) => {
    const code = unit.charCodeAt(0);
    return code <= 1 ? LOW + digit(code) : HIGH + [12, 8, 4, 0].map((bits) => digit((code >> bits) & 15)).join("");
  });
}

export function originalText(stored: string): string {
  return stored.replace(ESCAPES, (found) => {
    let code = 0;
    for (let at = 1; at < found.length; at++) code = code * 16 + found.charCodeAt(at) - FIRST_DIGIT;
    return String.fromCharCode(code);
  });
}

function digit(value: number): string {
  return String.fromCharCode(FIRST_DIGIT + value);
}
