import { intervalText, numberText } from '../../../lib/texts/number-text.ts'
import { type MatrixRow, spreadInCell, valuesInRow } from '../compared-runs.ts'
import type { MeasuredColumn } from '../intervals/measured-columns.ts'
import { differenceText, signedText } from '../measure-text.ts'
import type { ExportedMatrix } from './exported-matrix.ts'
import { toText } from '../../../lib/texts/to-text.ts'

/** Rows of a page; CSV and JSON hold all. */
const maxRows = 2_000

const style = `:root{color-scheme:light dark;font:14px/1.45 system-ui,sans-serif}
body{margin:1.5rem}table{border-collapse:collapse;margin:1rem 0}th,td{border:1px solid #8886;padding:.3rem .5rem;text-align:left;vertical-align:top}
td.n{text-align:right;white-space:nowrap}pre{max-width:32rem;max-height:16rem;overflow:auto;margin:0;white-space:pre-wrap;overflow-wrap:anywhere}`

/** One page that holds everything it shows: no script, and nothing that is loaded from elsewhere. */
export function toHtml(matrix: ExportedMatrix, title: string, writtenAt: string): string {
  const { project, runs, labels, rows, words } = matrix
  const left = rows.length - maxRows
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>Project ${escaped(project)}, written ${escaped(writtenAt)}.</p>
<ul>${runs.map((run, at) => `<li>${at + 1}. ${escaped(labels[at] ?? '')}: model ${escaped(run.model ?? 'not named')}, ${run.status}, started ${escaped(run.started_at)}, id ${escaped(run.id)}</li>`).join('')}</ul>
${words === undefined ? '' : `<p>${escaped(words)}</p>`}
${measureTable(matrix)}
<h2>${rows.length.toLocaleString('en')} rows</h2>
${left > 0 ? `<p>The first ${maxRows.toLocaleString('en')} are here; ${left.toLocaleString('en')} are left out.</p>` : ''}
<table><thead><tr><th>Row</th>${labels.map((label, at) => `<th>${at + 1}. ${escaped(label)}</th>${matrix.compared.names.map((name) => `<th>${escaped(name)}</th>`).join('')}`).join('')}</tr></thead>
<tbody>
${rows
  .slice(0, maxRows)
  .map((row) => tableRow(matrix, row))
  .join('\n')}
</tbody></table>
</body>
</html>
`
}

function measureTable({ compared, labels, columns }: ExportedMatrix): string {
  const head = labels.map((label, at) => `<th>${at + 1}. ${escaped(label)}</th>`).join('')
  const body = compared.names.map((name) => {
    const cells = labels.map((_, at) => `<td>${measureCell(name, columns?.get(name)?.[at])}</td>`)
    return `<tr><th>${escaped(name)}</th>${cells.join('')}</tr>`
  })
  return `<h2>Means over rows, with 95% intervals</h2>
<table><thead><tr><th>Measure</th>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table>`
}

function measureCell(name: string, column: MeasuredColumn | undefined): string {
  if (!column?.mean) return 'no value'
  const { mean, comparison, isRate } = column
  const own = `${numberText(mean.value, isRate)} (${intervalText(mean.interval, isRate)})`
  if (!comparison) return escaped(own)
  const { value, interval } = comparison.difference
  const ends = interval ? `${signedText(name, interval.low, isRate)} to ${signedText(name, interval.high, isRate)}` : 'no interval'
  return `${escaped(own)}<br>${escaped(`${differenceText(name, value, isRate)} (${ends}), ${comparison.paired_rows} rows in both`)}`
}

function tableRow({ compared, labels }: ExportedMatrix, { row, cells, place }: MatrixRow): string {
  const ofRuns = labels.map((_, at) => {
    const output = cells[at]?.trials.find(({ model_output }) => model_output !== null)?.model_output
    const shown = cells[at] === undefined ? 'not in this run' : output === undefined ? 'no output' : toText(output)
    const measures = compared.names.map((name) => {
      const value = valuesInRow(compared.runs, name, place)[at] ?? Number.NaN
      const isRate = compared.runs[at]?.measures.get(name)?.isRate ?? false
      const spread = spreadInCell(cells[at], name)
      const folded = spread ? ` ± ${numberText(spread.deviation, isRate)} (n ${spread.count})` : ''
      return `<td class="n">${escaped(numberText(value, isRate) + folded)}</td>`
    })
    return `<td><pre>${escaped(shown)}</pre></td>${measures.join('')}`
  })
  return `<tr><td><pre>${escaped(toText(row.raw_data_row))}</pre></td>${ofRuns.join('')}</tr>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
