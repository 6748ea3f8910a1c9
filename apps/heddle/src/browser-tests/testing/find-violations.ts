import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** Half of the package's text, so that pages compile it in half the time. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Violations of WCAG 2.2, levels A and AA, one line each with the first places. */
export async function findViolations(page: Page): Promise<string[]> {
  // A script tag would be stopped by the content policy.
  await page.evaluate(axeSource)
  const violations = await page.evaluate(async (values) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const results = await axe.run(document, { runOnly: { type: 'tag', values }, resultTypes: ['violations'] })
    return results.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      places: nodes.slice(0, 3).map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
    }))
  }, rules)
  return violations.map(({ id, help, places }) => `${id} (${help})\n  ${places.join('\n  ')}`)
}
