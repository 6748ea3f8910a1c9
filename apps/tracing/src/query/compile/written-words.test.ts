import { JsonText } from '@heddle/core-api/internal'
import { setTextIndex, sql } from '@heddle/datastore'
import { startTestStores, type TestStores } from '@heddle/datastore/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findIds, insertCalls } from '../testing/call-store.ts'

const inputs: Record<string, string> = {
  plain: String.raw`{"text":"a needle in hay"}`,
  within: String.raw`{"text":"hayneedlehay"}`,
  key: String.raw`{"needle":1}`,
  'escaped letter': String.raw`{"text":"\u006eeedle in"}`,
  'escaped letters': String.raw`{"text":"\u006E\u0065\u0065\u0064\u006c\u0065 in"}`,
  'escaped otherwise': String.raw`{"text":"\u006eeed\u0061 \u001b[0m n\u0065ed"}`,
  'escaped break and letter': String.raw`{"text":"hay\u000An\u0065edle"}`,
  'escaped break': String.raw`{"text":"hay\u000aneedle"}`,
  'escaped control': String.raw`{"text":"hay\u001bneedle"}`,
  'after a break': String.raw`{"text":"hay\nneedle in"}`,
  'other letters': String.raw`{"text":"üneedleü"}`,
  'two lines': '{\n"text": "hay",\n"other": "needle in hay"\n}',
  'upper case': String.raw`{"text":"NEEDLE"}`,
  'parts apart': String.raw`{"text":"need le"}`,
  number: String.raw`{"text":1.5e3}`,
  hay: String.raw`{"text":"hay"}`,
}

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
  const calls = Object.entries(inputs).map(([id, text]) => ({ id, inputs: new JsonText(text) }))
  await insertCalls(stores.analytical, [...calls, { id: 'changed', inputs: { text: 'needle' }, version: 1n }])
  await stores.analytical.rows(sql`SELECT 1 AS one`)
  await insertCalls(stores.analytical, [{ id: 'changed', inputs: { text: 'hay' }, version: 2n }])
})
afterAll(() => stores.close())

async function holding(path: string, substr: string, options: { case_insensitive?: boolean; not?: boolean } = {}): Promise<string[]> {
  const $contains = { input: { $getField: path }, substr: { $literal: substr }, case_insensitive: options.case_insensitive ?? false }
  const found = await findIds(stores.analytical, { query: { $expr: options.not ? { $not: [{ $contains }] } : { $contains } } })
  return found.sort()
}

const all = [...Object.keys(inputs), 'changed']
const except = (...left: string[]) => all.filter((id) => !left.includes(id)).sort()
/** Those without the word. */
const without = ['upper case', 'parts apart', 'escaped otherwise', 'number', 'hay', 'changed']
const clauses: [string, string, string[]][] = [
  ['inputs', 'needle', except(...without)],
  ['inputs.text', 'needle', except('key', 'two lines', ...without)],
  ['inputs.text', 'needle in', ['after a break', 'escaped letter', 'escaped letters', 'plain'].sort()],
  ['inputs.text', '\nneedle', ['after a break', 'escaped break', 'escaped break and letter'].sort()],
  ['inputs.text', 'need le', ['parts apart']],
  ['inputs.text', '1500', ['number']],
  ['inputs.text', 'nothing of it', []],
  ['inputs', '', all.toSorted()],
  // The engine writes the whole text again: a break as a letter after a backslash, a control character with its number.
  ['inputs', 'nneedle', ['after a break', 'escaped break', 'escaped break and letter'].sort()],
  ['inputs', String.raw`hay\nneedle`, ['after a break', 'escaped break', 'escaped break and letter'].sort()],
  ['inputs', '01Bneedle', ['escaped control']],
  ['inputs.text', 'escaped', []],
  ['inputs.text', 'needa', ['escaped otherwise']],
  ['inputs.text', 'Needle 15', []],
]

for (const isIndexed of [false, true]) {
  test(`texts are found whatever the form in which they were sent, ${isIndexed ? 'with' : 'without'} the index of words`, async () => {
    await setTextIndex({ ...stores, kind: 'embedded', isOn: isIndexed })
    for (const [path, substr, found] of clauses) expect.soft(await holding(path, substr), `${path} contains ${substr}`).toEqual(found)
    expect(await holding('inputs', 'needle', { not: true })).toEqual(without.toSorted())
    expect(await holding('inputs.text', 'needle', { case_insensitive: true })).toContain('upper case')
  })
}
