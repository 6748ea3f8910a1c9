import { JsonText } from '@heddle/core-api/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectRefs } from './collect-refs.ts'

const ref = 'weave:///acme/demo/object/café:v1'

test.each<[string, unknown, string[]]>([
  ['a text', ref, [ref]],
  ['members and elements, each once', { a: [ref, { b: ref }] }, [ref]],
  ['a text that only begins like one', 'weave:///acme', []],
  ['a reference within other text', `see ${ref}`, []],
  ['a text that is JSON', { a: JSON.stringify({ b: ref }) }, [ref]],
  ['a text that is JSON in a text that is JSON', JSON.stringify([JSON.stringify([ref])]), [ref]],
  ['a ready text', { a: new JsonText(JSON.stringify([ref])) }, [ref]],
  ['a ready text in bytes', new JsonText(Buffer.from(JSON.stringify([ref]))), [ref]],
])('%s', (_, value, refs) => {
  expect(collectRefs(value)).toEqual(refs)
})

/** A text in JSON of which each character may be an escape. */
const written = (text: string) =>
  fc
    .array(fc.constantFrom('itself', 'escape', 'ESCAPE'), { minLength: text.length, maxLength: text.length })
    .map((forms) => `"${forms.map((form, index) => writeCharacter(text[index] as string, form)).join('')}"`)

function writeCharacter(character: string, form: string): string {
  const digits = character.charCodeAt(0).toString(16).padStart(4, '0')
  if (form === 'itself') return character
  return String.raw`\u${form === 'ESCAPE' ? digits.toUpperCase() : digits}`
}

test('a ready text counts as its value, whatever is escaped in it', () => {
  const text = fc.oneof(written(ref), written('Zoë über weave'), written('naïve'))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
      const json = `[${texts.join(',')}]`
      expect(collectRefs(new JsonText(Buffer.from(json)))).toEqual(collectRefs(JSON.parse(json)))
    }),
  )
})
