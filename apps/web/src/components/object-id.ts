/** The longest that a name may be with what is before and after it: object names have 128 characters. */
const maxNameLength = 60

/** A name for a new object, which says what it is called. Two never share one where their ids differ. */
export const toObjectId = (prefix: string, name: string, id: string): string =>
  `${prefix}-${name.replaceAll(/[^\w.-]+/g, '-').slice(0, maxNameLength)}-${id}`
