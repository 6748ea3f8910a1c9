import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { chooseAction } from './testing/choose-action.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { url, seeded } = inject('webServer')
const { project, rootCallIds, before, after, jobId } = seeded.ordinary

test.each(inWholeRuns)('a call has a question for an assistant, which names it and its project, by keyboard alone', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/calls/${rootCallIds[0]}`)
    await page.getByRole('button', { name: 'More actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Copy for assistant…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Copy for assistant' })
    const question = await dialog.getByRole('region', { name: 'the question' }).textContent()
    expect(question).toContain(`Explain call ${rootCallIds[0]} in project ${project}. Call trace_get`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }),
)

test.each(isWholeRun ? colorSchemes : [])('what connects an assistant stands there too, for everybody to use: %s', (colorScheme) =>
  withPage(
    async ({ page, visit }) => {
      await visit(`/${project}/calls/${rootCallIds[0]}`)
      await chooseAction(page, 'Copy for assistant…')
      await page.getByText('Connect an assistant').click()
      const settings = await page.getByRole('region', { name: 'the settings of the assistant' }).textContent()
      expect(JSON.parse(settings ?? '')).toMatchObject({ mcpServers: { heddle: { url: `${url}/mcp` } } })
      await keepScreenshot(page, `ask-assistant-${colorScheme}`)
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
    },
    { colorScheme },
  ),
)

test.each(inWholeRuns)('runs, comparisons and jobs have theirs', () =>
  withPage(async ({ page, visit }) => {
    const asked = async (path: string, name = 'Copy for assistant…') => {
      await visit(path)
      await chooseAction(page, name)
      return page.getByRole('region', { name: 'the question' }).textContent()
    }
    expect(await asked(`/${project}/evaluations/runs/${before}`)).toContain(`evaluation ${before} in project ${project}`)
    const compared = await asked(`/${project}/evaluations/compare?ids=${before},${after}`)
    expect(compared).toContain(`run ${after} with ${before} in project ${project}`)
    expect(await asked(`/${project}/training/jobs/${jobId}`, 'Copy for assistant')).toContain(`Follow training job ${jobId}`)
  }),
)
