/** Invisible characters that change the direction of the following text, even beyond the name. */
const directionMark = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** The text without marks of writing direction; a text that has none is returned as it is. */
export const withoutDirection = (text: string): string => (directionMark.test(text) ? text.replaceAll(directionMarks, '') : text)
