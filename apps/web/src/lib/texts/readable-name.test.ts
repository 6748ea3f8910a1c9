import { expect, test } from 'vitest'
import { readableName } from './readable-name.ts'

test.each([
  ['look up', 'look up'],
  ['🙂', '🙂'],
  ['', 'no readable name'],
  [' \n\u00a0', 'no readable name'],
  ['\u200b\u202e\u0000', 'no readable name'],
  ['\u202egnp.exe\u202c', 'gnp.exe'],
  ['a\u2066b\u2067c\u2068d\u2069e\u200ef\u200fg\u061ch', 'abcdefgh'],
  ['שלום עולם', 'שלום עולם'],
])('the name %j is shown as %s', (name, shown) => expect(readableName(name)).toBe(shown))
