import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns } from './testing/whole-runs.ts'

const { url: baseUrl, apiKey } = inject('webServer')
const client = createClient({ baseUrl, apiKey, contract: tracing })
const content = '## Answer\n\n- **one**\n- two\n\n![cat](http://elsewhere.invalid/cat.png) [page](http://elsewhere.invalid/page)'

async function recordCall(project_id: string) {
  const [id, now] = [randomUUID(), new Date().toISOString()]
  const start = {
    project_id,
    id,
    trace_id: id,
    op_name: 'answer',
    started_at: now,
    attributes: {},
    inputs: {
      messages: [{ role: 'user', content: 'Why?' }],
      tools: [{ name: 'look_up', description: 'Finds a page' }],
      options: { retrieval: { index: 'manuals', limit: 5 } },
    },
  }
  await client.calls.start({ start } as unknown as Parameters<typeof client.calls.start>[0])
  const end = { project_id, id, ended_at: now, summary: {}, output: { choices: [{ message: { role: 'assistant', content } }] } }
  await client.calls.end({ end } as unknown as Parameters<typeof client.calls.end>[0])
  return id
}

test.each(inWholeRuns)('a value is a tree whose members are found and copied with their paths', async () => {
  const project = `test/${randomUUID()}`
  const call = await recordCall(project)
  await withPage(async ({ page, visit }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit(`/${project}/calls/${call}?tab=values`)
    await page.getByRole('button', { name: 'Find in input' }).click()
    const tree = page.getByRole('tree', { name: 'Input' })
    await expect.poll(() => tree.getByRole('treeitem').count()).toBe(12)
    await page.getByLabel('Find', { exact: true }).last().fill('MANUALS')
    await page.getByText('1 found').waitFor()
    await tree.getByRole('treeitem', { name: 'index "manuals"' }).click()
    // The button shows it for two seconds.
    await Promise.all([page.getByText('Copied').waitFor(), page.getByRole('button', { name: 'Copy path' }).click()])
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('inputs.options.retrieval.index')
    for (const scheme of colorSchemes) {
      await page.emulateMedia({ colorScheme: scheme })
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, `value-tree-${scheme}`)
    }
    await tree.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => tree.getByRole('treeitem').first().getAttribute('aria-expanded')).not.toBeNull()
  })
})

test.each(inWholeRuns)('an answer in Markdown has its form, loads nothing, and is there as it was written', async () => {
  const project = `test/${randomUUID()}`
  const call = await recordCall(project)
  await withPage(async ({ page, visit }) => {
    await visit(`/${project}/calls/${call}?tab=messages`)
    const answer = page.getByRole('region', { name: 'Message 2, assistant' })
    await page.getByText('1 tool, none called').click()
    await page.getByText('Finds a page').waitFor()
    await answer.getByText('image cat http://elsewhere.invalid/cat.png').waitFor()
    expect(await answer.getByRole('listitem').allTextContents()).toEqual(['one', 'two'])
    for (const scheme of colorSchemes) {
      await page.emulateMedia({ colorScheme: scheme })
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, `markdown-${scheme}`)
    }
    await page.getByRole('button', { name: 'Message 2, assistant as it was written' }).click()
    await expect.poll(() => answer.textContent()).toBe(content)
  })
})
