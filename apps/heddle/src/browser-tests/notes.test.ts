import { randomUUID } from 'node:crypto'
import { formatConversationRef, tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { annotationClient, createAnnotationQueue } from './testing/annotation-queue.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { hostileTexts } from './testing/hostile-texts.ts'
import { settle, withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

/** A project with one call and these people, who have keys for it. */
async function aProject(...people: string[]) {
  const project_id = `test/${randomUUID()}`
  const call = randomUUID()
  const at = new Date().toISOString()
  await client.calls.start({
    start: {
      project_id,
      id: call,
      trace_id: call,
      op_name: 'answer',
      started_at: at,
      attributes: {},
      inputs: { question: 'Why?' },
      thread_id: 'chat',
      turn_id: call,
    },
  })
  await client.calls.end({ end: { project_id, id: call, ended_at: at, output: 'Because.', summary: {} } })
  for (const name of people) await client.projectKeys.create({ project_id, name, role: 'reader' })
  return { project_id, call, weave_ref: `weave:///${project_id}/call/${call}` }
}

const noted = async (project_id: string) => (await client.feedback.query({ project_id })).result.map(({ payload }) => payload?.note)
const offersOf = (page: Page) => page.getByRole('listbox', { name: 'People to mention' }).getByRole('option')
const username = async () => {
  const response = await fetch(`${url}/session`, { headers: { authorization: `Bearer ${apiKey}` } })
  return ((await response.json()) as { username: string }).username
}

test.each(inWholeRuns)(
  'a note mentions people by keyboard alone, keeps its lines, and is listed with the others in the order of time',
  async () => {
    const { project_id, call } = await aProject('Zoe Zander', 'Zoltan', 'bob')
    await withPage(async ({ page, visit }) => {
      await visit(`/${project_id}/calls/${call}?tab=feedback`)
      await page.getByText('No notes yet').waitFor()
      await page.getByRole('textbox', { name: 'Note' }).focus()
      await page.keyboard.type('Is it right, @zo')
      await expect.poll(() => offersOf(page).allTextContents()).toEqual(['Zoe Zander', 'Zoltan'])
      await page.getByRole('status').filter({ hasText: '2 people to mention' }).waitFor({ state: 'attached' })
      expect(await findViolations(page)).toEqual([])
      await page.keyboard.press('ArrowDown')
      const chosen = await page.getByRole('textbox', { name: 'Note' }).getAttribute('aria-activedescendant')
      expect(await page.locator(`[id="${chosen}"]`).textContent()).toBe('Zoltan')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.keyboard.type('and @BO')
      await expect.poll(() => offersOf(page).allTextContents()).toEqual(['bob'])
      await page.keyboard.press('Tab')
      await page.keyboard.type('?')
      await page.keyboard.press('Enter')
      await page.keyboard.type('Mail @zo')
      await expect.poll(() => offersOf(page).count()).toBe(2)
      await page.keyboard.press('Escape')
      await expect.poll(() => offersOf(page).count()).toBe(0)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const notes = page.getByRole('region', { name: 'Notes' }).getByRole('listitem')
      await expect.poll(() => notes.count()).toBe(1)
      expect(await noted(project_id)).toEqual(['Is it right, @[Zoe Zander] and @[bob] ?\nMail @zo'])
      expect(await notes.locator('mark').allTextContents()).toEqual(['@Zoe Zander', '@bob'])
      expect(await notes.locator('.note-text').innerText()).toBe('Is it right, @Zoe Zander and @bob ?\nMail @zo')
      await page.getByRole('textbox', { name: 'Note' }).fill('Yes')
      await page.getByRole('button', { name: 'Add note' }).click()
      await expect.poll(() => notes.count()).toBe(2)
      expect(await notes.last().textContent()).toMatch(/ ago.*Yes$/)
      await notes.first().getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(() => notes.last().textContent()).toContain('Is it right')
      expect(await notes.count()).toBe(2)
      expect((await noted(project_id)).toSorted()).toEqual(['Is it right, @[Zoe Zander] and @[bob] ?\nMail @zo', 'Yes'])
      await notes.last().getByRole('button', { name: 'Remove' }).click()
      await expect.poll(() => notes.count()).toBe(1)
      expect(await noted(project_id)).toEqual(['Yes'])
    })
  },
)

test.each(inWholeRuns)('"Mentions me" finds the notes that mention who is signed in, and none that mentions a longer name', async () => {
  const me = await username()
  const { project_id, weave_ref } = await aProject()
  const [entity = '', project = ''] = project_id.split('/')
  const conversation = formatConversationRef({ entity, project, id: 'chat' })
  const said = [
    [weave_ref, `@[${me}] on a call`],
    [weave_ref, `@[${me}2] on another`],
    [weave_ref, `@${me} by the way`],
    [conversation, `Of the chat: @[${me}]`],
  ]
  for (const [about = '', note] of said)
    await client.feedback.create({ project_id, weave_ref: about, feedback_type: 'wandb.note.1', payload: { note } })
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/feedback`)
    await page.getByText('4 in all').waitFor()
    await page.getByLabel('Mentions me').check()
    await page.getByText('2 in all').waitFor()
    await settle(page)
    const rows = page.getByRole('table', { name: 'Feedback' }).getByRole('row')
    await expect
      .poll(async () => (await rows.allTextContents()).slice(1))
      .toEqual([expect.stringContaining(`Of the chat: @${me}`), expect.stringContaining(`@${me} on a call`)])
    expect(new URL(page.url()).searchParams.get('mentions')).toBe('me')
    expect(await findViolations(page)).toEqual([])
    await keepScreenshot(page, 'mentions-me')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('4 in all').waitFor()
  })
})

test.each(inWholeRuns)('hostile texts of notes and names of people stay texts', async () => {
  const { project_id, call, weave_ref } = await aProject('<img src=x onerror=attacked=1>')
  const notes = hostileTexts.map((text) => `@[${text.replaceAll(/[[\]\\\p{Cc}]/gu, '').slice(0, 100)}] ${text}`.slice(0, 1_000))
  const feedback_type = 'wandb.note.1'
  await client.feedback.createBatch({ batch: notes.map((note) => ({ project_id, weave_ref, feedback_type, payload: { note } })) })
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/calls/${call}?tab=feedback`)
    await page.getByRole('textbox', { name: 'Note' }).focus()
    await page.keyboard.type('@<img')
    await expect.poll(() => offersOf(page).allTextContents()).toEqual(['<img src=x onerror=attacked=1>'])
    const region = page.getByRole('region', { name: 'Notes' })
    await expect.poll(() => region.getByRole('listitem').count()).toBe(Math.min(notes.length, 100))
    expect(await page.evaluate(() => Reflect.get(window, 'attacked'))).toBeUndefined()
    expect(await region.locator('img, script, iframe, a, style, svg').count()).toBe(0)
  })
})

