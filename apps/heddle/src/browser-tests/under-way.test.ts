import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { annotationClient as client, createAnnotationQueue } from './testing/annotation-queue.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { settle, withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const pages = ['Evaluations', 'Annotation', 'Jobs'] as const

/** What the sidebar says beside its links. */
const marks = async (page: Page) => {
  const items = page.getByRole('navigation', { name: 'Project' }).getByRole('listitem')
  const texts = pages.map((name) => items.filter({ has: page.getByRole('link', { name, exact: true }) }).textContent())
  return (await Promise.all(texts)).map((text, at) => text?.replace(pages[at]!, ''))
}

const nothing = ['', '', '']

/** The training service of these tests does not train. */
const withRunningJob = (page: Page) =>
  page.route('**/v1/preview/training-jobs?*', (route) => {
    const asksForRunning = new URL(route.request().url()).searchParams.get('status') === 'running'
    if (!asksForRunning) return route.continue()
    return route.fulfill({ json: { object: 'list', data: [{ id: randomUUID() }], first_id: '', last_id: '', has_more: false } })
  })

async function startEvaluation(project_id: string): Promise<string> {
  const id = randomUUID()
  const start = {
    project_id,
    id,
    trace_id: id,
    op_name: 'Evaluation.evaluate',
    started_at: new Date().toISOString(),
    attributes: {},
    inputs: {},
  }
  await client.calls.start({ start })
  return id
}

test.each(isWholeRun ? colorSchemes : [])('the sidebar says what runs, and how many items are left: %s', async (colorScheme) => {
  const { project_id } = await createAnnotationQueue(2)
  await startEvaluation(project_id)
  await withPage(
    async ({ page, visit }) => {
      await withRunningJob(page)
      await visit(`/${project_id}/calls`)
      const said = ['1 evaluation is running', '22 items left for you', 'Training is running']
      await expect.poll(() => marks(page)).toEqual(said)
      const annotation = page.getByRole('link', { name: 'Annotation', exact: true })
      const described = await annotation.getAttribute('aria-describedby')
      expect(await page.locator(`[id="${described}"]`).textContent()).toBe(said[1])
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, `under-way-${colorScheme}`)
      await page.setViewportSize({ width: 768, height: 900 })
      await expect
        .poll(async () => (await marks(page)).toSorted())
        .toEqual(['1 evaluation is running', '2 items left for you', 'Training is running'])
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, `under-way-narrow-${colorScheme}`)
    },
    { colorScheme },
  )
})

test.each(inWholeRuns)('an item that is completed is no longer left', async () => {
  const { path } = await createAnnotationQueue(2)
  await withPage(async ({ page, visit }) => {
    await visit(path)
    await expect.poll(() => marks(page)).toEqual(['', '22 items left for you', ''])
    await page.getByRole('button', { name: 'Annotate' }).click()
    await page.getByRole('group', { name: 'correct' }).waitFor()
    await settle(page)
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => marks(page)).toEqual(['', '11 item left for you', ''])
    await page.getByText('Question 1').first().waitFor()
    await settle(page)
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => marks(page)).toEqual(nothing)
  })
})

test.each(inWholeRuns)('a page that is not visible does not look for what is under way', async () => {
  const { project_id } = await createAnnotationQueue(0)
  await withPage(
    async ({ page, visit }) => {
      await page.clock.install()
      let looks = 0
      page.on('request', (request) => (looks += request.url().endsWith('/project/under_way/read') ? 1 : 0))
      await visit(`/${project_id}/settings`)
      await page.clock.runFor(5_000)
      await expect.poll(() => looks).toBe(1)
      await expect.poll(() => marks(page)).toEqual(nothing)
      const evaluation = await startEvaluation(project_id)
      await page.clock.runFor(25_000)
      await expect.poll(() => marks(page)).toEqual(['1 evaluation is running', '', ''])
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
        window.dispatchEvent(new Event('visibilitychange'))
      })
      const before = looks
      await page.clock.runFor(120_000)
      expect(looks).toBe(before)
      await client.calls.end({ end: { project_id, id: evaluation, ended_at: new Date().toISOString(), summary: {} } })
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
        window.dispatchEvent(new Event('visibilitychange'))
      })
      await expect.poll(() => marks(page)).toEqual(nothing)
    },
    { setsClock: true },
  )
})
