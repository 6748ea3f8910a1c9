import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callsSearch } from '../../../features/calls/calls-search.ts'
import { builtInViews, isShownAs, viewOf } from './saved-view.ts'
import { toSharedView, toViewObjectId, toViewValue } from './shared-view.ts'

const stored = (val: unknown) => ({ object_id: 'calls-view-x', wb_user_id: 'ada', val: val as never })
const valid = { name: 'Slow', view_type: 'heddle.calls', search: { sort: 'slowest' } }

test('a view is read as it was saved, with who saved it', () => {
  const search = {
    where: [{ path: 'inputs.n', operator: '>=' as const, value: 9 }],
    filter: 'output.value < 3',
    level: 'all' as const,
    columns: ['output.value'],
    hidden: ['Cost' as const],
    range: '7d' as const,
  }
  const wire: unknown = JSON.parse(JSON.stringify(toViewValue({ name: 'Größte Städte', search })))
  expect(toSharedView(stored(wire))).toMatchObject({ objectId: 'calls-view-x', savedBy: 'ada', name: 'Größte Städte', search })
})

test.each([
  ['no object', 'text'],
  ['null', null],
  ['a list', [valid]],
  ['a view of another program', { ...valid, view_type: 'traces' }],
  ['a view of no type', { name: 'Slow', search: {} }],
  ['no search', { ...valid, search: null }],
  ['a list as search', { ...valid, search: [] }],
  ['a search that is longer than any address', { ...valid, search: { filter: 'x'.repeat(60_000) } }],
  ['no name', { ...valid, name: undefined }],
  ['an empty name', { ...valid, name: ' ' }],
  ['a name that is too long', { ...valid, name: 'x'.repeat(61) }],
  ['a number as name', { ...valid, name: 3 }],
])('%s is not read as a view', (_, val) => {
  expect(toSharedView(stored(val))).toBeUndefined()
})

test('a view that would not be read again is not saved', () => {
  expect(() => toViewValue({ name: 'long', search: { filter: 'x'.repeat(60_000) } })).toThrow('at most 50,000 characters')
})

test('of a search the page takes what it knows', () => {
  const search = { sort: 'slowest', level: 3, where: [{ path: '' }, null], columns: 'all', __proto__x: 1, peek: 'c1' }
  expect(toSharedView(stored({ ...valid, search }))?.search).toEqual(viewOf(callsSearch({ sort: 'slowest' })))
})

test('no stored value breaks the reading', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (name, search) => {
      const view = toSharedView(stored({ ...valid, name, search }))
      expect(view === undefined || view.name === name).toBe(true)
    }),
  )
})

test.each(['Slow failures', 'Größte Städte/1:2', '\0\uD800 🐌', '-', 'x'.repeat(60)])(
  'the object of a view has a valid name, whatever the view is called: %j',
  (name) => {
    expect(toViewObjectId(name, '0123abcd')).toMatch(/^[\w.-]{1,128}$/)
  },
)

test('a view keeps what selects and shows, not the call that is looked at', () => {
  expect(viewOf({ status: 'error', peek: 'c1', tab: 'raw', live: 'on' })).toEqual({ status: 'error' })
})

test('the built-in views are addresses that the page reads', () => {
  for (const { search } of builtInViews) expect(callsSearch({ ...search })).toMatchObject(search)
})

test.each([
  ['All traces', { peek: 'c1', tab: 'raw' }],
  ['Errors', { status: 'error', live: 'on', sort: undefined }],
  [undefined, { text: 'refund' }],
] as const)('the view %j is the one of %j', (name, search) =>
  expect(builtInViews.find((view) => isShownAs(search, view.search))?.name).toBe(name),
)
