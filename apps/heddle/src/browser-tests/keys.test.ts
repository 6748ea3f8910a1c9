import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { linesOf } from './testing/lines-of.ts'
import { answerQuestion } from './testing/answer-question.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, seeded } = inject('webServer')
const settings = `/${seeded.ordinary.project}/settings?part=keys`

test('a key is made by keyboard alone and shown once, works, and ends when it is revoked', () =>
  withPage(async ({ page, visit }) => {
    await visit(settings)
    await page.getByRole('button', { name: 'New key' }).focus()
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.locator('input:focus').waitFor()
    expect(await findViolations(page)).toEqual([])
    await keepScreenshot(page, 'new-key')
    await page.keyboard.type('from a test')
    await page.keyboard.press('Enter')
    const secret = (await page.locator('[data-secret]').textContent()) ?? ''
    const ask = async () =>
      (
        await fetch(`${url}/calls/query_stats`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({ project_id: seeded.ordinary.project }),
        })
      ).status
    expect(await ask()).toBe(200)
    expect(await findViolations(page)).toEqual([])
    await keepScreenshot(page, 'key-shown-once')
    await visit(settings)
    const keys = page.getByRole('region', { name: 'Keys' })
    expect(await keys.getByRole('row').filter({ hasText: 'from a test' }).textContent()).toContain('active')
    expect(await page.textContent('body')).not.toContain(secret)
    await page.setViewportSize({ width: 768, height: 900 })
    expect(await findLayoutFaults(page)).toEqual([])
    const row = keys.getByRole('row').filter({ hasText: 'from a test' })
    for (const word of ['writer', 'this project']) expect(await linesOf(row.getByText(word, { exact: true }))).toBe(1)
    await keepScreenshot(page, 'keys-narrow')
    await keys.getByRole('button', { name: 'Actions for the key from a test' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Revoke…' }).waitFor()
    await page.keyboard.press('Enter')
    await answerQuestion(page, 'Revoke')
    await answerQuestion(page, 'End them')
    await expect.poll(() => keys.getByRole('row').filter({ hasText: 'from a test' }).textContent()).toContain('revoked')
    expect(await ask()).toBe(401)
  }))

test.each(inWholeRuns)('a key that records conversations is made with their group, and its row says so', () =>
  withPage(async ({ page, visit }) => {
    await visit(settings)
    await page.getByRole('button', { name: 'New key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('Name').fill('an agent')
    await form.getByRole('combobox', { name: 'Chats with trained models' }).click()
    await page.getByRole('option', { name: 'Record conversations' }).click()
    await form.getByLabel('Group').fill('not one id')
    expect(await form.textContent()).toContain('An id has 1 to 200 visible ASCII characters, got "not one id".')
    expect(await form.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
    await form.getByLabel('Group').fill('nightly')
    expect(await findViolations(page)).toEqual([])
    const sent = page.waitForRequest('**/project/keys/create')
    await form.getByRole('button', { name: 'Create key' }).click()
    expect((await sent).postDataJSON()).toMatchObject({ recording: { trajectory_id: null, group_id: 'nightly' } })
    const row = page.getByRole('region', { name: 'Keys' }).getByRole('row').filter({ hasText: 'an agent' })
    await expect.poll(() => row.textContent()).toContain('Records chats')
    await keepScreenshot(page, 'key-that-records')
  }),
)

test('a key without the role admin sees who may create keys', () =>
  withPage(async ({ page, visit, observed }) => {
    observed.expect('403')
    await page.route('**/project/keys/query', (route) => route.fulfill({ status: 403, json: { reason: 'Forbidden' } }))
    await visit(settings)
    await expect.poll(() => page.textContent('main')).toContain('Only keys with the role admin in this project may see and create keys')
  }))
