import { percentile } from '@heddle/evaluations'
import { Link } from '@tanstack/react-router'
import { cx } from '../../lib/cx.ts'
import { useProject } from '../../lib/use-project.ts'
import { CostMark, withSource } from '../../features/costs/cost-source.tsx'
import { formatDuration } from '../../lib/time/duration.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { KindIcon, StatusIcon } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/card.tsx'
import type { Column } from '../../ui/table/columns.ts'
import type { Condition } from '../../features/filter/call-condition.ts'
import type { CallRow } from '../../features/calls/call-row.ts'
import type { CallsSearch } from '../../features/calls/calls-search.ts'
import { CallName } from '../../features/calls/call-name.tsx'
import { signOfKind } from '../../features/calls/kind-of-call.ts'
import { MarkAfterName } from '../../features/calls/mark-after-name.tsx'
import type { RowScore } from '../../features/calls/row-score.ts'
import { ScoreMarks } from '../../features/calls/score-mark.tsx'
import { signOfStatus } from '../../features/calls/status-sign.ts'
import { TagsCell } from './tags/tags-cell.tsx'
import { type RowTexts, shownText } from '../../features/calls/texts-below/shown-text.ts'
import { NoValue } from '../../ui/no-value.tsx'
import { numberColumn } from '../../ui/table/column-kinds.tsx'

interface Options {
  /** Paths of further columns. */
  further: readonly string[]
  list: CallsSearch
  texts: ReadonlyMap<string, RowTexts>
  /** Texts of rows without their own are still being read. */
  areTextsLoading: boolean
  scores: ReadonlyMap<string, readonly RowScore[]>
  /** From `longLatency` of the rows. */
  longMs: number
  onCondition: (condition: Condition) => void
}

/** The columns of traces and spans. */
export function columnsOfCalls({ further, list, texts, areTextsLoading, scores, longMs, onCondition }: Options): Column<CallRow>[] {
  const shown = (row: CallRow, side: keyof RowTexts) => shownText(row, side, { whole: list.level !== 'all', below: texts.get(row.id) })
  const inputOf = (row: CallRow) => shown(row, 'input')
  const outputOf = (row: CallRow) => row.error ?? shown(row, 'output')
  const own: Column<CallRow>[] = [
    {
      id: 'status',
      title: 'Status',
      isTitleHidden: true,
      width: '36px',
      align: 'center',
      pin: 'left',
      cell: ({ status, error }) => {
        const sign = signOfStatus(status)
        return (
          <span data-tip={error === undefined ? sign.label : `${sign.label}: ${error}`} data-place="right" className="inline-flex">
            <StatusIcon {...sign} />
          </span>
        )
      },
    },
    {
      id: 'started',
      title: 'Started',
      width: '96px',
      pin: 'left',
      sort: ({ startedAt }) => startedAt,
      cell: ({ startedAt }) => (
        <span className="text-fg-2">
          <TimeInColumn value={startedAt} />
        </span>
      ),
    },
    {
      id: 'name',
      title: 'Name',
      width: 'minmax(172px, 1.1fr)',
      pin: 'left',
      hint: ({ name }) => readableName(name),
      cell: (row) => <CallLink row={row} list={list} />,
    },
    {
      id: 'input',
      title: 'Input',
      width: 'minmax(150px, 1.7fr)',
      hint: inputOf,
      cell: (row) => <Text text={inputOf(row)} isLoading={areTextsLoading} />,
    },
    {
      id: 'output',
      title: 'Output',
      width: 'minmax(150px, 1.7fr)',
      hint: outputOf,
      cell: (row) =>
        row.status === 'running' && row.output === '' ? (
          <span className="text-blue-text">Running…</span>
        ) : (
          <Text text={outputOf(row)} isLoading={areTextsLoading} isError={row.error !== undefined} />
        ),
    },
    {
      id: 'scores',
      title: 'Scores',
      width: '124px',
      cell: ({ id }) => (scores.has(id) ? <ScoreMarks scores={scores.get(id) ?? []} shown={shownScores} /> : undefined),
    },
    numberColumn('latency', 'Latency', '116px', ({ latencyMs }) => latencyMs, {
      sort: true,
      show: (ms) => <Latency ms={ms} longMs={longMs} />,
    }),
    numberColumn('tokens', 'Tokens', '76px', ({ tokens }) => tokens),
    {
      id: 'cost',
      title: 'Cost',
      width: '96px',
      align: 'right',
      hint: ({ cost, costSource }) => (cost === null ? undefined : withSource(formatCost(cost), costSource)),
      cell: ({ tokens, cost, costSource }) => {
        if (cost === null) return tokens === null ? undefined : <span className="text-fg-3">No price</span>
        return (
          <>
            {formatCost(cost)}
            <CostMark source={costSource} />
          </>
        )
      },
    },
    {
      id: 'tags',
      title: 'Tags',
      width: '116px',
      hint: ({ tags }) => tags.map(({ tag }) => tag).join(', '),
      cell: ({ tags }) => <TagsCell tags={tags} onCondition={onCondition} />,
    },
  ]
  return [...own, ...further.map((path, at) => furtherColumn(path, at))]
}

