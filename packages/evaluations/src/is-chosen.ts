/** Whether a score has one of these names, or is of a scorer that has. No names choose all. */
export function isChosen(name: string, scorers: readonly string[]): boolean {
  return scorers.length === 0 || scorers.some((scorer) => name === scorer || name.startsWith(`${scorer}.`))
}
