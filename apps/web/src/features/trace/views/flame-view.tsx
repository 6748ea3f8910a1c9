import { useMemo } from 'react'
import { countText } from '../../../lib/texts/count-text.ts'
import { formatDuration } from '../../../lib/time/duration.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { CallName } from '../../calls/call-name.tsx'
import { cx } from '../../../lib/cx.ts'
import { Badge, type Kind, KindIcon } from '../../../ui/badge.tsx'
import { type ListColumn, ListTable } from '../../../ui/list-table.tsx'
import { ShapedButton } from '../../../ui/shaped-button.tsx'
import { TextButton } from '../../../ui/text-button.tsx'
import { type FlameBlock, flameOf } from './flame-of-trace.ts'
import type { ByName } from './by-name.ts'
import { kindsOfCalls } from './kinds-of-calls.ts'
import { numberColumn } from '../../../ui/table/column-kinds.tsx'

const blockHeight = 30
const shownDepth = 14
/** Narrower blocks are too small to be pressed: the table has them all. */
const leastPressed = 0.05
const shownRows = 200

/** The time of a trace: calls added up by the path of their names. */
export function FlameView({ roots, modelCalls, selected, onSelect, onFind }: ByName) {
  const { blocks, leftOut } = useMemo(() => flameOf(roots), [roots])
  const rows = useMemo(() => blocks.toSorted((a, b) => b.selfMs - a.selfMs).slice(0, shownRows), [blocks])
  const kinds = useMemo(() => kindsOfCalls(roots, modelCalls), [roots, modelCalls])
  const depth = Math.max(0, ...blocks.map((block) => block.depth)) + 1
  const most = rows[0]?.selfMs ?? 0
  const whole = useMemo(() => blocks.reduce((sum, block) => sum + (block.depth === 0 ? block.totalMs : 0), 0), [blocks])
  const kindOf = ({ first }: FlameBlock): Kind => kinds.get(first) ?? 'fn'
  const columns: ListColumn<FlameBlock>[] = [
    {
      id: 'operation',
      title: 'Operation',
      cell: (block) => (
        <span className="flex items-center gap-2">
          <KindIcon kind={kindOf(block)} size={16} />
          <TextButton onClick={() => onSelect(block.first)} look="plain">
            <CallName name={nameOf(block)} kind={kindOf(block)} />
          </TextButton>
          {block.depth > 1 && <span className="truncate text-xs text-fg-3">{`in ${readableName(block.path.at(-2) ?? '')}`}</span>}
          {block.failed > 0 && <Badge tone="red">{`${block.failed.toLocaleString('en')} failed`}</Badge>}
        </span>
      ),
    },
    {
      id: 'calls',
      title: 'Calls',
      width: '64px',
      align: 'right',
      cell: (block) => (
        <TextButton
          aria-label={`The calls named ${readableName(nameOf(block))} in the timeline`}
          onClick={() => onFind(nameOf(block))}
          look="plain"
          className="text-right"
        >
          {block.calls.toLocaleString('en')}
        </TextButton>
      ),
    },
    numberColumn('total', 'Total', '84px', ({ totalMs }) => totalMs, { show: formatDuration }),
    {
      id: 'own',
      title: 'Own time',
      width: '208px',
      align: 'right',
      cell: (block) => (
        <span className="flex items-center justify-end gap-2">
          <span aria-hidden className="h-1 w-16 overflow-hidden rounded-full bg-active">
            <span
              className="block h-full rounded-full"
              style={{ width: `${most === 0 ? 0 : (block.selfMs / most) * 100}%`, background: `var(--kind-${kindOf(block)})` }}
            />
          </span>
          <span className="w-14 text-right">{formatDuration(block.selfMs)}</span>
          <span className="w-9 text-right text-xs text-fg-3">{whole === 0 ? '–' : `${Math.round((block.selfMs / whole) * 100)}%`}</span>
        </span>
      ),
    },
  ]
  return (
    <div role="region" aria-label="Time by path" tabIndex={0} className="min-h-0 grow overflow-auto -outline-offset-2">
      <div className={cx(depth > shownDepth && 'overflow-y-auto')} style={{ maxHeight: shownDepth * blockHeight + 24 }}>
        <ul className="relative mx-4 my-3" style={{ height: depth * blockHeight }} aria-label="Time by operation">
          {blocks.map((block) => (
            <Block
              key={JSON.stringify(block.path)}
              block={block}
              kind={kindOf(block)}
              isPicked={block.first === selected}
              onSelect={onSelect}
            />
          ))}
        </ul>
      </div>
      {leftOut > 0 && <p className="px-4 pb-3 text-xs text-fg-3">{`${countText(leftOut, 'short or deep call')} in the timeline only`}</p>}
      <ListTable
        label="Operations by own time"
        rows={rows}
        columns={columns}
        rowId={({ path }) => JSON.stringify(path)}
        rowHeight={32}
        picked={({ first }) => first === selected}
      />
      {blocks.length > rows.length && (
        <p className="p-4 text-xs text-fg-3">{`The ${shownRows} paths with the most time of their own, of ${blocks.length.toLocaleString('en')}`}</p>
      )}
    </div>
  )
}

const nameOf = ({ path }: FlameBlock) => path.at(-1) ?? ''

interface BlockProperties {
  block: FlameBlock
  kind: Kind
  isPicked: boolean
  onSelect: ByName['onSelect']
}

function Block({ block, kind, isPicked, onSelect }: BlockProperties) {
  const name = readableName(nameOf(block))
  const { width, calls, totalMs, selfMs } = block
  const text = `${name}: ${formatDuration(totalMs)} in ${countText(calls, 'call')}, own ${formatDuration(selfMs)}`
  const place = { left: `${block.left * 100}%`, width: `${width * 100}%`, top: block.depth * blockHeight, height: blockHeight - 2 }
  const color = { background: `var(--kind-${kind}-soft)`, borderColor: block.failed > 0 ? 'var(--red)' : `var(--kind-${kind})` }
  if (width < leastPressed) {
    return (
      <li className="absolute pr-0.5" style={place}>
        <span
          data-tip={text}
          data-place="top"
          onClick={() => onSelect(block.first)}
          className="block h-full rounded-sm border-l-2"
          style={color}
        />
      </li>
    )
  }
  return (
    <li className="absolute pr-0.5" style={place}>
      <ShapedButton
        aria-pressed={isPicked}
        aria-label={text}
        data-tip={text}
        data-place="top"
        onClick={() => onSelect(block.first)}
        className={cx(
          'flex h-full w-full items-center gap-1.5 overflow-hidden rounded-sm border-l-3 px-1.5 text-left text-xs text-ellipsis hover:brightness-95 dark:hover:brightness-125',
          isPicked && 'ring-1 ring-accent',
        )}
        style={color}
      >
        <span className="truncate font-medium">
          <CallName name={nameOf(block)} kind={kind} />
        </span>
        {calls > 1 && width > 0.12 && <span className="num text-fg-2">{calls.toLocaleString('en')}×</span>}
        <span className="grow" />
        {width > 0.14 && <span className="num shrink-0 text-fg-2">{formatDuration(totalMs)}</span>}
      </ShapedButton>
    </li>
  )
}
