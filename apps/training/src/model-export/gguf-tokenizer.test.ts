import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import '@heddle/testing'
import { afterAll, expect, inject, test } from 'vitest'
import { openExport } from './export-files.ts'
import { writeFamily } from './testing/trained-families.ts'

const folder = mkdtempSync(join(inject('storesFolder'), 'gguf-tokenizer-'))
afterAll(() => rmSync(folder, { recursive: true }))
let models = 0

/** Exports a model as GGUF whose tokenizer.json has these changes; returns the header of the file as text. */
async function exportWith(changes: Record<string, unknown>): Promise<string> {
  const base = join(folder, `model-${++models}`)
  mkdirSync(base)
  writeFamily(base, 'llama')
  const path = join(base, 'tokenizer.json')
  const json = JSON.parse(readFileSync(path, 'utf8')) as { model: object }
  writeFileSync(path, JSON.stringify({ ...json, ...changes, model: { ...json.model, ...(changes['model'] as object) } }))
  const model = { name: 'team/project/agent', baseModel: 'small', step: 0, metrics: {}, job: null }
  const { files, close } = await openExport({ base, checkpoint: null, model, format: 'gguf', numbers: 'f16' })
  try {
    const gguf = files.find(({ name }) => name === 'model-f16.gguf')!
    for await (const part of gguf.content()) return Buffer.from(part).toString('latin1')
    return ''
  } finally {
    close()
  }
}

const bytes = { type: 'ByteLevel', add_prefix_space: false }
const merged = { merges: [['a', 'b']], vocab: { a: 0, b: 1, ab: 2 } }

test.each([
  ['a normalizer that changes letters', { normalizer: { type: 'Lowercase' } }, '"normalizer" "Lowercase" in tokenizer.json'],
  [
    'one in a sequence',
    { normalizer: { type: 'Sequence', normalizers: [{ type: 'NFC' }, { type: 'StripAccents' }] } },
    '"normalizer" "StripAccents" in tokenizer.json',
  ],
  ['BPE of characters', { model: { byte_fallback: true } }, '"model.byte_fallback" true in tokenizer.json'],
  [
    'a way of splitting without a name in llama.cpp',
    { model: merged, pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Punctuation' }, bytes] } },
    '"pre_tokenizer" in tokenizer.json',
  ],
])('%s is refused by its key', async (_, changes, message) => {
  await expect(exportWith(changes)).rejects.toThrow(message)
})

test.each([
  ['NFC, which Qwen has', { normalizer: { type: 'NFC' } }],
  ['an empty sequence', { normalizer: { type: 'Sequence', normalizers: [] } }],
])('%s is accepted as a normalizer', async (_, changes) => {
  expect(await exportWith({ ...changes, model: merged, pre_tokenizer: bytes })).toContain('tokenizer.ggml.pre')
})
