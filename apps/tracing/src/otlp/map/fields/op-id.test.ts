import { expect, test } from 'vitest'
import { toOpId } from './op-id.ts'

test.each([
  ['OpenAI Chat Completions', 'openai_chat_completions'],
  ['POST /v1/chat:complete <x>', 'post__v1_chatcomplete_x'],
  ['ai.generateText.doGenerate', 'ai.generatetext.dogenerate'],
  ['Größe 価格', 'größe_価格'],
  ['a-b_c.d', 'a-b_c.d'],
  ['', 'unknown'],
  ['???', 'unknown'],
  ['b'.repeat(128), 'b'.repeat(128)],
])('%s is %s', (name, id) => {
  expect(toOpId(name)).toBe(id)
})

test.each([
  ['a long word is cut', 'a'.repeat(129), /^a{123}[0-9a-f]{4}$/],
  ['a long first part is cut', `${'a'.repeat(124)} bcdef`, /^a{123}[0-9a-f]{4}$/],
  ['parts are kept while they fit', `${'segment/'.repeat(30)}end`, /^(?:segment_){14}segment[0-9a-f]{4}$/],
  ['delimiters at the end go', `${'p'.repeat(90)}${'.'.repeat(60)}`, /^p{90}[0-9a-f]{4}$/],
  ['characters beyond the basic plane count once', '𝒳'.repeat(129), /^(?:𝒳){123}[0-9a-f]{4}$/u],
])('%s and the hash of the whole name added', (_name, name, id) => {
  expect(toOpId(name)).toMatch(id)
  expect(toOpId(`${name}x`)).not.toBe(toOpId(name))
})

test('no id is longer than 128 characters', () => {
  expect(Array.from(toOpId('İ'.repeat(128))).length).toBeLessThanOrEqual(128)
})

test('a very long name takes no longer than its length', () => {
  expect(toOpId('a b'.repeat(2_000_000))).toHaveLength(125)
})
