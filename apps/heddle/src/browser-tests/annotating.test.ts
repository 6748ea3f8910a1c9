import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { annotationClient as client, createAnnotationQueue as createQueue } from './testing/annotation-queue.ts'
import { chooseAction } from './testing/choose-action.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { settle, withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

async function annotationsOf(project_id: string) {
  const { result } = await client.feedback.query({ project_id })
  return result.map(({ feedback_type, payload }) => [feedback_type, payload])
}

/** The item that is annotated; the list of the queue has the texts of all. */
const shownCall = (page: Page) => page.getByRole('region', { name: 'Call' })

const itemCount = isWholeRun ? 20 : 3

test('a queue is worked through by keyboard alone', async () => {
  const queue = await createQueue(itemCount)
  await withPage(async ({ page, visit }) => {
    await visit(queue.path)
    await page.getByRole('button', { name: 'Annotate' }).focus()
    await page.keyboard.press('Enter')
    for (let place = 0; place < itemCount; place++) {
      await shownCall(page).getByText(`Question ${place}`).first().waitFor()
      await settle(page)
      await page.keyboard.press(place % 2 === 0 ? '1' : '2')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.type('7')
      await page.keyboard.press('Control+Enter')
    }
    await page.getByText('That was the last item').waitFor()
    await visit(`${queue.path}?tab=answers`)
    const agreement = page.getByRole('region', { name: 'Answers' }).getByRole('row', { name: /^quality/ })
    await expect.poll(() => agreement.getByRole('cell').nth(1).textContent()).toBe(String(itemCount))
    await chooseAction(page, 'Export to dataset…')
    await page.getByLabel('Dataset', { exact: true }).fill('judged')
    await page.keyboard.press('Enter')
    await page.getByText(`${itemCount} rows added`).waitFor()
    expect(await findViolations(page)).toEqual([])
    await keepScreenshot(page, 'queue-answers')
  })
  const [stats] = (await client.annotationQueues.stats({ project_id: queue.project_id, queue_ids: [queue.id] })).stats
  expect(stats).toMatchObject({ total_items: itemCount, completed_items: itemCount })
  const annotations = await annotationsOf(queue.project_id)
  expect(annotations.filter(([type]) => type === 'wandb.annotation.quality')).toHaveLength(itemCount)
  expect(annotations).toContainEqual(['wandb.annotation.correct', { value: true }])
  expect(annotations).toContainEqual(['wandb.annotation.correct', { value: false }])
})

test.each(inWholeRuns)('an item that was skipped is reopened and shown again by Undo', async () => {
  const queue = await createQueue(2)
  await withPage(async ({ page, visit }) => {
    await visit(queue.path)
    await page.getByRole('button', { name: 'Annotate' }).click()
    await shownCall(page).getByText('Question 0').first().waitFor()
    await settle(page)
    const address = page.url()
    await page.keyboard.press('s')
    // It is offered for some seconds only.
    const offer = page.getByRole('region', { name: 'Notifications' })
    await offer.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.waitForURL(address)
    await page.getByText('Question 0').first().waitFor()
    await page.getByRole('group', { name: 'correct' }).waitFor()
  })
  const { items } = await client.annotationQueues.queryItems({ project_id: queue.project_id, queue_id: queue.id })
  expect(items.map(({ own_state }) => own_state)).not.toContain('skipped')
})

test.each(inWholeRuns)(
  'input and output are read as messages where they are a conversation, and as named texts where they are not',
  async () => {
    const queue = await createQueue(1, ['inputs', 'output'])
    const { project_id } = queue
    const [entity = '', project = ''] = project_id.split('/')
    const at = new Date(Date.UTC(2026, 0, 2)).toISOString()
    const chat = {
      project_id,
      id: randomUUID(),
      trace_id: randomUUID(),
      op_name: 'chat',
      started_at: at,
      ended_at: at,
      attributes: {},
      inputs: { messages: [{ role: 'user', content: 'How high is it?' }] },
      output: { choices: [{ message: { role: 'assistant', content: 'As high as a house' } }] },
      summary: {},
    }
    await client.calls.complete({ entity, project, batch: [chat] })
    await client.annotationQueues.addCalls({ project_id, queue_id: queue.id, call_ids: [chat.id], display_fields: ['inputs', 'output'] })
    await withPage(async ({ page, visit }) => {
      await visit(queue.path)
      await page.getByRole('button', { name: 'Annotate' }).click()
      const shown = shownCall(page)
      await shown.getByRole('term').getByText('question').waitFor()
      await shown.getByText('Question 0', { exact: true }).waitFor()
      expect(await shown.getByRole('button', { name: 'Copy inputs' }).count()).toBe(0)
      await page.keyboard.press('s')
      await shown.getByText('How high is it?').waitFor()
      await shown.getByText('As high as a house').waitFor()
      expect(await shown.getByText('"role"').count()).toBe(0)
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, 'annotated-conversation')
    })
  },
)

test('a value that cannot be saved stays on screen, and is saved when the server is back', async () => {
  const queue = await createQueue(1)
  await withPage(async ({ page, visit, observed }) => {
    observed.expect('500')
    let isAway = true
    // Before the page is opened, so that no request is under way while the browser begins to stop requests.
    await page.route('**/feedback/create', (route) =>
      isAway ? route.fulfill({ status: 500, json: { detail: 'made by a test' } }) : route.continue(),
    )
    await visit(queue.path)
    await page.getByRole('button', { name: 'Annotate' }).click()
    await page.getByRole('group', { name: 'correct' }).waitFor()
    await page.keyboard.press('1')
    await page.getByText('Not saved: made by a test').waitFor()
    isAway = false
    await page.getByText('Saved', { exact: true }).waitFor()
  })
  expect(await annotationsOf(queue.project_id)).toEqual([['wandb.annotation.correct', { value: true }]])
})

