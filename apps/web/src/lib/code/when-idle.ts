/** Runs once the page is idle, after two seconds at the latest. */
export const whenIdle = (run: () => void) => {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 2000 })
  else setTimeout(run, 300)
}
