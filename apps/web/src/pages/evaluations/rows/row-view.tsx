import { ChevronDown, ChevronUp, Link2 } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { MoreMenu } from '../../../ui/more-menu.tsx'
import { countText } from '../../../lib/texts/count-text.ts'
import { readableCell } from '../../../lib/texts/readable-cell.ts'
import { Delta } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/field.tsx'
import { MenuItem } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { Segmented } from '../../../ui/tabs.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { toast } from '../../../ui/toast.tsx'
import { changeOf, type ComparedRuns, type MatrixRow, valuesInRow } from '../compared-runs.ts'
import { isLowerBetter, measureText, measureTitle, sizeText } from '../measure-text.ts'
import { partsOfRow } from './parts-of-row.ts'
import type { OutputView } from './row-choices.ts'
import { RowParts } from './row-parts.tsx'
import { RunAnswer } from './run-answer.tsx'

interface Properties {
  /** Links to the pages above it. */
  trail: readonly ReactNode[]
  runs: readonly string[]
  /** Ids of the runs, in their order. */
  ids: readonly string[]
  compared: ComparedRuns
  /** The measure by which rows are listed. */
  name: string
  row: MatrixRow | undefined
  /** How outputs are shown: as their differences from that of the first run, of JSON by its parts or all by lines. Undefined: whole. */
  outputs?: OutputView | undefined
  /** Undefined if there is one run. */
  onOutputs?: (outputs: OutputView | undefined) => void
  /** The rows that are listed, in their order, and the way to another one of them. */
  listed: readonly MatrixRow[]
  onSelect: (digest: string) => void
  onClose: () => void
}

const views = [
  { value: 'whole', label: 'Whole' },
  { value: 'differences', label: 'Differences' },
  { value: 'lines', label: 'Lines' },
]

/** All data of one row: its question, and the trials of each run with their scores and traces next to each other. */
export function RowView(properties: Properties) {
  const { trail, row, listed, onSelect, onClose } = properties
  const at = row ? listed.indexOf(row) : -1
  const [previous, next] = at < 0 ? [] : [listed[at - 1], listed[at + 1]]
  return (
    <div data-flush className="flex h-full min-h-0 flex-col">
      <PageHead
        trail={trail}
        title={row ? `Row ${row.place + 1}` : 'Row not found'}
        actions={
          <>
            <span className="num text-xs whitespace-nowrap text-fg-3">
              {at < 0 ? 'Not among the rows listed' : `${(at + 1).toLocaleString('en')} of ${listed.length.toLocaleString('en')}`}
            </span>
            <IconButton
              label="Previous row"
              icon={ChevronUp}
              disabled={!previous}
              onClick={() => previous && onSelect(previous.row.row_digest)}
            />
            <IconButton label="Next row" icon={ChevronDown} disabled={!next} onClick={() => next && onSelect(next.row.row_digest)} />
            <MoreMenu>
              <MenuItem
                icon={Link2}
                onClick={() => {
                  void navigator.clipboard?.writeText(window.location.href)
                  toast({ title: 'Link copied' })
                }}
              >
                Copy link to row
              </MenuItem>
            </MoreMenu>
            <Button onClick={onClose}>Close</Button>
          </>
        }
      />
      <div className="flex min-h-0 grow">
        <RowsList {...properties} />
        {row ? (
          <RowDetail key={row.row.row_digest} {...properties} row={row} />
        ) : (
          <Notice className="m-4 self-start" title="The row in the link is not in these results" />
        )}
      </div>
    </div>
  )
}

const idOf = ({ row }: MatrixRow) => row.row_digest

/** The rows that are listed, of which one is shown. */
function RowsList({ compared, name, listed, row, onSelect }: Properties) {
  const columns = useMemo(
    (): Column<MatrixRow>[] => [
      {
        id: 'row',
        title: 'Row',
        width: 'minmax(120px, 1fr)',
        cell: ({ row: listedRow, place }) => (
          <span className="flex gap-2">
            <span className="w-6 shrink-0 text-right text-xs leading-5 text-fg-3">{(place + 1).toLocaleString('en')}</span>
            <span className="line-clamp-2 whitespace-normal wrap-anywhere">
              {readableCell(partsOfRow(listedRow.raw_data_row ?? listedRow.row_digest).input)}
            </span>
          </span>
        ),
      },
      {
        id: 'value',
        title: measureTitle(name),
        width: '108px',
        align: 'right',
        cell: ({ place }) => <ListedValue compared={compared} name={name} values={valuesInRow(compared.runs, name, place)} />,
      },
    ],
    [compared, name],
  )
  return (
    <aside aria-label="Rows" className="flex w-72 shrink-0 flex-col border-r border-line max-lg:hidden">
      <DataTable
        label="Rows listed"
        rows={listed}
        columns={columns}
        rowId={idOf}
        rowHeight={56}
        active={row?.row.row_digest}
        onActive={(next) => onSelect(next.row.row_digest)}
      />
    </aside>
  )
}

/** Of several runs how much the value changes; of one the value. */
function ListedValue({ compared, name, values }: { compared: ComparedRuns; name: string; values: readonly number[] }) {
  const isRate = compared.runs.every(({ measures }) => measures.get(name)?.isRate ?? true)
  if (values.length === 1) return <>{measureText(name, values[0] ?? Number.NaN, isRate)}</>
  // Above 0 where it is for the better.
  const better = changeOf(values, name)
  if (Number.isNaN(better) || better === 0) return <span className="text-fg-3">{better === 0 ? '=' : '–'}</span>
  const change = isLowerBetter(name) ? -better : better
  return <Delta value={change} text={sizeText(name, change, isRate)} good={isLowerBetter(name) ? 'down' : 'up'} className="text-xs" />
}

function RowDetail({ runs, ids, compared, name, row, outputs, onOutputs }: Properties & { row: MatrixRow }) {
  const [isMarked, setIsMarked] = useState(true)
  const trials = Math.max(1, ...row.cells.map((cell) => cell?.trials.length ?? 0))
  const baseline = row.cells[0]?.trials.find(({ model_output }) => model_output !== null)?.model_output
  return (
    <section aria-label="Row" className="min-w-0 grow overflow-auto" tabIndex={0}>
      <RowParts row={row.row.raw_data_row ?? row.row.row_digest} />
      <div className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
        <h2 className="font-semibold">{runs.length > 1 ? 'Outputs' : 'Output'}</h2>
        <span className="text-xs text-fg-3">{countText(trials, 'trial')}</span>
        <span className="grow" />
        {onOutputs && (
          <>
            {outputs === undefined && <Switch label="Mark changed words" checked={isMarked} onChange={setIsMarked} />}
            <Segmented
              label="Show outputs"
              value={outputs ?? 'whole'}
              items={views}
              onChange={(value) => onOutputs(value === 'whole' ? undefined : value === 'lines' ? 'lines' : 'differences')}
            />
          </>
        )}
      </div>
      <div className="grid grid-cols-1 border-b border-line lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none lg:grid-rows-[auto_auto_1fr]">
        {runs.map((label, at) => (
          <RunAnswer
            key={ids[at]}
            label={label}
            run={ids[at] ?? ''}
            at={at}
            count={runs.length}
            compared={compared}
            name={name}
            row={row}
            comparedWith={at === 0 ? undefined : (baseline ?? undefined)}
            view={outputs ?? (isMarked && at > 0 ? 'marked' : 'whole')}
          />
        ))}
      </div>
    </section>
  )
}
