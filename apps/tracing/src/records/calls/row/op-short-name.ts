/** The name part of an op reference, or the plain op name. */
export function opShortName(opName: string): string {
  const match = /^weave:\/\/\/[^/]*\/[^/]*\/op\/([^:/]*)/.exec(opName)
  return match?.[1] ?? opName
}
