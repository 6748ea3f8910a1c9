import { expect, inject, test } from 'vitest'
import { withPage } from './testing/open-page.ts'

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
