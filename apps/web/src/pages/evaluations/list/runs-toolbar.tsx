import { Link } from '@tanstack/react-router'
import { GitCompareArrows, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../../lib/cx.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import type { ProjectName } from '../../../lib/use-project.ts'
import { ChooseView } from '../../../features/parallel-coordinates/choose-view.tsx'
import { buttonLook, IconButton } from '../../../ui/button.tsx'
import { Select } from '../../../ui/select.tsx'
import { runStatuses, type RunsSearch } from '../comparison-search.ts'
import { runStatusTitles } from '../run-icons.ts'

interface Properties {
  project: ProjectName
  search: RunsSearch
  /** Names of the evaluations that the runs so far are of. */
  evaluations: readonly string[]
  /** Ids of the runs that are chosen, the oldest first. */
  chosen: readonly string[]
  maxCompared: number
  onChange: (part: RunsSearch) => void
  /** The menu of columns. */
  columns: ReactNode
}

const any = ''

/** Filters of the list, and actions for the selected runs. */
export function RunsToolbar({ project, search, evaluations, chosen, maxCompared, onChange, columns }: Properties) {
  return (
    <div className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 px-4 py-2">
      <SearchField label="Search runs" value={search.find ?? ''} onChange={(find) => onChange({ find: find || undefined })} />
      <Select
        inside
        label="Evaluation"
        value={search.evaluation ?? any}
        choices={[{ value: any, label: 'All' }, ...evaluations.map((name) => ({ value: name, label: name }))]}
        onChange={(value) => onChange({ evaluation: value || undefined })}
        className="max-w-64"
      />
      <Select
        inside
        label="Status"
        value={search.status ?? any}
        choices={[{ value: any, label: 'Any' }, ...runStatuses.map((status) => ({ value: status, label: runStatusTitles[status] }))]}
        onChange={(value) => onChange({ status: runStatuses.find((status) => status === value) })}
      />
      <span className="grow" />
      <span role="status" className={cx('num text-xs whitespace-nowrap text-fg-3', chosen.length === 0 && 'max-lg:sr-only')}>
        {chosen.length === 0 ? `Select two to ${maxCompared} runs to compare` : `${chosen.length} selected`}
      </span>
      {chosen.length >= 2 && (
        <Link
          to="/$entity/$project/evaluations/compare"
          params={project}
          search={{ ids: chosen.join(',') }}
          data-tip="The oldest is the baseline"
          className={buttonLook('secondary', 'sm')}
        >
          <GitCompareArrows size={14} strokeWidth={1.75} aria-hidden className="text-fg-3" />
          Compare<span className="sr-only">{` ${chosen.length} runs`}</span>
        </Link>
      )}
      {chosen.length > 0 && <IconButton label="Clear selection" icon={X} onClick={() => onChange({ chosen: undefined })} />}
      <ChooseView view={search.view} onChange={(view) => onChange({ view })} />
      {columns}
    </div>
  )
}
