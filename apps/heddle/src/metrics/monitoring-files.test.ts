import { readFileSync } from 'node:fs'
import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type MetricDeclaration, metrics } from './declarations.ts'

const read = (name: string) => readFileSync(new URL(`../../deploy/monitoring/${name}`, import.meta.url), 'utf8')

interface Dashboard {
  panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[]
}
interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string>; labels: { severity: string } }[] }[]
}

const dashboard: Dashboard = JSON.parse(read('grafana-dashboard.json'))
const { groups }: Rules = parse(read('alert-rules.yaml'))
const rules = groups.flatMap((group) => group.rules)

const ofDashboard = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const))
const ofRules = rules.map(({ alert, expr }) => [alert, expr] as const)

const declared: ReadonlyMap<string, MetricDeclaration> = new Map(
  Object.values(metrics).flatMap((each: MetricDeclaration) =>
    each.type === 'histogram'
      ? ['_bucket', '_sum', '_count'].map((suffix) => [each.name + suffix, each] as const)
      : [[each.name, each] as const],
  ),
)
/** Labels that Prometheus adds to every metric, and to buckets. */
const addedLabels = ['instance', 'job', 'le']

/** The metrics and labels that a query names, and its syntax errors. */
function namesIn(expr: string): { metrics: string[]; labels: string[]; errors: number } {
  // Grafana replaces its variables before Prometheus reads the query.
  const text = expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*')
  const found = { metrics: [] as string[], labels: [] as string[], errors: 0 }
  const visit = (node: SyntaxNode) => {
    const own = text.slice(node.from, node.to)
    if (node.type.isError) found.errors += 1
    if (node.name === 'VectorSelector') found.metrics.push(/^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(own)?.[0] ?? own)
    if (node.name === 'LabelName') found.labels.push(own)
    for (let child = node.firstChild; child; child = child.nextSibling) visit(child)
  }
  visit(parser.parse(text).topNode)
  return found
}

test.each([...ofDashboard, ...ofRules])('the query of %s is valid, and names metrics and labels that the server has', (_of, expr) => {
  const { metrics: named, labels, errors } = namesIn(expr)
  expect(errors).toBe(0)
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name) => !declared.has(name))).toEqual([])
  const known = new Set([...addedLabels, ...named.flatMap((name) => declared.get(name)?.labels ?? [])])
  expect(labels.filter((label) => !known.has(label))).toEqual([])
})

test('a query of a metric that the server does not expose is found', () => {
  expect(namesIn('rate(heddle_gone_total{operation="x"}[5m]) > 1')).toEqual({
    metrics: ['heddle_gone_total'],
    labels: ['operation'],
    errors: 0,
  })
  expect(namesIn('sum(rate(heddle_ready[5m])').errors).toBeGreaterThan(0)
})

test('the dashboard shows every metric', () => {
  const shown = new Set(ofDashboard.flatMap(([, expr]) => namesIn(expr).metrics.map((name) => declared.get(name)?.name)))
  expect(Object.values(metrics).flatMap(({ name }) => (shown.has(name) ? [] : [name]))).toEqual([])
})

test('texts of the dashboard and of alerts name labels that their query keeps', () => {
  const texts = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr, legendFormat }) => [expr, legendFormat] as const)),
    ...rules.flatMap(({ expr, annotations }) => Object.values(annotations).map((text) => [expr, text] as const)),
  ]
  for (const [expr, text] of texts) {
    const { metrics: named } = namesIn(expr)
    const grouped = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ')
    const kept = grouped ?? [...addedLabels, ...named.flatMap((name) => declared.get(name)?.labels ?? [])]
    const asked = [...text.matchAll(/\{\{ ?(?:\$labels\.)?([a-z_]+) ?\}\}/g)].map(([, label]) => label)
    expect(asked.filter((label) => label !== undefined && !kept.includes(label))).toEqual([])
  }
})

test('every alert has a unique name, a severity, a summary and a description', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { labels, annotations } of rules) {
    expect(['warning', 'critical']).toContain(labels.severity)
    expect(Object.keys(annotations)).toEqual(['summary', 'description'])
  }
})
