import { expect, test } from 'vitest'
import { opVersionOf } from './op-version.ts'

test.each([
  ['weave:///e/p/op/answer:abcdefghij', { name: 'answer', digest: 'abcdefghij', short: 'abcdefg' }],
  ['weave:///e/other/op/answer:abcdefghij', undefined],
  ['weave:///e/p/object/answer:abcdefghij', undefined],
  ['weave:///e/p/op/', undefined],
  ['answer', undefined],
])('%s names the version %j', (op_name, version) => expect(opVersionOf({ op_name, project_id: 'e/p' })).toEqual(version))
