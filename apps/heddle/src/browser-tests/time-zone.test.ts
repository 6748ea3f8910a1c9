import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { findViolations } from './testing/find-violations.ts'
import { settle, withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

async function recordCalls(times: readonly string[]): Promise<string> {
  const project = randomUUID()
  const batch = times.map((time) => ({
    project_id: `test/${project}`,
    id: randomUUID(),
    trace_id: randomUUID(),
    op_name: 'answer',
    attributes: {},
    inputs: {},
    output: null,
    summary: {},
    started_at: time,
    ended_at: time,
  }))
  await client.calls.complete({ entity: 'test', project, batch })
  return `test/${project}`
}

async function chooseTimeZone(page: Page, timeZone: string): Promise<void> {
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('button', { name: /change time zone/ }).click()
  await footer.getByRole('combobox', { name: 'Time zone' }).fill(timeZone)
  await page.getByRole('option', { name: timeZone, exact: true }).click()
  await footer.getByText(`Times in ${timeZone}`).waitFor()
}

test.each(inWholeRuns)('a time zone that is chosen is that of tables and charts, is named below every page, and stays', () =>
  withPage(async ({ page, visit }) => {
    const startedAt = new Date(Date.now() - 20 * 3_600_000).toISOString()
    // Charts of a newer project have shorter parts.
    const project = await recordCalls([startedAt, new Date(Date.now() - 9 * 86_400_000).toISOString()])
    const shown = (timeZone: string) =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(Date.parse(startedAt))
    const time = page.locator('main time').first()
    const bar = page.getByRole('figure', { name: 'Traces', exact: true }).getByRole('link', { name: / from / })
    const footer = page.getByRole('contentinfo')

    await visit(`/${project}/calls`)
    const exact = () => time.getAttribute('data-tip')
    expect(await footer.innerText()).toContain('Times in UTC')
    expect(await exact()).toContain(shown('UTC'))
    await chooseTimeZone(page, 'Asia/Kathmandu')
    await expect.poll(exact).toContain(shown('Asia/Kathmandu'))
    expect(await exact()).toContain('GMT+5:45')
    expect(await findViolations(page)).toEqual([])

    await visit(`/${project}`)
    await footer.getByText('Times in Asia/Kathmandu').waitFor()
    await page.getByText('Times are in Asia/Kathmandu.').first().waitFor()
    // Quarters of a day there, which start at 15 minutes past an hour in UTC.
    expect(await bar.getAttribute('aria-label')).toMatch(/from .*, (00|06|12|18):00$/)
    expect(decodeURIComponent((await bar.getAttribute('href')) ?? '')).toMatch(/T\d\d:15:00/)

    await chooseTimeZone(page, 'UTC')
    await page.getByText('Times are in UTC.').first().waitFor()
    await settle(page)
    expect(decodeURIComponent((await bar.getAttribute('href')) ?? '')).toMatch(/T(00|06|12|18):00:00/)
  }),
)

/** Around the night in which clocks in Berlin go back from 3:00 to 2:00, at 1:00 in UTC. */
const autumn = [
  '2026-10-24T21:30:00Z',
  '2026-10-24T22:30:00Z',
  '2026-10-25T00:30:00Z',
  '2026-10-25T01:30:00Z',
  '2026-10-25T22:30:00Z',
  '2026-10-25T23:30:00Z',
]

test.each(inWholeRuns)(
  'in the night in which clocks go back, a table shows times in the chosen zone, with the name of summer or winter time',
  () =>
    withPage(async ({ page, visit }) => {
      await visit(`/${await recordCalls(autumn)}/calls`)
      await chooseTimeZone(page, 'Europe/Berlin')
      const times = page.locator('main [role=grid] time')
      const shown = () => times.evaluateAll((all) => all.map((time) => time.getAttribute('data-tip')?.replace(/ \(.*/, '')))
      await expect
        .poll(shown)
        .toEqual([
          '26 Oct 2026, 00:30:00 CET',
          '25 Oct 2026, 23:30:00 CET',
          '25 Oct 2026, 02:30:00 CET',
          '25 Oct 2026, 02:30:00 CEST',
          '25 Oct 2026, 00:30:00 CEST',
          '24 Oct 2026, 23:30:00 CEST',
        ])
    }),
)
