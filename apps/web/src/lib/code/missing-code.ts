const missing = new WeakSet<object>()

/** Notes the errors of code that the browser could not fetch: without a connection, or after an update replaced it. */
export function noteMissingCode(): void {
  window.addEventListener('vite:preloadError', (event) => missing.add((event as Event & { payload: Error }).payload))
}

/** True for an error of code that could not be fetched. */
export const isMissingCode = (error: unknown): boolean => error instanceof Error && missing.has(error)

/** The same error with another message: the router reloads a page at those of browsers, though the server may not be reachable. */
export function asMissingCode(cause: unknown): Error {
  const error = new Error('A part of this page did not load', { cause })
  missing.add(error)
  return error
}
