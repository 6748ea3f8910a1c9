import type { CallsSearch } from '../calls-search.ts'
import { FilterText } from './filter-text.tsx'
import { filterOfConditions } from './parse-filter.ts'
import { WhereButtons } from './where-buttons.tsx'

interface Properties {
  project: string
  search: CallsSearch
  paths: readonly string[]
  change: (part: CallsSearch) => void
}

/** Conditions on calls, and their order: one button for each condition that holds, and a text for others. */
export function FilterBar({ project, search, paths, change }: Properties) {
  const where = search.where ?? []
  return (
    <section aria-label="Filter">
      <div className="row">
        <button
          type="button"
          aria-pressed={search.level !== 'all'}
          onClick={() => change({ level: search.level === 'all' ? undefined : 'all' })}
        >
          Roots only
        </button>
        <button
          type="button"
          aria-pressed={search.status === 'error'}
          onClick={() => change({ status: search.status === 'error' ? undefined : 'error' })}
        >
          Errors only
        </button>
        <button
          type="button"
          aria-pressed={search.sort === 'slowest'}
          onClick={() => change({ sort: search.sort === 'slowest' ? undefined : 'slowest' })}
        >
          Slowest first
        </button>
        <WhereButtons where={where} change={(next) => change({ where: next })} />
        {where.length > 0 && (
          <button type="button" onClick={() => change({ where: undefined, filter: filterOfConditions(where, search.filter) })}>
            Edit as text
          </button>
        )}
      </div>
      <FilterText project={project} search={search} paths={paths} change={change} />
    </section>
  )
}
