import { expect, test } from 'vitest'
import { layoutGraph, nodeSize } from './layout-graph.ts'

const node = (name: string) => ({ name, calls: 1, failed: 0, totalMs: 1, first: name })
const edge = (from: string, to: string) => ({ from, to, calls: 1 })

test('who calls stands left of what it calls, and no box lies on another', () => {
  const names = ['agent', 'plan', 'tools', 'find', 'read', 'model']
  const edges = [edge('agent', 'plan'), edge('agent', 'tools'), edge('tools', 'find'), edge('tools', 'read'), edge('plan', 'model')]
  const { nodes, width, height } = layoutGraph({ nodes: names.map(node), edges })
  const at = (name: string) => nodes.find((one) => one.name === name)!
  for (const { from, to } of edges) expect(at(from).x).toBeLessThan(at(to).x)
  for (const [place, one] of nodes.entries()) {
    expect(one.x + nodeSize.width / 2).toBeLessThanOrEqual(width)
    expect(one.y + nodeSize.height / 2).toBeLessThanOrEqual(height)
    for (const other of nodes.slice(place + 1)) {
      const isApart = Math.abs(one.x - other.x) >= nodeSize.width || Math.abs(one.y - other.y) >= nodeSize.height
      expect([one.name, other.name, isApart]).toEqual([one.name, other.name, true])
    }
  }
})

test('names that call each other, themselves or nobody have lines and places', () => {
  const { nodes, edges } = layoutGraph({ nodes: ['a', 'b', 'alone'].map(node), edges: [edge('a', 'b'), edge('b', 'a'), edge('a', 'a')] })
  for (const { x, y } of nodes) expect([Number.isFinite(x), Number.isFinite(y)]).toEqual([true, true])
  for (const { path, middle } of edges) {
    expect(path).toMatch(/^M[\d.,]+[CQL]/)
    expect(path).not.toContain('NaN')
    expect(Number.isFinite(middle.x + middle.y)).toBe(true)
  }
})

test('names that mean something to an object are names', () => {
  const names = ['__proto__', 'constructor', 'toString', '']
  const edges = names.slice(1).map((to) => edge('__proto__', to))
  const { nodes } = layoutGraph({ nodes: names.map(node), edges })
  expect(nodes.map(({ name }) => name)).toEqual(names)
  expect(nodes.every(({ x, y }) => Number.isFinite(x + y))).toBe(true)
})

test('of no names the drawing is empty', () =>
  expect(layoutGraph({ nodes: [], edges: [] })).toMatchObject({ nodes: [], edges: [], width: 0 }))
