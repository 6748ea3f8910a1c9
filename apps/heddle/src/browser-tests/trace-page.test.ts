import { randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { chooseAction } from './testing/choose-action.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { url: baseUrl, apiKey, seeded } = inject('webServer')
const { ordinary } = seeded
const [turn = ''] = ordinary.turnIds
const path = `/${ordinary.project}/calls/${turn}`

test('a call says what it cost and what it names, becomes a row with chosen columns, and is copied and exported', () =>
  withPage(async ({ page, visit }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit(`${path}?tab=cost`)
    const details = page.getByRole('region', { name: 'Span', exact: true })
    await details.getByRole('cell', { name: 'large' }).waitFor()
    await expect.poll(() => page.getByRole('treeitem').first().textContent()).toMatch(/50 tok\$/)
    await details.getByRole('tab', { name: 'Links' }).click()
    expect(await details.getByRole('link', { name: ordinary.threadId }).getAttribute('href')).toBe(
      `/${ordinary.project}/threads/${ordinary.threadId}`,
    )

    await page.getByRole('button', { name: 'Add to dataset' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add to dataset' })
    await dialog.getByRole('button', { name: 'Columns: messages, question, output' }).click()
    await dialog.getByLabel('Column for inputs.messages').fill('')
    await dialog.getByLabel('Column for output', { exact: true }).fill('question')
    await dialog.getByText('Two fields would go into the column question').waitFor()
    await dialog.getByLabel('Column for output', { exact: true }).fill('')
    await dialog.getByLabel('Column for output.content').fill('expected')
    for (const scheme of colorSchemes) {
      await page.emulateMedia({ colorScheme: scheme })
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, `trace-actions-${scheme}`)
    }
    await dialog.getByLabel('Dataset', { exact: true }).fill('asked and answered')
    await page.keyboard.press('Enter')
    await dialog.getByText('1 row was added to a new dataset').waitFor()
    await page.keyboard.press('Escape')

    await chooseAction(page, 'Copy link to span')
    await page.getByText('Link copied').waitFor()
    expect(new URL(await page.evaluate(() => navigator.clipboard.readText())).pathname).toBe(path)
    await chooseAction(page, 'Copy as code…')
    await page.getByRole('dialog', { name: 'Copy as code' }).getByText('client.calls.read').waitFor()
    await page.keyboard.press('Escape')
    const download = page.waitForEvent('download')
    await chooseAction(page, 'Export JSON')
    expect(await json(await (await download).createReadStream())).toMatchObject({ id: turn, op_name: 'chat_turn' })
  }))

const root = `/${ordinary.project}/calls/${ordinary.rootCallIds[0]}`

test.each(inWholeRuns)('a call that folds nothing stands right of the one it is below', () =>
  withPage(async ({ page, visit }) => {
    await visit(root)
    const calls = page.getByRole('tree', { name: 'Spans of the trace' })
    const [parent, child] = await calls.getByRole('treeitem').evaluateAll((rows) => {
      const leftOf = (row: Element) => row.querySelector('.truncate')?.getBoundingClientRect().left
      const leaf = rows.findIndex((row) => row.getAttribute('aria-expanded') === null)
      return [rows[leaf - 1], rows[leaf]].map((row) => row && leftOf(row))
    })
    expect(child).toBeGreaterThan(parent ?? Number.NaN)
  }),
)

const views = [
  { view: 'graph', shows: 'Show as table' },
  { view: 'messages', shows: 'model call' },
  { view: 'flame', shows: 'Own time' },
]

test.each(isWholeRun ? views : [])('the view $view of a trace is in its address, and everybody can use it', ({ view, shows }) =>
  withPage(async ({ page, visit }) => {
    for (const scheme of colorSchemes) {
      await page.emulateMedia({ colorScheme: scheme })
      await visit(`${root}?view=${view}`)
      await page.getByText(shows).first().waitFor()
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, `trace-${view}-${scheme}`)
    }
    if (view !== 'graph') return
    await page.getByRole('button', { name: 'The calls named look_up in the timeline' }).click()
    await expect.poll(() => page.getByText('1 found').count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('view')).toBeNull()
  }),
)

test.each(inWholeRuns)('views of large, broken and hostile traces hold: nothing overlaps, and what is left out is counted', () =>
  withPage(async ({ page, visit }) => {
    for (const { project, rootCallId } of [seeded.huge, seeded.broken, seeded.hostile]) {
      for (const view of ['messages', 'flame', 'graph']) {
        await visit(`/${project}/calls/${rootCallId}?view=${view}`)
        expect([view, await findViolations(page), await findLayoutFaults(page)]).toEqual([view, [], []])
        await keepScreenshot(
          page,
          `trace-${view}-of-${[seeded.huge, seeded.broken, seeded.hostile].findIndex((one) => one.project === project)}`,
        )
      }
    }
  }),
)

test.each(inWholeRuns)('next and previous follow the list that a call was opened from, also after a reload', () =>
  withPage(async ({ page, visit }) => {
    const conversation = [{ path: 'thread_id', operator: '=', value: ordinary.threadId }]
    await visit(`/${ordinary.project}/calls?where=${encodeURIComponent(JSON.stringify(conversation))}`)
    await page.getByRole('grid', { name: 'Traces' }).getByRole('link', { name: 'chat_turn' }).first().click()
    await page.getByText('1 of 3').waitFor()
    expect(await page.getByRole('link', { name: 'Previous trace' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Next trace' }).click()
    await page.getByText('2 of 3').waitFor()
    await page.keyboard.press('k')
    await page.getByText('1 of 3').waitFor()
    await page.keyboard.press('j')
    await page.getByText('2 of 3').waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Next trace' }).click()
    await page.getByText('3 of 3').waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keepScreenshot(page, 'trace-in-a-list')
  }),
)

test.each(inWholeRuns)('what is below a call of a trace is closed and opened by keyboard', () =>
  withPage(async ({ page, visit }) => {
    await visit(root)
    const tree = page.getByRole('tree', { name: 'Spans of the trace' })
    const all = await tree.getByRole('treeitem').count()
    expect(all).toBeGreaterThan(1)
    await tree.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => tree.getByRole('treeitem').count()).toBe(1)
    await page.keyboard.press('ArrowLeft')
    expect(await tree.getByRole('treeitem').count()).toBe(1)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => tree.getByRole('treeitem').count()).toBe(all)
  }),
)

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test.each(inWholeRuns)(
  'bytes in a value are an image when requested and no wall of text, and a list of flat objects is a table',
  async () => {
    const client = createClient({ baseUrl, apiKey, contract: tracing })
    const [entity, project, id] = ['acme', 'media', randomUUID()]
    const project_id = `${entity}/${project}`
    // What follows the end of an image is not read, and makes it as long as images are.
    const bytes = Buffer.concat([Buffer.from(onePixel, 'base64'), Buffer.from(onePixel.repeat(8))])
    const file = { field: 'file', filename: 'image.png', content_type: 'image/png', bytes }
    const { digest } = await client.files.create({ project_id, files: [file] })
    const now = new Date().toISOString()
    const call = { project_id, id, trace_id: randomUUID(), op_name: 'draw', started_at: now, ended_at: now, attributes: {}, summary: {} }
    const inputs = {
      from: { _type: 'CustomWeaveType', files: { 'image.png': digest } },
      sources: [{ title: 'one', score: 1 }, { title: 'two' }],
    }
    await client.calls.complete({ entity, project, batch: [{ ...call, inputs, output: { image: bytes.toString('base64') } }] })
    await withPage(async ({ page, visit }) => {
      await visit(`/${project_id}/calls/${id}?tab=values`)
      await page.getByText('as base64)').waitFor()
      expect(await page.textContent('main')).not.toContain(onePixel.slice(0, 40))
      await page.getByText('inputs.sources as a table').click()
      await page.getByRole('cell', { name: 'two' }).waitFor()
      for (const name of ['Show inputs.from, image.png', /^Show output.image/]) await page.getByRole('button', { name }).click()
      for (const name of ['At inputs.from', 'At output.image']) {
        const image = page.getByRole('img', { name })
        await expect.poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth)).toBe(1)
      }
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, 'trace-media')
    })
  },
)
