import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPrices } from '../doctor/check-prices.ts'
import { readPrices } from './prices-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-prices-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function aFile(text: string): Promise<string> {
  const path = join(folder, 'prices.json')
  await writeFile(path, text)
  return path
}

const head = { about: 'a', sources: [{ kind: 'k', name: 'n', date: '2026-11-01' }], date: '2026-11-01', currency: 'USD' }
const price = { provider_id: 'p', models: ['m'], effective_date: '2026-11-01', prompt_token_cost: 1, completion_token_cost: 2 }

test('without a file the prices are those that come with the server', async () => {
  expect(await readPrices({ pricesFile: undefined })).toBeUndefined()
  expect(await checkPrices({ pricesFile: undefined })).toMatchObject({ state: 'ok' })
})

test('a file replaces them', async () => {
  const pricesFile = await aFile(JSON.stringify({ ...head, prices: [price] }))
  expect(await readPrices({ pricesFile })).toMatchObject([{ llm_id: 'm', pricing_level: 'default', prompt_token_cost: 1 }])
  expect(await checkPrices({ pricesFile })).toMatchObject({ state: 'ok', detail: `1 from ${pricesFile}` })
})

test.each([
  ['is not JSON', '{'],
  ['is not a list of prices', '[]'],
  ['has a price without a number', JSON.stringify({ ...head, prices: [{ ...price, prompt_token_cost: null }] })],
])('a file that %s is named with its fault, and so by the doctor', async (_, text) => {
  const pricesFile = await aFile(text)
  await expect(readPrices({ pricesFile })).rejects.toMatchObject({ name: 'UsageError', message: expect.stringContaining(pricesFile) })
  expect(await checkPrices({ pricesFile })).toMatchObject({ state: 'failure', detail: expect.stringContaining(pricesFile) })
})

test('a file that is not there is named', async () => {
  const pricesFile = join(folder, 'nowhere.json')
  await expect(readPrices({ pricesFile })).rejects.toMatchObject({ name: 'UsageError', message: expect.stringContaining('nowhere.json') })
})
