import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadTokenizer } from './load-tokenizer.ts'

/** Recorded from the reference implementation by `rust-tokenizers.py` beside it. */
const { tokenizer, texts, cases } = JSON.parse(readFileSync(new URL('vectors/rust-tokenizers.json', import.meta.url), 'utf8')) as {
  tokenizer: Record<string, unknown>
  texts: string[]
  cases: { name: string; pre_tokenizer: unknown; normalizer: unknown; ids: number[][]; decoded: string[] }[]
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-reference-'))
  await writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify({ chat_template: '{{ messages[0].content }}' }))
})
afterAll(() => rm(folder, { recursive: true }))

describe.each(cases)('$name', ({ pre_tokenizer, normalizer, ids, decoded }) => {
  test('makes the tokens of the reference implementation, and their text again', async () => {
    await writeFile(join(folder, 'tokenizer.json'), JSON.stringify({ ...tokenizer, pre_tokenizer, normalizer }))
    const { encode, decode } = await loadTokenizer(folder)
    const differing = texts.flatMap((text, at) => {
      const tokens = [...encode(text)]
      const same = JSON.stringify(tokens) === JSON.stringify(ids[at]) && decode(tokens) === decoded[at]
      return same ? [] : [{ text, tokens, expected: ids[at], decoded: decode(tokens), expectedText: decoded[at] }]
    })
    expect(differing).toEqual([])
  })
})
