import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { project } = inject('webServer').seeded.ordinary

test('projects are found while a name is typed, in a field that keeps the focus', () =>
  withPage(async ({ page, visit }) => {
    await visit('/')
    const field = page.getByRole('searchbox', { name: 'Name contains' })
    await field.pressSequentially(project)
    await page.waitForURL(({ searchParams }) => searchParams.get('contains') === project)
    await page.getByRole('link', { name: project, exact: true }).waitFor()
    await page.getByText('1 project', { exact: true }).waitFor()
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    await field.fill('')
    await page.waitForURL(({ searchParams }) => !searchParams.has('contains'))
    await visit(`/?contains=${encodeURIComponent(project)}`)
    expect(await field.inputValue()).toBe(project)
  }))

test.each(inWholeRuns)('a new project is named from the switcher, where a name that the server refuses is explained', () =>
  withPage(async ({ page, visit, observed }) => {
    observed.expect('400 (Bad Request)')
    await visit(`/${project}`)
    await page.getByRole('button', { name: `Project ${project}` }).click()
    await page.getByRole('menuitem', { name: 'New project…' }).click()
    const name = page.getByRole('dialog', { name: 'New project' }).getByLabel('Project')
    await name.fill('settings/agent')
    await name.press('Enter')
    await page.getByRole('alert').getByText('entity "settings" is reserved as a path of this service').waitFor()
    expect(await findViolations(page)).toEqual([])
    const named = `test/${randomUUID()}`
    await name.fill(named)
    await name.press('Enter')
    await page.waitForURL(`**/${named}`)
    await page.getByText('Waiting for the first trace').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  }),
)
