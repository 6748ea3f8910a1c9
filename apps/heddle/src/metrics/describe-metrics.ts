import { alignTable } from '../settings/align-table.ts'
import { type MetricDeclaration, metricKeys, metrics } from './declarations.ts'

/** The list of metrics in the documentation, as a Markdown table. */
export function metricsTable(): string {
  const rows = metricKeys.map((key) => {
    const { name, type, labels, help }: MetricDeclaration = metrics[key]
    return [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), help]
  })
  return alignTable([['metric', 'type', 'labels', 'meaning'], ...rows])
}
