/** The version of this package, as clients see it. A test compares it with package.json. */
export const version = '0.0.0'
