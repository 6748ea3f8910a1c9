import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { modelFiles, modelShapes } from './model-files.ts'
import { specialTokenId, specialTokens, vocabularySize } from './special-tokens.ts'
import { tokenizerJson } from './tokenizer-json.ts'

const baseModels = new URL('../../base-models/', import.meta.url)

describe.each(readdirSync(baseModels))('the folder of %s', (id) => {
  const shape = modelShapes[id]
  if (!shape) throw new Error(`${id} ships without being one of ours`)
  test.each(Object.entries(modelFiles(shape)))('holds %s as it is generated', (name, text) => {
    expect(readFileSync(new URL(`${id}/${name}`, baseModels), 'utf8')).toBe(text)
  })
})

test('every id of the vocabulary has exactly one token', () => {
  const { model, added_tokens } = tokenizerJson() as {
    model: { vocab: Record<string, number> }
    added_tokens: { id: number; content: string }[]
  }
  const ids = [...Object.values(model.vocab), ...added_tokens.map(({ id }) => id)].toSorted((a, b) => a - b)
  expect(ids).toEqual(Array.from({ length: vocabularySize }, (_, id) => id))
  expect(new Set([...Object.keys(model.vocab), ...added_tokens.map(({ content }) => content)]).size).toBe(vocabularySize)
  expect(specialTokens.map(specialTokenId)).toEqual(added_tokens.slice(0, specialTokens.length).map(({ id }) => id))
})

test('a printable byte is written as itself and any other as a visible character', () => {
  const { model } = tokenizerJson() as { model: { vocab: Record<string, number> } }
  expect(model.vocab).toMatchObject({ A: 0x41, '~': 0x7e, Ġ: 0x20, Ċ: 0x0a, Ā: 0 })
})