/** A field may be called as a usual column. */
export const idOfField = (path: string) => `field ${path}`

const furtherColumn = (path: string, at: number): Column<CallRow> =>
  path === 'op_version'
    ? {
        id: idOfField(path),
        title: 'Op version',
        width: '104px',
        hint: ({ version }) => version && `${version.name}:${version.digest}`,
        cell: ({ version }) => version && <VersionLink version={version} />,
      }
    : {
        id: idOfField(path),
        title: path,
        width: '160px',
        hint: ({ further }) => further[at],
        cell: ({ further }) => <Text text={further[at] ?? ''} />,
      }

function Text({ text, isLoading = false, isError = false }: { text: string; isLoading?: boolean; isError?: boolean }) {
  if (text === '') return isLoading ? <Skeleton className="h-2.5 w-3/5" /> : <NoValue />
  return <span className={isError ? 'text-red-text' : 'text-fg-2'}>{text}</span>
}

/** Shown as a number; the bar compares it with other rows. */
/** Milliseconds that fill the bar of a latency: few rows take longer, and one that takes very long does not make the bars of all others vanish. */
export const longLatency = (rows: readonly CallRow[]) =>
  percentile(
    rows.flatMap(({ latencyMs }) => latencyMs ?? []),
    0.95,
  )

function Latency({ ms, longMs }: { ms: number; longMs: number }) {
  const share = longMs > 0 ? Math.min(1, Math.max(0.06, ms / longMs)) : 0
  return (
    <span className="flex items-center justify-end gap-2">
      <span aria-hidden className="h-1 w-8 shrink-0 overflow-hidden rounded-full bg-active">
        <span className={cx('block h-full rounded-full', ms > longMs ? 'bg-s2' : 'bg-s1')} style={{ width: `${share * 100}%` }} />
      </span>
      <span className="min-w-14">{formatDuration(ms)}</span>
    </span>
  )
}

const shownScores = 2

function CallLink({ row, list }: { row: CallRow; list: CallsSearch }) {
  const { entity, project } = useProject()
  return (
    <span className="flex items-center">
      <KindIcon kind={signOfKind(row.kind)} />
      <Link
        to="/$entity/$project/calls/$call"
        params={{ entity, project, call: row.id }}
        search={{ list }}
        className="ml-2 min-w-6 truncate leading-6 font-medium hover:underline"
      >
        <CallName name={row.name} kind={signOfKind(row.kind)} />
      </Link>
      {row.isParentMissing === true && (
        <MarkAfterName text="missing parent" tip="The call names a parent that is not in the trace: it was not sent, or was deleted" />
      )}
    </span>
  )
}

function VersionLink({ version }: { version: NonNullable<CallRow['version']> }) {
  const { entity, project } = useProject()
  return (
    <Link
      to="/$entity/$project/$kind/$object"
      params={{ entity, project, kind: 'ops', object: version.name }}
      search={{ version: version.digest }}
      className="mono inline-block min-w-6 leading-6 text-accent-text hover:underline"
    >
      {version.short}
    </Link>
  )
}
