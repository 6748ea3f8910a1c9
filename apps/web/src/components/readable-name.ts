/** A name that a person can see: what data calls by signs without a shape gets words instead. */
export const readableName = (name: string) => (/[^\p{C}\p{Z}]/u.test(name) ? name : 'no readable name')
