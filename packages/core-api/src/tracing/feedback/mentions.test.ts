import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMention, mentionedIn, readNote } from './mentions.ts'

const numRuns = 1_000
/** Texts in which the characters of the form are frequent. */
const hostile = (maxLength: number) =>
  fc.string({
    unit: fc.oneof(fc.constantFrom('@', '[', ']', '\\', '"', ' ', 'a', 'n'), fc.string({ minLength: 1, maxLength: 1, unit: 'binary' })),
    maxLength,
  })
const name = hostile(128)
  .map((text) => [...text.replaceAll(/\p{Cc}/gu, '')].slice(0, 128).join(''))
  .filter((text) => text !== '')

test.each([
  ['@[ann] is this right?', ['ann']],
  ['Thanks @[Ada Lovelace], and @[bob]: @[bob]', ['Ada Lovelace', 'bob']],
  [String.raw`@[a\[b\]\\c]`, [String.raw`a[b]\c`]],
  ['@ann, ann@[host', []],
  ['@[] @[a\nb] @[a[b] @[a\\b]', []],
  [`@[${'x'.repeat(129)}]`, []],
])('%j mentions %j', (note, names) => expect(mentionedIn(note)).toEqual(names))

test('a mention is plain text with the name in it', () => {
  expect(formatMention('Ada Lovelace')).toBe('@[Ada Lovelace]')
  expect(readNote('Ask @[ann]!')).toEqual([{ text: 'Ask ' }, { text: '@[ann]', mention: 'ann' }, { text: '!' }])
})

test('whatever a name holds, it is read as it was written, and stands alone in its note', () => {
  fc.assert(
    fc.property(name, (user) => {
      expect(readNote(formatMention(user))).toEqual([{ text: formatMention(user), mention: user }])
    }),
    { numRuns },
  )
})

test('no character of a note is lost', () => {
  fc.assert(
    fc.property(hostile(200), (note) => {
      expect(
        readNote(note)
          .map(({ text }) => text)
          .join(''),
      ).toBe(note)
    }),
    { numRuns },
  )
})

test('a note contains a mention exactly where it is read as one, whatever stands before and behind', () => {
  const note = fc.array(fc.oneof(hostile(8), name.map(formatMention)), { maxLength: 6 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(note, name, hostile(4), (text, user, behind) => {
      const whole = `${text}${formatMention(user)}${behind}`
      expect(mentionedIn(whole)).toContain(user)
      for (const other of [user.slice(0, -1), `${user}a`, behind].filter((each) => each !== ''))
        expect(mentionedIn(whole).includes(other)).toBe(whole.includes(formatMention(other)) && isName(other))
    }),
    { numRuns },
  )
})

const isName = (text: string) => mentionedIn(formatMention(text)).includes(text)
