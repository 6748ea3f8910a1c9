/** Characters without a shape that turn the direction of what follows them, also beyond the name. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * A name that a person can see, also in a title or a label, where no style bounds its direction: what data calls by signs without a shape gets
 * words instead, and marks that turn the direction of text are left out.
 */
export const readableName = (name: string) => (/[^\p{C}\p{Z}]/u.test(name) ? name.replaceAll(directionMarks, '') : 'no readable name')
