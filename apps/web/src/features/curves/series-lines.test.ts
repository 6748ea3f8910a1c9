import { expect, test } from 'vitest'
import { drawSeries } from './series-lines.ts'

const points = [4, 2, 8, 0].map((value, at) => ({ step: at + 1, at: `2026-01-02T03:04:0${at}Z`, value }))
const series = [{ label: 'this', points }]

test('a series has its points at their steps, and an average over them', () => {
  const { lines, range } = drawSeries(series, { smooth: 0.5 })
  expect(lines).toMatchObject([{ name: 'this', values: [4, 2, 8, 0], places: [1, 2, 3, 4] }])
  expect(lines[0]?.smooth?.[1]).toBeCloseTo(8 / 3)
  expect(range).toEqual({ low: 0, high: 8, leftOut: 0 })
})

test('without smoothing, and with few values, there is no average', () => {
  expect(drawSeries(series, { smooth: 0 }).lines[0]).not.toHaveProperty('smooth')
  expect(drawSeries([{ label: 'this', points: points.slice(0, 2) }], {}).lines[0]).not.toHaveProperty('smooth')
})

test('only the part of the axis that the address names is drawn, by steps or by time', () => {
  expect(drawSeries(series, { from: 2, to: 3 }).lines[0]?.values).toEqual([2, 8])
  expect(drawSeries(series, { axis: 'relative', from: 2 }).lines[0]?.places).toEqual([2, 3])
  expect(drawSeries(series, { from: 9 })).toEqual({ lines: [], points: [], range: undefined })
})

test('on a logarithmic scale values from 0 down stand at its lower edge', () => {
  const { lines, range } = drawSeries(series, { scale: 'log', smooth: 0 })
  expect(lines[0]?.values).toEqual([4, 2, 8, 2])
  expect(range).toEqual({ low: 2, high: 8, leftOut: 1 })
})

test('each series has a look of its own', () => {
  const looks = drawSeries([...series, { label: 'other', points }, { label: 'third', points }], {}).lines.map(
    ({ color, dash }) => `${color} ${dash}`,
  )
  expect(new Set(looks).size).toBe(3)
})
