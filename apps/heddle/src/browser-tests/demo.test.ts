import { readFile, stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runCommandHere } from '../testing/run-command.ts'
import { type OpenPage, openPage, settle } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const root = new URL('../../../../', import.meta.url)
const project = 'acme/weather'
const maxPictureBytes = 150_000

/** `npm run pictures` sets more: one makes no curves. */
const rounds = Number(process.env['HEDDLE_TEST_DEMO_ROUNDS'] ?? 1)

const pictures = [
  { page: 'README.md', picture: 'docs/trace-page.png' },
  { page: 'docs/evaluations.md', picture: 'comparison.png' },
  { page: 'docs/tutorial-from-traces-to-a-better-model.md', picture: 'training-job.png' },
]

test.each(pictures)('$page has the picture $picture, which loads fast', async ({ page, picture }) => {
  const address = new URL(page, root)
  expect(await readFile(address, 'utf8')).toContain(`(${picture})`)
  expect((await stat(new URL(picture, address))).size).toBeLessThan(maxPictureBytes)
})

/** What each address that the demo prints leads to: its heading and a text. */
const printed = [
  ['Evaluation before', 'weather', '-step0'],
  ['Evaluation after', 'weather', `-step${rounds}`],
  ['Both side by side', 'Compare 2 runs', 'answer.reward'],
  ['An attempt before', 'weather_agent', 'weather-agent-1:step0'],
  ['The same one after', 'weather_agent', `weather-agent-1:step${rounds}`],
  ['The last training', 'weather-agent-1', 'Policy version'],
  ['The trained model', 'weather-agent-1', 'Checkpoints'],
  ['Answers to review', 'Answers of weather-agent-1', 'Annotate'],
  ['Charts over time', 'Weather agent', 'Correct answers'],
] as const

/** The demo takes half a minute, so it runs in `npm run test:browser` alone. */
describe.each(inWholeRuns)('what the demo prints', () => {
  let open: OpenPage
  let out: string
  beforeAll(async () => {
    const args = ['demo', '--url', url, '--project', project, '--rounds', String(rounds), ...(rounds === 1 ? ['--tasks', '4'] : [])]
    const ended = await runCommandHere(args, { HEDDLE_API_KEY: apiKey })
    expect([ended.code, ended.note]).toEqual([0, expect.stringContaining('round   1')])
    out = ended.out
    open = await openPage({ height: 740 })
  }, 900_000)
  afterAll(() => open?.close())

  const addressOf = (name: string) => new RegExp(`^ +${name} +${url}(/\\S+)$`, 'm').exec(out)?.[1] ?? ''

  test.each(printed)('%s: its address opens the page it names', async (name, heading, text) => {
    await open.visit(addressOf(name))
    await expect.poll(() => open.page.getByRole('heading', { level: 1 }).textContent()).toMatch(heading)
    await expect.poll(() => open.page.textContent('main')).toContain(text)
  })

  test.each([
    ['evaluations', '2 of 2 runs kept', 'step', 'answer.reward'],
    ['training/jobs', rounds === 1 ? '1 of 1 job kept' : `${rounds} of ${rounds} jobs kept`, 'Trained for', 'reward'],
  ])('%s have their parameters and results as axes', async (path, kept, ...axes) => {
    await open.visit(`/${project}/${path}?view=axes`)
    await open.page.getByText(kept).waitFor()
    for (const axis of axes) await open.page.getByRole('button', { name: `Move ${axis} to the left` }).waitFor()
  })

  test('the picture of the README can be drawn again, as `.screenshots/trace-page.png`', async () => {
    await open.visit(addressOf('The same one after'))
    await open.page.getByRole('treeitem').last().click()
    await expect.poll(() => open.page.textContent('main')).toContain('User')
    await keepScreenshot(open.page, 'trace-page')
  })

  test.each([
    ['comparison', 'Both side by side', 'Difference from baseline'],
    ['training-job', 'The last training', 'Policy version'],
  ])('the picture %s of the README can be drawn again', async (picture, address, text) => {
    await open.visit(addressOf(address))
    await expect.poll(() => open.page.textContent('main')).toContain(text)
    await settle(open.page)
    await keepScreenshot(open.page, picture)
  })

  test('has an address for each page that is named, and no other', () => {
    const names = [...out.matchAll(new RegExp(`^ +(\\S.*?) +${url}/${project}/\\S+$`, 'gm'))].map(([, name]) => name)
    expect(names).toEqual(printed.map(([name]) => name))
  })
})
