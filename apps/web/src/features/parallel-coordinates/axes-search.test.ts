import { expect, test } from 'vitest'
import { searchOf } from '../../lib/search.ts'
import { axesParams, maxAxes } from './axes-search.ts'

const none = { view: undefined, axes: undefined, ranges: undefined, colour: undefined }

test.each([
  [
    'a whole view',
    { view: 'axes', axes: ['a', 'b'], ranges: [{ axis: 'a', from: 1 }], colour: 'a' },
    { view: 'axes', axes: ['a', 'b'], ranges: [{ axis: 'a', from: 1 }], colour: 'a' },
  ],
  ['nothing', {}, none],
  ['an unknown view', { view: 'other' }, none],
  ['axes that are not a list of names', { axes: 'a' }, none],
  ['axes of which some are not names', { axes: [1, '', 'a', 'a', 'x'.repeat(201)] }, { ...none, axes: ['a'] }],
  ['ranges without an axis or an end', { ranges: [{ from: 1 }, { axis: 'a' }, 1, null] }, none],
  [
    'two ranges of an axis',
    {
      ranges: [
        { axis: 'a', to: 'x' },
        { axis: 'a', to: 'y' },
      ],
    },
    { ...none, ranges: [{ axis: 'a', to: 'x' }] },
  ],
  [
    'an end that is not a number',
    { ranges: [{ axis: 'a', from: Number.POSITIVE_INFINITY, to: 2 }] },
    { ...none, ranges: [{ axis: 'a', to: 2 }] },
  ],
])('%s is read', (_what, search, expected) => expect(searchOf(axesParams)(search)).toEqual(expected))

test('no more axes are read than are shown at once', () =>
  expect(searchOf(axesParams)({ axes: Array.from({ length: 20 }, (_, at) => `axis ${at}`) }).axes).toHaveLength(maxAxes))
