/** The environment variables of the process. They are read only here. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return typeof process === 'undefined' ? {} : process.env
}