test.each(inWholeRuns)('a key that is pressed as soon as the item is on screen is not lost', async () => {
  const queue = await createQueue(1)
  await withPage(async ({ page, visit }) => {
    // Before the browser draws it, and before anything that React does after drawing.
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('fieldset[data-field="correct"]')) return
        observer.disconnect()
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true, cancelable: true }))
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    await visit(queue.path)
    await page.getByRole('button', { name: 'Annotate' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
  })
  expect(await annotationsOf(queue.project_id)).toEqual([['wandb.annotation.correct', { value: true }]])
})

test.each(inWholeRuns)('undo takes back the last value', async () => {
  const queue = await createQueue(1)
  await withPage(async ({ page, visit }) => {
    await visit(queue.path)
    await page.getByRole('button', { name: 'Annotate' }).click()
    const field = page.getByRole('group', { name: 'correct' })
    await field.waitFor()
    await page.keyboard.press('1')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.keyboard.press('u')
    await expect.poll(() => annotationsOf(queue.project_id)).toEqual([])
  })
})

test.each(inWholeRuns)(
  'a text that is typed is saved when the browser goes back, and one that is not a value keeps the item open',
  async () => {
    const queue = await createQueue(2)
    await withPage(async ({ page, visit }) => {
      await visit(queue.path)
      await page.getByRole('button', { name: 'Annotate' }).click()
      const quality = page.getByRole('group', { name: 'quality' }).getByRole('textbox')
      await quality.fill('70')
      await page.keyboard.press('Control+Enter')
      await page.getByText('what is typed for quality is not a value of it (at most 10, got 70)').waitFor()
      await expect.poll(() => quality.evaluate((element) => element === document.activeElement)).toBe(true)
      await quality.fill('7')
      await page.goBack()
      await page.getByRole('button', { name: 'Annotate' }).waitFor()
    })
    await expect.poll(() => annotationsOf(queue.project_id)).toEqual([['wandb.annotation.quality', { value: 7 }]])
    const [stats] = (await client.annotationQueues.stats({ project_id: queue.project_id, queue_ids: [queue.id] })).stats
    expect(stats).toMatchObject({ completed_items: 0 })
  },
)

test.each(inWholeRuns)('keys that are pressed while an item is left change nothing in it', async () => {
  const queue = await createQueue(2)
  await withPage(async ({ page, visit }) => {
    await visit(queue.path)
    await page.getByRole('button', { name: 'Annotate' }).click()
    await page.getByRole('group', { name: 'correct' }).waitFor()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/progress', async (route) => {
      await held
      await route.continue()
    })
    await page.keyboard.press('1')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => page.getByRole('button', { name: 'Complete and next' }).isDisabled()).toBe(true)
    await page.keyboard.press('2')
    await page.keyboard.press('u')
    release()
    await page.getByText('Item 2 of 2').waitFor()
  })
  expect(await annotationsOf(queue.project_id)).toEqual([['wandb.annotation.correct', { value: true }]])
})

test.each(inWholeRuns)('what a queue does not show of a call is there on demand, and its trace is a link', async () => {
  const queue = await createQueue(1, ['inputs.question'])
  await withPage(async ({ page, visit }) => {
    await visit(queue.path)
    await page.getByRole('button', { name: 'Annotate' }).click()
    await page.getByRole('region', { name: 'inputs.question' }).waitFor()
    expect(await page.getByText('Answer 0').count()).toBe(0)
    await page.getByRole('button', { name: 'Whole call' }).click()
    await page.getByRole('region', { name: 'output', exact: true }).getByText('Answer 0').waitFor()
    await page.getByRole('link', { name: 'Open trace' }).click()
    await page.waitForURL(/\/calls\/[^/]+$/)
  })
})

test.each(inWholeRuns)('a corrected output is kept as feedback of its own, and is the expected value of the dataset', async () => {
  const queue = await createQueue(1)
  await withPage(async ({ page, visit }) => {
    await visit(queue.path)
    await page.getByRole('button', { name: 'Annotate' }).click()
    await page.getByRole('group', { name: 'correct' }).waitFor()
    await page.getByRole('button', { name: 'Use output' }).click()
    const corrected = page.getByLabel('Correction')
    expect(await corrected.inputValue()).toBe('Answer 0')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('c')
    await corrected.fill('Answer nought')
    await keepScreenshot(page, 'annotate-corrected')
    await page.keyboard.press('Control+Enter')
    await page.getByText('That was the last item').waitFor()
    await page.reload()
    await expect.poll(() => corrected.inputValue()).toBe('Answer nought')
    expect(await findViolations(page)).toEqual([])
    await visit(queue.path)
    await chooseAction(page, 'Export to dataset…')
    await page.getByLabel('Dataset', { exact: true }).fill('corrected')
    await page.keyboard.press('Enter')
    await page.getByText('1 row added').waitFor()
    await page.getByRole('link', { name: 'corrected' }).click()
    await page.getByRole('columnheader', { name: 'expected' }).waitFor()
    await page.getByText('Answer nought').first().waitFor()
  })
  expect(await annotationsOf(queue.project_id)).toEqual([['heddle.corrected_output.1', { value: 'Answer nought' }]])
})
