import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Chart, chartForms, consistent, measures, newChart } from '../../features/dashboard-charts/chart.ts'
import { templates } from './ready-made.ts'
import { type Dashboard, maxCharts, toDashboard, toDashboardValue } from './stored-dashboard.ts'

const groupings = ['model', 'op', 'user', 'thread'] as const
const chart = (id: string, part: Partial<Chart> = {}): Chart => ({ ...newChart(id), title: `Chart ${id}`, ...part })
const stored = (val: unknown) => ({
  object_id: 'dashboard-x',
  digest: 'd1',
  created_at: '2026-01-01T00:00:00Z',
  wb_user_id: 'ada',
  val: val as never,
})
const wire = (dashboard: Dashboard, basedOn: string | null = null): Record<string, unknown> =>
  JSON.parse(JSON.stringify(toDashboardValue(dashboard, basedOn))) as Record<string, unknown>
const valid = wire({ name: 'Mine', charts: [chart('a')], unread: [] })

const anyChart = fc
  .record({
    title: fc.string({ maxLength: 120 }),
    measure: fc.constantFrom(...measures.filter((measure) => measure !== 'feedback')),
    level: fc.constantFrom('roots' as const, 'all' as const),
    filter: fc.string({ maxLength: 200 }),
    by: fc.constantFrom(null, ...groupings),
    form: fc.constantFrom(...chartForms),
  })
  .map((part) => consistent(chart('a', part)))

test.each(templates)('the dashboard $name is read as it was saved, with who saved it', (template) => {
  expect(toDashboard(stored(wire(template)))).toEqual({
    ...template,
    objectId: 'dashboard-x',
    digest: 'd1',
    savedAt: '2026-01-01T00:00:00Z',
    savedBy: 'ada',
    isOtherForm: false,
  })
})

test('whatever a chart shows, it is read as it was saved', () => {
  fc.assert(
    fc.property(anyChart, (one) => {
      expect(toDashboard(stored(wire({ name: 'x', charts: [one], unread: [] })))?.charts).toEqual([one])
    }),
  )
  const feedback = { type: 'wandb.score', path: 'output.right', isRate: true }
  const one = chart('f', { measure: 'feedback', form: 'line', feedback })
  expect(toDashboard(stored(wire({ name: 'x', charts: [one], unread: [] })))?.charts).toEqual([one])
})

test.each([
  ['a text', 'text'],
  ['null', null],
  ['a list', [valid]],
  ['a value of another program', { ...valid, kind: 'other' }],
])('%s is no dashboard', (_, val) => expect(toDashboard(stored(val))).toBeUndefined())

test.each([
  ['no object', 3],
  ['no id', { ...chart('b'), id: '' }],
  ['no title', { ...chart('b'), title: undefined }],
  ['an unknown measure', { ...chart('b'), measure: 'joy' }],
  ['an unknown form', { ...chart('b'), form: 'pie' }],
  ['an unknown group', { ...chart('b'), by: 'weather' }],
  ['an unknown level', { ...chart('b'), level: 'some' }],
  ['a filter that is too long', { ...chart('b'), filter: 'x'.repeat(4_001) }],
  ['latency in stacked bars', { ...chart('b'), measure: 'latency_p95', by: 'op', form: 'bars' }],
  ['feedback without its value', { ...chart('b'), measure: 'feedback', form: 'line' }],
  ['the id of another chart', chart('a')],
])('a chart with %s is not shown, and is saved again as it was', (_, damaged) => {
  const read = toDashboard(stored({ ...valid, charts: [chart('a'), damaged, chart('c')] }))
  expect(read?.charts.map(({ id }) => id)).toEqual(['a', 'c'])
  expect(read?.unread).toEqual([damaged])
  expect(toDashboardValue(read!, 'd1').charts).toEqual([chart('a'), chart('c'), damaged])
})

test.each([
  ['a later form', 2],
  ['no form', undefined],
])('charts of %s are left alone', (_, form_version) => {
  expect(toDashboard(stored({ ...valid, form_version }))).toMatchObject({ name: 'Mine', isOtherForm: true, charts: [], unread: [] })
})

test('one without a name is called like its object', () => {
  expect(toDashboard(stored({ ...valid, name: ' ' }))?.name).toBe('dashboard-x')
})

test('charts beyond the most are kept, but not shown', () => {
  const charts = Array.from({ length: maxCharts + 3 }, (_, at) => chart(`c${at}`))
  const read = toDashboard(stored({ ...valid, charts }))
  expect([read?.charts.length, read?.unread.length]).toEqual([maxCharts, 3])
})

test('what would not be read again is refused', () => {
  const many = Array.from({ length: maxCharts + 1 }, (_, at) => chart(`c${at}`))
  expect(() => toDashboardValue({ name: ' ', charts: [], unread: [] }, null)).toThrow('1 to 100 characters')
  expect(() => toDashboardValue({ name: 'x'.repeat(101), charts: [], unread: [] }, null)).toThrow('1 to 100 characters')
  expect(() => toDashboardValue({ name: 'x', charts: many, unread: [] }, null)).toThrow('at most 20 charts')
})

test('no stored value breaks the reading', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (name, charts, form_version) => {
      expect(toDashboard(stored({ ...valid, name, charts, form_version }))).toBeDefined()
      expect(toDashboard(stored({ ...valid, name, charts }))?.charts.length).toBeLessThanOrEqual(maxCharts)
    }),
  )
})
