import { expect, test } from 'vitest'
import type { AxisOffer, AxisRow } from './axis.ts'
import { axesView, withUniqueNames } from './axes-view.ts'

const offer = (id: string, name = id): AxisOffer => ({ id, name, group: 'all', text: String })
const rows: AxisRow[] = Array.from({ length: 40 }, (_, at) => ({
  id: String(at),
  name: `row ${at}`,
  values: new Map<string, number | string>([
    ['rate', at],
    ['kind', at % 2 === 0 ? 'even' : 'odd'],
    ['prompt', `prompt ${at}`],
  ]),
}))
const given = { offers: [offer('rate'), offer('kind'), offer('prompt')], rows, usual: ['kind', 'rate'] }
const idsOf = ({ axes }: ReturnType<typeof axesView>) => axes.map(({ id }) => id)

test('without a word in the address the usual axes are shown, and the last one colours the lines', () => {
  const view = axesView({}, given)
  expect([idsOf(view), view.colour?.id, view.notices]).toEqual([['kind', 'rate'], 'rate', []])
})

test('the axes of the address are shown in its order with their ranges and colour', () => {
  const range = { axis: 'rate', from: 3 }
  const view = axesView({ axes: ['rate', 'kind'], ranges: [range], colour: 'rate' }, given)
  expect([idsOf(view), view.axes[0]?.range, view.colour?.id, view.notices]).toEqual([['rate', 'kind'], range, 'rate', []])
})

test('an axis that is not there, a range of none and a colour of none are named', () => {
  const { notices } = axesView(
    {
      axes: ['rate', 'other'],
      ranges: [
        { axis: 'kind', from: 'even' },
        { axis: 'rate', from: 'x' },
      ],
      colour: 'kind',
    },
    given,
  )
  expect(notices).toEqual([
    'Unknown axis other.',
    'The range of kind is not used: no axis of it is shown, or its ends are not of its kind.',
    'The range of rate is not used: no axis of it is shown, or its ends are not of its kind.',
    'No axis kind is shown that could colour the lines.',
  ])
})

test('an axis of too many texts is not shown, with a notice where the address names it', () => {
  const view = axesView({ axes: ['rate', 'prompt'] }, given)
  expect([idsOf(view), view.notices]).toEqual([['rate'], ['prompt has 40 different texts; an axis shows at most 30.']])
})

test('axes of one name are called by their ids', () =>
  expect(withUniqueNames([offer('a.x', 'x'), offer('b.x', 'x'), offer('y')]).map(({ name }) => name)).toEqual(['a.x', 'b.x', 'y']))
