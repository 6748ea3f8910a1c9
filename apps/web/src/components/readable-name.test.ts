import { expect, test } from 'vitest'
import { readableName } from './readable-name.ts'

test.each([
  ['look up', 'look up'],
  ['🙂', '🙂'],
  ['', 'no readable name'],
  [' \n\u00a0', 'no readable name'],
  ['\u200b\u202e\u0000', 'no readable name'],
])('the name %j is shown as %s', (name, shown) => expect(readableName(name)).toBe(shown))
