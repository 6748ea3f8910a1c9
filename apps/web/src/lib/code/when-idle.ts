/** Runs once the page is idle, after two seconds at the latest. A browser that does not say when it is idle runs it shortly. */
export const whenIdle = (run: () => void) => {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 2000 })
  else setTimeout(run, 300)
}
