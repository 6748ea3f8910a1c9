import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { findMarks } from './testing/find-marks.ts'
import { withPage } from './testing/open-page.ts'
import { seedMarkedNames } from './testing/seed-marked-names.ts'
import { isWholeRun } from './testing/whole-runs.ts'

const inSlice = ['calls', 'trace, messages', 'dashboard', 'shared trace']

test('no page shows or says a mark of writing direction of a name', async () => {
  const paths = Object.entries(await seedMarkedNames(inject('webServer'))).filter(([name]) => isWholeRun || inSlice.includes(name))
  const found: Record<string, string[]> = {}
  for (const [name, path] of paths) {
    const marks = await withPageAt(path, async (page) => {
      await expect.poll(() => page.textContent('main'), { message: name }).toContain('txet')
      return findMarks(page)
    }).catch((error: unknown) => [String(error)])
    if (marks.length > 0) found[name] = marks
  }
  expect(found).toEqual({})
}, 900_000)

async function withPageAt<Result>(path: string, run: (page: Page) => Promise<Result>): Promise<Result> {
  let result: { value: Result } | undefined
  await withPage(async ({ page, visit }) => {
    await visit(path)
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })
    result = { value: await run(page) }
  })
  return result!.value
}
