// Made from package.json by "npm run gen".
/** The version of this package, as servers and clients see it. */
export const version = '0.1.0'
