import { randomUUID } from 'node:crypto'
import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { Locator, Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { recordAttempts, sampleAnswer } from '../testing/record-attempts.ts'
import { annotationClient, createAnnotationQueue } from './testing/annotation-queue.ts'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const server = inject('webServer')
const { ordinary } = server.seeded
const shared = { baseUrl: server.url, apiKey: server.apiKey }
const client = createClient({ ...shared, contract: tracing })

/** Clicks with the pointer and counts the clicks, like a user who knows no keyboard shortcuts. */
function pointer() {
  let clicks = 0
  return {
    clicks: () => clicks,
    async click(target: Locator): Promise<void> {
      await target.click()
      clicks++
    },
  }
}

const inSidebar = (page: Page, name: string) => page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name })

/** Traces of an agent, each a chat of its model and a tool that takes nearly all of its time. */
async function recordAgent(project: string, seconds: readonly number[]): Promise<void> {
  const [entity = '', name = ''] = project.split('/')
  const start = Date.now() - 3_600_000
  const at = (offset: number) => new Date(start + offset * 1_000).toISOString()
  const batch = seconds.flatMap((took) => {
    const [trace_id, root] = [randomUUID(), randomUUID()]
    const call = (op_name: string, id: string, parent_id: string | null, from: number, to: number) => ({
      project_id: project,
      id,
      trace_id,
      parent_id,
      op_name,
      started_at: at(from),
      ended_at: at(to),
      attributes: {},
      inputs: { question: `It takes ${took} s` },
      output: 'done',
      summary: {},
    })
    return [
      call('agent', root, null, 0, took),
      call('plan', randomUUID(), root, 0, took / 10),
      call('search', randomUUID(), root, took / 10, took),
    ]
  })
  await client.calls.complete({ entity, project: name, batch })
}

test('the slow call of an agent is found with four clicks', async () => {
  const project = `test/${randomUUID()}`
  await recordAgent(project, [1, 40, 2])
  await withPage(async ({ page, visit }) => {
    const { click, clicks } = pointer()
    await visit(`/${project}`)
    await click(inSidebar(page, 'Traces'))
    await click(page.getByRole('link', { name: 'Slowest', exact: true }))
    await click(page.getByRole('grid', { name: 'Traces' }).getByRole('link', { name: 'agent' }).first())
    const slow = page.getByRole('treeitem', { name: /search/ })
    await expect.poll(() => slow.textContent()).toContain('36.00 s')
    await click(slow)
    await expect.poll(() => page.textContent('main')).toContain('It takes 40 s')
    expect(clicks()).toBe(4)
  })
})

test.each(inWholeRuns)('two evaluations are compared and the worst row is open with five clicks', () =>
  withPage(async ({ page, visit }) => {
    const { click, clicks } = pointer()
    await visit(`/${ordinary.project}`)
    await click(inSidebar(page, 'Evaluations'))
    const runs = page.getByRole('grid', { name: 'Runs' })
    await click(runs.getByRole('row', { name: /after/ }).getByRole('checkbox'))
    await click(runs.getByRole('row', { name: /before/ }).getByRole('checkbox'))
    await click(page.getByRole('link', { name: 'Compare' }))
    await click(page.getByRole('grid', { name: 'Rows of the dataset' }).getByRole('link').first())
    await page.getByText(/^1 of \d+$/).waitFor()
    expect(clicks()).toBe(5)
  }),
)

test.each(inWholeRuns)('ten items are annotated with two clicks each, after three that open the first', async () => {
  const { id, project_id } = await createAnnotationQueue(10)
  await withPage(async ({ page, visit }) => {
    const { click, clicks } = pointer()
    await visit(`/${project_id}`)
    await click(inSidebar(page, 'Annotation'))
    await click(page.getByRole('grid', { name: 'Queues' }).getByRole('link', { name: 'Keys' }))
    await page.getByRole('grid', { name: 'Items' }).getByText('Question 9', { exact: true }).waitFor()
    await click(page.getByRole('button', { name: 'Annotate' }))
    for (let item = 1; item <= 10; item++) {
      await page.getByText(`Item ${item} of 10`).waitFor()
      await click(page.getByRole('group', { name: 'correct' }).getByText('Yes'))
      await click(page.getByRole('button', { name: 'Complete and next' }))
    }
    const done = async () => {
      const { items } = await annotationClient.annotationQueues.queryItems({ project_id, queue_id: id })
      return items.filter(({ annotation_state }) => annotation_state === 'completed').length
    }
    await expect.poll(done).toBe(10)
    expect(clicks()).toBe(3 + 2 * 10)
  })
})

test.each(inWholeRuns)('a training job is started from traces and watched with four clicks', async () => {
  const project = `test/${randomUUID()}`
  const [entity = '', name = ''] = project.split('/')
  await createClient({ ...shared, contract: training }).models.create({ entity, project: name, name: 'adder', base_model: 'heddle-nano' })
  const answer = await sampleAnswer(server, project)
  await recordAttempts(client, project, [
    { group: 'sum', reward: 1, ...answer },
    { group: 'sum', reward: 0, ...answer },
  ])
  await withPage(async ({ page, visit }) => {
    const { click, clicks } = pointer()
    await visit(`/${project}`)
    await click(inSidebar(page, 'Jobs'))
    await click(page.getByRole('link', { name: 'New job' }))
    await click(page.getByRole('button', { name: 'Check training data' }))
    await click(page.getByRole('button', { name: 'Start job' }))
    await page.waitForURL(`**/${project}/training/jobs/*`)
    await expect.poll(() => page.textContent('main'), { timeout: 60_000 }).toContain('Policy loss')
    expect(clicks()).toBe(4)
  })
})

test.each(inWholeRuns)('a prompt is written in the playground and saved with four clicks', () =>
  withPage(async ({ page, visit }) => {
    const { click, clicks } = pointer()
    const own = `greeting-${randomUUID()}`
    await visit(`/${ordinary.project}`)
    await click(inSidebar(page, 'Playground'))
    const message = page.getByRole('region', { name: 'Variant A' }).getByLabel('Message 1, text')
    await click(message)
    await page.keyboard.type('Greet in one sentence.')
    await click(page.getByRole('button', { name: 'Save prompt' }))
    await expect.poll(() => page.getByLabel('Name', { exact: true }).evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type(own)
    await click(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('Saved: ').waitFor()
    expect(clicks()).toBe(4)
    await visit(`/${ordinary.project}/prompts/${own}`)
    await expect.poll(() => page.textContent('main')).toContain('Greet in one sentence.')
  }),
)
