/** Variables by name; an empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The variables of the program that is traced. Empty in runtimes that have none. */
export function readEnvironment(): Environment {
  return typeof process === 'undefined' ? {} : process.env
}
