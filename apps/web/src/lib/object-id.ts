/** Longest part of a name, without prefix and suffix: object names have 128 characters. */
const maxNameLength = 60

/** An id for a new object that includes its name. Different ids never give the same one. */
export const toObjectId = (prefix: string, name: string, id: string): string =>
  `${prefix}-${name.replaceAll(/[^\w.-]+/g, '-').slice(0, maxNameLength)}-${id}`
