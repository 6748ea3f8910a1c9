import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { CallPane, type CallsBelow, NoCall } from '../../features/trace/call-pane.tsx'
import { saveCall } from '../../features/trace/save-call.ts'
import { IconButton } from '../../ui/button.tsx'
import { isSharedTab, type SharedTab } from './shared-search.ts'
import { sharedCallQuery } from './shared-trace-queries.ts'

interface Properties {
  token: string
  id: string
  tab: SharedTab | undefined
  below: CallsBelow
  onTab: (tab: SharedTab) => void
}

/** One call of a shared trace, a part at a time. */
export function SharedCall({ token, id, tab, below, onTab }: Properties) {
  const query = useQuery(sharedCallQuery(token, id))
  return (
    <ShowQuery query={query} what="the call" className="p-4">
      {(call) =>
        call ? (
          <CallPane
            call={call}
            tab={tab}
            onTab={(next) => isSharedTab(next) && onTab(next)}
            below={below}
            actions={<IconButton label="Export JSON" icon={Download} onClick={() => saveCall(call)} className="-mr-2" />}
          />
        ) : (
          <NoCall id={id} />
        )
      }
    </ShowQuery>
  )
}
