import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import { expect, inject, test } from 'vitest'
import { chooseOption } from './testing/choose-option.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing, json: { parse: parseExactJson, stringify: stringifyJson } })

/** The rows of the latest version of a dataset, as they are stored. */
async function storedRows(project_id: string, name: string): Promise<string> {
  const { objs } = await client.objects.query({ project_id, filter: { object_ids: [name], latest_only: true } })
  const digest = /([^/]+)$/.exec(String(Object(objs[0]?.val)['rows']))?.[1] ?? ''
  const { rows } = await client.tables.query({ project_id, digest })
  return stringifyJson(rows.map(({ val }) => val))
}

test.each(inWholeRuns)('numbers of JSON lines are shown, edited and stored as they are written', async () => {
  const project = `test/${randomUUID()}`
  const lines = [
    '{"tweet_id":1234567890123456789,"score":1.0}',
    '{"tweet_id":1234567890123456790,"score":0.50}',
    '{"tweet_id":-0,"score":1e400}',
  ]
  await withPage(async ({ page, visit }) => {
    await visit(`/${project}/datasets`)
    await page.getByRole('button', { name: 'Import dataset' }).click()
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'tweets.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(lines.join('\n')) })
    await page.getByRole('region', { name: 'First rows of the file' }).getByText('1234567890123456789').waitFor()
    await page.getByRole('button', { name: 'Import 3 rows' }).click()
    await page.waitForURL('**/datasets/tweets**')
    await page.getByRole('gridcell', { name: '1234567890123456789', exact: true }).click()
    await page.getByRole('dialog', { name: 'Row 0' }).waitFor()
    expect(await storedRows(project, 'tweets')).toBe(`[${lines.join(',')}]`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const text = page.getByLabel('Row as JSON')
    expect(await text.inputValue()).toBe('{\n  "tweet_id": 1234567890123456789,\n  "score": 1.0\n}')
    await text.fill('{"tweet_id": 12345678901234567890, "score": 2.0}')
    await page.getByRole('button', { name: 'Change row' }).click()
    await page.getByRole('button', { name: 'Save as v1' }).click()
    await page.waitForURL('**version=**')
    await expect
      .poll(() => storedRows(project, 'tweets'))
      .toBe(`[{"tweet_id":12345678901234567890,"score":2.0},${lines.slice(1).join(',')}]`)
  })
})

test.each(inWholeRuns)('how a CSV file is read is detected, shown, and can be changed before it is imported', async () => {
  const project = `test/${randomUUID()}`
  const western = Buffer.from('id;question\r\n1;Gr\u00f6\u00dfe \u0093x\u0094 y\r\n', 'latin1')
  await withPage(async ({ page, visit }) => {
    await visit(`/${project}/datasets`)
    const openImport = () => page.getByRole('button', { name: 'Import dataset' }).click()
    const choose = (name: string, buffer: Buffer) => page.getByLabel('File').setInputFiles({ name, mimeType: 'text/csv', buffer })
    const readAs = () => Promise.all(['Encoding', 'Separator'].map((name) => page.getByRole('combobox', { name }).textContent()))
    const first = page.getByRole('region', { name: 'First rows of the file' })

    await openImport()
    await choose('sizes.csv', western)
    await first.getByText('Größe “x” y').waitFor()
    expect(await readAs()).toEqual(['Windows-1252 or Latin-1 (Western European)', 'Semicolon'])
    expect(await findViolations(page)).toEqual([])
    await chooseOption(page, 'Encoding', 'UTF-8')
    await page.getByText('4 characters are not valid in this encoding').waitFor()
    await chooseOption(page, 'Encoding', 'Windows-1252 or Latin-1 (Western European)')
    await chooseOption(page, 'Separator', 'Comma')
    await first.getByRole('columnheader', { name: 'id;question' }).waitFor()
    await chooseOption(page, 'Separator', 'Semicolon')
    await first.getByRole('columnheader', { name: 'question', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.waitForURL('**/datasets/sizes**')
    expect(await storedRows(project, 'sizes')).toBe('[{"id":"1","question":"Größe “x” y"}]')

    await visit(`/${project}/datasets`)
    await openImport()
    await choose('column.csv', Buffer.from('\uFEFFquestion\nWhat is a; b; c?\n', 'utf16le'))
    await first.getByText('What is a; b; c?').waitFor()
    expect(await readAs()).toEqual(['UTF-16, little-endian', 'None: one column'])
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.waitForURL('**/datasets/column**')
    expect(await storedRows(project, 'column')).toBe('[{"question":"What is a; b; c?"}]')
  })
})

test('rows are changed, removed and added by keyboard, marked until they are saved, and compared with the version before', async () => {
  const project = `test/${randomUUID()}`
  const [entity = '', name = ''] = project.split('/')
  const rows = Array.from({ length: 6 }, (_, at) => ({ question: `Question ${at}`, weight: at }))
  await client.datasets.create({ entity, project: name, name: 'edited', rows } as Parameters<typeof client.datasets.create>[0])
  await withPage(async ({ page, visit }) => {
    await visit(`/${project}/datasets/edited`)
    const grid = page.getByRole('grid', { name: 'Rows' })
    await grid.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByRole('dialog', { name: 'Row 1' }).waitFor()
    await page.keyboard.press('ArrowDown')
    const panel = page.getByRole('dialog', { name: 'Row 2' })
    await panel.getByRole('button', { name: 'Remove row' }).click()
    await grid.getByRole('img', { name: 'Removed and not saved' }).waitFor()
    await grid.getByText('Question 0').click()
    const first = page.getByRole('dialog', { name: 'Row 0' })
    await first.getByRole('button', { name: 'Edit' }).click()
    await first.getByLabel('Row as JSON').fill('{"question": "Changed", "weight": 9}')
    await first.getByRole('button', { name: 'Change row' }).click()
    await page.getByText('2 unsaved changes').waitFor()
    await page.getByRole('button', { name: 'Add rows' }).click()
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'more.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from('{"question":"Added","weight":1}') })
    await page.getByRole('button', { name: 'Add 1 row' }).click()
    await grid.getByRole('img', { name: 'Added and not saved' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save as v1' }).click()
    await page.waitForURL('**version=**')
    await page.getByRole('radio', { name: 'Changed since v0' }).waitFor()
    await grid.getByRole('img', { name: 'Changed in this version' }).first().waitFor()
  })
  expect(JSON.parse(await storedRows(project, 'edited'))).toEqual([
    { question: 'Changed', weight: 9 },
    rows[1],
    ...rows.slice(3),
    { question: 'Added', weight: 1 },
  ])
})
