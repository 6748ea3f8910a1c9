/** The value of a JSON text, with the numbers of JavaScript; undefined for a text that is not JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
