/** Characters that XML 1.0 has no way to write, escaped or not: controls, halves of surrogate pairs, and two that are none. */
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\p{Surrogate}\ufffe\uffff]/gu
const special = /[&<>"'\t\n\r\u007f-\u009f\u2028]/g

/** Text as the content of an element or of an attribute in quotes. What XML cannot hold is written as in JSON, such as `\u001b`. */
export function toXmlText(text: string): string {
  return text
    .replace(unwritable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(special, (character) => `&#${character.charCodeAt(0)};`)
}
