import { Link } from '@tanstack/react-router'
import { useProject } from '../../../lib/use-project.ts'
import { costText } from '../../../lib/texts/format-cost.ts'
import { addUp, type Counts, type ModelUsage } from '../../calls/model-usage.ts'
import { type ListColumn, ListTable } from '../../../ui/list-table.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { numberColumn } from '../../../ui/table/column-kinds.tsx'

interface Properties {
  own: readonly ModelUsage[]
  /** With the calls below it; undefined where they are not known. */
  below: readonly ModelUsage[] | undefined
}

interface Row {
  name: string
  note?: string
  usage: Counts
}

const columns: ListColumn<Row>[] = [
  {
    id: 'model',
    title: 'Model',
    cell: ({ name, note }) => (
      <span data-tip={`${name}${note ?? ''}`} data-cut="">
        <span className="mono">{name}</span>
        {note !== undefined && <span className="text-xs text-fg-3">{note}</span>}
      </span>
    ),
  },
  numberColumn('input', 'Input', '76px', ({ usage }) => usage.inputTokens),
  numberColumn('cached', 'Cached', '76px', ({ usage }) => usage.cachedTokens),
  numberColumn('output', 'Output', '76px', ({ usage }) => usage.outputTokens),
  { id: 'cost', title: 'Cost', width: '104px', align: 'right', cell: ({ usage }) => costText(usage.cost, usage.unpriced) },
]

/** Usage of a call and its cost, by model. */
export function CallCost({ own, below = [] }: Properties) {
  const project = useProject()
  if (own.length === 0 && below.length === 0) return <p className="p-4 text-fg-3">No tokens recorded</p>
  const shown = own.length > 0 ? own : below
  const rows = shown.map((usage): Row => {
    const notes = [usage.pricedAs && ` at the price of ${usage.pricedAs}`, usage.tier && ` (${usage.tier})`].filter(Boolean)
    return { name: usage.model, usage, ...(notes.length > 0 && { note: notes.join('') }) }
  })
  const all = shown.length > 1 ? [...rows, { name: 'Together', usage: shown.slice(1).reduce<Counts>(addUp, shown[0]!) }] : rows
  return (
    <div className="flex flex-col gap-3">
      <ListTable
        label="Tokens and cost by model"
        rows={all}
        columns={columns}
        rowId={({ name }) => name}
        rowHeight={36}
        minWidth={420}
        edge={false}
      />
      <div className="flex flex-col gap-2 px-4 text-xs text-fg-3">
        <p>
          {own.length > 0
            ? 'As this span reports it. Where spans below it report the same tokens, only those count in the trace.'
            : 'This span reports nothing itself: this is what counts of the spans below it.'}
        </p>
        {shown.some(({ reported = 0 }) => reported > 0) && <p>Models without a price use the cost that the span reports.</p>}
        {shown.some(({ unpriced }) => unpriced > 0) && (
          <Notice tone="warning" title="No price for some models" className="text-sm">
            Costs leave them out.{' '}
            <Link to="/$entity/$project/settings" params={project} search={{ part: 'prices' }} className="text-accent-text hover:underline">
              Set price
            </Link>
          </Notice>
        )}
      </div>
    </div>
  )
}
