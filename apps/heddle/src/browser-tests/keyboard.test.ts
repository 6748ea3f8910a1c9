import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { type OpenPage, settle, withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey, seeded } = inject('webServer')
const { broken, huge } = seeded
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

/** Presses Tab until a control of the page is in focus, as people do who use no pointer. */
async function tabTo({ page }: OpenPage, name: string): Promise<void> {
  const maxSteps = 100
  for (let step = 0; step < maxSteps; step++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null
      if (element?.closest('main') === null) return ''
      const label = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels?.[0]?.textContent : null
      return element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? ''
    })
    if (focused.trim() === name) return
  }
  throw new Error(`"${name}" cannot be reached with ${maxSteps} presses of Tab`)
}

test('a failed call is found and gets a note, by keyboard alone', () =>
  withPage(async (open) => {
    const { page, visit } = open
    await visit(`/${broken.project}/calls?level=all`)
    await tabTo(open, 'Errors 1')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await settle(page)
    await tabTo(open, 'Traces')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/calls\/[^?]+/)
    await settle(page)
    const callId = new URL(page.url()).pathname.split('/').at(-1)
    await tabTo(open, 'Write a note')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('textarea')
    await page.keyboard.type('The page is gone')
    await tabTo(open, 'Add note')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Notes' }).getByRole('listitem').filter({ hasText: 'The page is gone' }).waitFor()
    const { result } = await client.feedback.query({ project_id: broken.project })
    expect(result).toMatchObject([
      { feedback_type: 'wandb.note.1', payload: { note: 'The page is gone' }, weave_ref: `weave:///${broken.project}/call/${callId}` },
    ])
  }))

test.each(inWholeRuns)('the keys walk through calls, show one beside the table, and stay where they are while typing', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${huge.project}/calls?level=all`)
    const grid = page.getByRole('grid', { name: 'Spans' })
    const chosen = page.locator('[role=row][aria-selected=true]')
    await grid.focus()
    await page.keyboard.press('End')
    await expect.poll(() => chosen.getAttribute('aria-rowindex')).toBe('101')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => chosen.getAttribute('aria-rowindex')).toBe('3')
    expect(await grid.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
    await page.keyboard.press('Space')
    await page.getByRole('dialog').waitFor()
    const peeked = new URL(page.url()).searchParams.get('peek')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => new URL(page.url()).searchParams.get('peek')).not.toBe(peeked)
    await page.getByRole('combobox', { name: 'Filter' }).focus()
    await page.keyboard.press('ArrowDown')
    expect(await chosen.getAttribute('aria-rowindex')).toBe('4')
    expect(await page.getByRole('row').count()).toBeLessThan(60)
  }),
)
