import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { haveSameVocabulary } from './same-vocabulary.ts'
import { writeByteTokenizer } from './testing/write-byte-tokenizer.ts'

type Json = { model: { vocab: Record<string, number> }; added_tokens: { id: number; content: string }[] }

async function aFolder(change: (json: Json) => void = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'vocabulary-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeByteTokenizer(folder)
  const path = join(folder, 'tokenizer.json')
  const json = JSON.parse(await readFile(path, 'utf8')) as Json
  change(json)
  await writeFile(path, JSON.stringify(json, null, 2))
  return folder
}

test('vocabularies are the same where each id means the same text, however the file is written', async () => {
  const folder = await aFolder()
  expect(await haveSameVocabulary(folder, folder)).toBe(true)
  expect(await haveSameVocabulary(folder, await aFolder((json) => json.added_tokens.reverse()))).toBe(true)
})

test.each<[string, (json: Json) => void]>([
  ['another text of a token', ({ model: { vocab } }) => ([vocab['a'], vocab['b']] = [vocab['b']!, vocab['a']!])],
  ['a token more', (json) => json.added_tokens.push({ id: 5_000, content: '<more>' })],
  ['another text of an added token', (json) => (json.added_tokens[0]!.content = '<other>')],
])('vocabularies differ by %s', async (_, change) => {
  expect(await haveSameVocabulary(await aFolder(), await aFolder(change))).toBe(false)
})

test('lists of texts with scores are vocabularies, too', async () => {
  const list = (...texts: string[]) => aFolder((json) => Object.assign(json.model, { vocab: texts.map((text) => [text, 0]) }))
  expect(await haveSameVocabulary(await list('a', 'b'), await list('a', 'b'))).toBe(true)
  expect(await haveSameVocabulary(await list('a', 'b'), await list('b', 'a'))).toBe(false)
})
