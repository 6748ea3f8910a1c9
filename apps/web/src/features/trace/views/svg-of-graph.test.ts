import { expect, test } from 'vitest'
import { layoutGraph } from './layout-graph.ts'
import { svgOfGraph } from './svg-of-graph.ts'

const colors = { sheet: '#fff', line: '#999', text: '#000', quiet: '#666', failed: '#c00' }
const drawn = (...names: string[]) => {
  const nodes = names.map((name, at) => ({ name, calls: 2, failed: at, totalMs: 10, first: name }))
  const edges = names.slice(1).map((to) => ({ from: names[0]!, to, calls: 3 }))
  return svgOfGraph(layoutGraph({ nodes, edges }), { colors, nameOf: ({ name }) => name, factsOf: ({ calls }) => `${calls} calls` })
}

test('each name, its facts and the count of each line are in the file, and what failed is red', () => {
  const svg = drawn('agent', 'tool')
  for (const text of ['>agent<', '>tool<', '>2 calls<', '>3×<', 'stroke="#c00"']) expect(svg).toContain(text)
})

test('a hostile name stays text', () => {
  const svg = drawn('<script>a("&\')</script>', 'with \u0000 nothing')
  expect(svg).toContain('&lt;script&gt;a(&quot;&amp;&apos;)')
  expect(svg).not.toMatch(/<script|\u0000/)
})
