import type { Page } from 'playwright-core'

/** What went wrong in a page. */
export interface Observed {
  /** Lines that say what went wrong, without what was expected. At most 100. */
  problems(): readonly string[]
  /** Problems that hold this text are not counted. */
  expect(text: string): void
}

const maxProblems = 100
const maxCharacters = 2_000
/** What Chromium says of a request that the page itself has ended, such as one whose answer is no longer needed. */
const endedByPage = 'net::ERR_ABORTED'

/** Collects errors of the console, violations of the content policy, failed requests and uncaught errors. A request to another host is a problem. */
export async function observePage(page: Page, serverUrl: string): Promise<Observed> {
  const found: string[] = []
  const expected: string[] = []
  const report = (kind: string, text: string) => {
    if (found.length < maxProblems) found.push(`${kind}: ${text}`.slice(0, maxCharacters))
  }
  page.on('console', (message) => {
    if (message.type() === 'error' || message.text().includes('Content Security Policy'))
      report('console', `${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => report('uncaught error', error.stack ?? error.message))
  page.on('crash', () => report('crash', page.url()))
  page.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') report('dialog', dialog.message())
    void dialog.dismiss().catch(() => undefined)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (reason !== endedByPage) report('failed request', `${request.method()} ${request.url()} ${reason}`)
  })
  await page.exposeFunction('reportPolicyViolation', (text: string) => report('content policy', text))
  await page.addInitScript(() => {
    const { reportPolicyViolation } = window as unknown as { reportPolicyViolation(text: string): Promise<void> }
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      void reportPolicyViolation(`${violatedDirective} stopped ${blockedURI} (${sourceFile})`)
    })
  })
  // Chromium itself finds no other host. A route that looked at each request would switch its cache off.
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== serverUrl && protocol.startsWith('http')) report('request to another host', request.url())
  })
  return {
    problems: () => found.filter((problem) => !expected.some((text) => problem.includes(text))),
    expect: (text) => void expected.push(text),
  }
}
