import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { annotationClient as client, anotherAnnotator, createAnnotationQueue } from './testing/annotation-queue.ts'
import { chooseAction } from './testing/choose-action.ts'
import { chooseOption } from './testing/choose-option.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

type Queue = Awaited<ReturnType<typeof createAnnotationQueue>>

const itemsOf = async ({ project_id, id }: Queue) => (await client.annotationQueues.queryItems({ project_id, queue_id: id })).items
const start = (page: Page) => page.getByRole('button', { name: 'Annotate' }).click()
/** The place of the item, and how far it is. */
const item = (page: Page, place: number | string, state?: string) =>
  page
    .getByText(new RegExp(`^Item ${place} of `))
    .locator('..')
    .filter(state === undefined ? {} : { hasText: state })
    .waitFor()

const shows = async (page: Page, facts: readonly string[]) => {
  for (const fact of facts) await expect.poll(() => page.getByRole('tabpanel').textContent()).toContain(fact)
}

test.each(inWholeRuns)('a queue is made with its set-up, which its page shows and changes', async () => {
  const { project_id } = await createAnnotationQueue(1)
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/queues`)
    await page.getByRole('button', { name: 'New queue' }).click()
    const form = page.getByRole('dialog', { name: 'New queue' })
    expect(await form.getByLabel('Reviewers per item').inputValue()).toBe('1')
    expect(await form.getByLabel('Hold time (min)').inputValue()).toBe('10')
    expect(await form.getByRole('combobox', { name: 'Order' }).textContent()).toBe('Oldest first')
    await form.getByLabel('Name').first().fill('Twice')
    await form.getByLabel('Instructions').fill('Be **strict**.')
    await form.getByLabel('Reviewers per item').fill('21')
    await page.getByText('Reviewers of an item must be a whole number from 1 to 20.').waitFor()
    expect(await form.getByRole('button', { name: 'Create queue' }).isDisabled()).toBe(true)
    await form.getByLabel('Reviewers per item').fill('2')
    await chooseOption(page, 'Order', 'Newest first')
    await keepScreenshot(page, 'queue-set-up')
    await form.getByRole('button', { name: 'Create queue' }).click()
    await page.getByRole('tab', { name: 'Instructions' }).click()
    await shows(page, ['Reviewers per item2', 'Hold time10 min', 'OrderNewest first'])
    await chooseAction(page, 'Edit queue')
    await page.getByLabel('Hold time (min)').fill('1')
    await page.getByLabel('Reviewers per item').fill('1')
    await page.getByRole('button', { name: 'Save' }).click()
    await shows(page, ['Reviewers per item1', 'Hold time1 min', 'OrderNewest first'])
    expect(await findViolations(page)).toEqual([])
  })
})

test.each(inWholeRuns)('who holds an item and until when is seen by both, and what was entered stays when it is lost', async () => {
  const queue = await createAnnotationQueue(1)
  const [item] = await itemsOf(queue)
  const place = { project_id: queue.project_id, queue_id: queue.id, item_id: item?.id ?? '' }
  const bob = await anotherAnnotator(queue.project_id, 'bob')
  await bob.annotationQueues.claimItem(place)
  await withPage(async ({ page, visit }) => {
    await visit(`${queue.path}/annotate/${place.item_id}`)
    await page.getByText('Reserved by bob until').waitFor()
    await keepScreenshot(page, 'annotate-held-by-another')
    await bob.annotationQueues.releaseItem(place)
    await page.getByText('Not reserved. Start typing to reserve it for 10 min.').waitFor()
    await page.keyboard.press('1')
    await page.getByText('Reserved for you, 10 min left').waitFor()
    const { is_claimed, item: seen } = await bob.annotationQueues.claimItem(place)
    expect(is_claimed).toBe(false)
    expect(Date.parse(seen.claimed_until ?? '') - Date.now()).toBeGreaterThan(500_000)
    await keepScreenshot(page, 'annotate-held')
    const quality = page.getByRole('group', { name: 'quality' }).getByRole('textbox')
    await quality.fill('8')
    // The same user gives the item back elsewhere, and another takes it.
    await client.annotationQueues.releaseItem(place)
    await bob.annotationQueues.claimItem(place)
    await page.getByText('Your reservation ended. bob has the item now.').waitFor()
    expect(await quality.inputValue()).toBe('8')
    await quality.blur()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await findViolations(page)).toEqual([])
  })
})

test.each(inWholeRuns)('a claim is made longer while the page is worked on, and ends where it is not', async () => {
  const queue = await createAnnotationQueue(1)
  await client.annotationQueues.update({ project_id: queue.project_id, queue_id: queue.id, reservation_minutes: 2 })
  await withPage(
    async ({ page, visit }) => {
      await page.clock.install()
      const claims: string[] = []
      page.on('request', (request) => {
        if (/\/items\/[^/]+\/claim$/.test(request.url())) claims.push(request.url())
      })
      await visit(queue.path)
      await start(page)
      await page.getByText('Reserved for you, 2 min left').waitFor()
      const first = claims.length
      await page.clock.runFor(60_000)
      // The time of the test itself passes as well.
      await page.getByText(/Reserved for you, \d\d s left/).waitFor()
      expect(claims).toHaveLength(first)
      await page.keyboard.press('ArrowDown')
      await page.clock.runFor(5_000)
      await page.getByText('Reserved for you, 2 min left').waitFor()
      expect(claims).toHaveLength(first + 1)
      await page.clock.runFor(125_000)
      await page.getByText('Your reservation ended').waitFor()
      expect(claims).toHaveLength(first + 1)
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('1')
      await page.getByText('Reserved for you, 2 min left').waitFor()
    },
    { setsClock: true },
  )
})

test.each(inWholeRuns)('the page of a held item loses nothing in the dark and at half the width', async () => {
  const queue = await createAnnotationQueue(1)
  await withPage(
    async ({ page, visit }) => {
      await visit(queue.path)
      await start(page)
      await page.getByText('Reserved for you').waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      expect(await findViolations(page)).toEqual([])
      await keepScreenshot(page, 'annotate-held-dark')
      await visit(queue.path)
      await chooseAction(page, 'Edit queue')
      await page.getByLabel('Reviewers per item').waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      expect(await findViolations(page)).toEqual([])
      await keepScreenshot(page, 'queue-edited-dark')
    },
    { width: 768, colorScheme: 'dark' },
  )
})

test('an item that is left by the arrows is given back, and one that is given back is free', async () => {
  const queue = await createAnnotationQueue(2)
  await withPage(async ({ page, visit }) => {
    await visit(queue.path)
    await start(page)
    await page.getByText('Reserved for you').waitFor()
    await page.keyboard.press('ArrowRight')
    await item(page, 2)
    expect((await itemsOf(queue)).map(({ claimed_by }) => claimed_by)).toEqual([null, null])
    await page.keyboard.press('1')
    await page.getByRole('button', { name: 'Release' }).click()
    await page.getByText('Not reserved. Start typing to reserve it for 10 min.').waitFor()
    expect((await itemsOf(queue)).map(({ claimed_by }) => claimed_by)).toEqual([null, null])
  })
})

test.each(inWholeRuns)(
  'an item is given back when its page is left or closed, and can be claimed again by who opens it again',
  async () => {
    const queue = await createAnnotationQueue(1)
    const holder = async () => (await itemsOf(queue))[0]?.claimed_by ?? null
    await withPage(async ({ page, visit }) => {
      await visit(queue.path)
      await start(page)
      await page.getByText('Reserved for you').waitFor()
      expect(await holder()).not.toBeNull()
      await page.goto('about:blank')
      await expect.poll(holder).toBeNull()
      await page.goBack()
      await page.getByText('Not reserved. Start typing to reserve it for 10 min.').waitFor()
      await page.keyboard.press('1')
      await page.getByText('Reserved for you').waitFor()
      await page.getByText('Saved', { exact: true }).waitFor()
      expect(await holder()).not.toBeNull()
      await page.close({ runBeforeUnload: true })
      await expect.poll(holder).toBeNull()
    })
  },
)

test.each(inWholeRuns)('next and previous reach every item of a long queue, which says its place', async () => {
  const queue = await createAnnotationQueue(1_002)
  const sort_by = [{ field: 'queue_order', direction: 'asc' as const }]
  const { items } = await client.annotationQueues.queryItems({ project_id: queue.project_id, queue_id: queue.id, sort_by })
  await withPage(async ({ page, visit }) => {
    await visit(`${queue.path}/annotate/${items[999]?.id}`)
    for (const place of ['1,000', '1,001', '1,002']) {
      await item(page, place)
      await page.keyboard.press('ArrowRight')
    }
    await page.getByText('This is the last item').waitFor()
    await page.keyboard.press('ArrowLeft')
    await item(page, '1,001')
  })
})

test.each(inWholeRuns)('next and previous keep to the items of the address, and a completed item is reopened', async () => {
  const queue = await createAnnotationQueue(4)
  const items = await itemsOf(queue)
  for (const at of [0, 2])
    await client.annotationQueues.updateProgress({
      project_id: queue.project_id,
      queue_id: queue.id,
      item_id: items[at]?.id ?? '',
      annotation_state: 'completed',
    })
  const completed = async () =>
    (await client.annotationQueues.stats({ project_id: queue.project_id, queue_ids: [queue.id] })).stats[0]?.completed_items
  await withPage(async ({ page, visit }) => {
    await visit(`${queue.path}?state=open`)
    await page.getByRole('row').nth(2).waitFor()
    await keepScreenshot(page, 'queue-open-items')
    expect(await page.getByRole('row').count()).toBe(3)
    await page.getByRole('row').nth(1).getByRole('link').click()
    await item(page, 2)
    await page.keyboard.press('ArrowRight')
    await item(page, 4)
    expect(new URL(page.url()).searchParams.get('state')).toBe('open')
    await page.keyboard.press('ArrowRight')
    await page.getByText('This is the last item of: Open').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitemradio', { name: 'Annotated by me' }).click()
    await page.waitForURL(/state=mine/)
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('ArrowLeft')
    await item(page, 3, 'Completed')
    await page.reload()
    await page.getByText('You completed this item').waitFor()
    await keepScreenshot(page, 'annotate-completed')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('r')
    await page.getByText('Item reopened').waitFor()
    await item(page, 3, 'In progress')
    expect(await completed()).toBe(1)
    await page.keyboard.press('Control+Enter')
    await page.getByText('This is the last item of: Annotated by me').waitFor()
    expect(await completed()).toBe(2)
  })
})
