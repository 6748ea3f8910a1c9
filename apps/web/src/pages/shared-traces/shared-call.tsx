import { useQuery } from '@tanstack/react-query'
import { ShowQuery } from '../../components/show-query.tsx'
import { ExportCall } from '../trace/actions/export-call.tsx'
import { CallParts } from '../trace/call-parts.tsx'
import { isSharedTab, type SharedTab } from './shared-search.ts'
import { sharedCallQuery } from './shared-trace-queries.ts'

interface Properties {
  token: string
  id: string
  tab: SharedTab | undefined
  below: readonly { id: string; name: string }[]
  onSelect: (id: string) => void
  onTab: (tab: SharedTab) => void
}

/** One call of a shared trace, a part at a time. */
export function SharedCall({ token, id, tab, below, onSelect, onTab }: Properties) {
  const query = useQuery(sharedCallQuery(token, id))
  return (
    <ShowQuery query={query} what="the call">
      {(call) =>
        call ? (
          <CallParts
            call={call}
            tab={tab}
            onTab={(next) => isSharedTab(next) && onTab(next)}
            below={{ calls: below, usage: undefined, onSelect }}
            actions={
              <p className="row">
                <ExportCall call={call} />
              </p>
            }
          />
        ) : (
          <p className="problem">Call {id} was not found in this trace. It may have been deleted.</p>
        )
      }
    </ShowQuery>
  )
}
