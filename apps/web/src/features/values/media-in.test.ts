import { expect, test } from 'vitest'
import { bytesOf, mediaIn } from './media-in.ts'

const png = `iVBORw0KGgo${'Aa0+'.repeat(200)}`
const wave = `UklGRiQAAABXQVZF${'Aa0+'.repeat(200)}`

test('bytes as text become words, and stand apart with their place, type and size', () => {
  const value = { images: [png, { url: `data:image/jpeg;base64,${png}` }], note: 'kept' }
  const { shown, media } = mediaIn(value, 'output')
  expect(shown).toEqual({ images: ['(608 bytes as base64)', { url: '(608 bytes as base64)' }], note: 'kept' })
  expect(media.map(({ path, type, bytes }) => [path, type, bytes])).toEqual([
    ['output.images.0', 'image/png', 608],
    ['output.images.1.url', 'image/png', 608],
  ])
  expect(mediaIn(wave, 'output').media).toMatchObject([{ type: 'audio/wav' }])
})

test.each([
  ['a short text', png.slice(0, 500)],
  ['a long text', 'Hello world, '.repeat(100)],
  ['a word that goes on', 'a'.repeat(5_000)],
  ['a vector image', `data:image/svg+xml,<svg>${' '.repeat(1_000)}</svg>`],
  ['a number', 7],
])('%s stays as it is', (_, value) => {
  const { shown, media } = mediaIn({ value }, 'inputs')
  expect([shown, media]).toEqual([{ value }, []])
})

test('images and sounds that are files are named, other files are not', () => {
  const value = { _type: 'CustomWeaveType', files: { 'image.png': 'abc', 'audio.wav': 'def', 'metadata.json': 'ghi' } }
  expect(mediaIn({ value }, 'inputs')).toEqual({
    shown: { value },
    media: [
      { path: 'inputs.value', type: 'image/png', source: { kind: 'file', name: 'image.png', digest: 'abc' } },
      { path: 'inputs.value', type: 'audio/wav', source: { kind: 'file', name: 'audio.wav', digest: 'def' } },
    ],
  })
})

test('base64 of addresses gives the same bytes', () => expect([...bytesOf('-_8')]).toEqual([...bytesOf('+/8=')]))