test.each(inWholeRuns)(
  'the note of an annotation item offers people: Enter takes one, and saves the note where none is offered',
  async () => {
    const { project_id, path } = await createAnnotationQueue(1)
    await annotationClient.projectKeys.create({ project_id, name: 'Zoe Zander', role: 'reader' })
    const notes = async () => (await noted(project_id)).filter((note) => note !== undefined)
    await withPage(async ({ page, visit }) => {
      await visit(path)
      await page.getByRole('button', { name: 'Annotate' }).click()
      await page.getByRole('textbox', { name: 'Note' }).focus()
      await page.keyboard.type('@zo')
      await expect.poll(() => offersOf(page).allTextContents()).toEqual(['Zoe Zander'])
      await page.keyboard.press('Enter')
      await expect.poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('@[Zoe Zander] ')
      expect(await notes()).toEqual([])
      await page.keyboard.type('look')
      await page.keyboard.press('Enter')
      await expect.poll(notes).toEqual(['@[Zoe Zander] look'])
      expect(await findViolations(page)).toEqual([])
    })
  },
)

test.each(isWholeRun ? colorSchemes : [])('the notes of a conversation: %s', async (colorScheme) => {
  const me = await username()
  const { project_id } = await aProject('Ada Lovelace', 'bob', 'Bo Diddley')
  const [entity = '', project = ''] = project_id.split('/')
  const weave_ref = formatConversationRef({ entity, project, id: 'chat' })
  for (const note of [`@[${me}] the second answer names a price.\nIs that the new one?`, 'Yes, since March. @[Ada Lovelace] has set it.'])
    await client.feedback.create({ project_id, weave_ref, feedback_type: 'wandb.note.1', payload: { note } })
  await withPage(
    async ({ page, visit }) => {
      await visit(`/${project_id}/threads/chat`)
      await page.getByRole('textbox', { name: 'Note' }).focus()
      await page.keyboard.type('Thanks @bo')
      await expect.poll(() => offersOf(page).count()).toBe(2)
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, `notes-${colorScheme}`)
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
      await keepScreenshot(page, `notes-narrow-${colorScheme}`)
    },
    { colorScheme },
  )
})
