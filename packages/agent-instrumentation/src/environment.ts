/** The variables of the process. The one place that reads them. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return typeof process === 'undefined' ? {} : process.env
}
