import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { CallDetails } from '../trace/call-details.tsx'
import type { CallsSearch, DetailsTab } from './calls-search.ts'

interface Properties {
  id: string
  tab: DetailsTab | undefined
  /** The list that the call is in. */
  list: CallsSearch
  onFields: () => void
  change: (part: CallsSearch, replace?: boolean) => void
}

/** A call beside the table. */
export function CallPeek({ id, tab, list, onFields, change }: Properties) {
  const { entity, project } = useProject()
  return (
    <aside aria-label="Call" className="peek">
      <div className="row">
        <Link to="/$entity/$project/calls/$call" params={{ entity, project, call: id }} search={{ list }}>
          Open the trace
        </Link>
        <button type="button" onClick={onFields}>
          Filter by its values …
        </button>
        <button type="button" onClick={() => change({ peek: undefined, tab: undefined }, true)}>
          Close
        </button>
      </div>
      <CallDetails id={id} tab={tab} onTab={(next) => change({ tab: next }, true)} />
    </aside>
  )
}
