import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../app/use-project.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { callQuery } from '../calls/call-query.ts'
import type { DetailsTab } from '../calls/calls-search.ts'
import { usageOfCall } from '../calls/model-usage.ts'
import { FeedbackAbout } from '../feedback/about-one/feedback-about.tsx'
import { CallActions } from './actions/call-actions.tsx'
import { CallParts, type CallsBelow } from './call-parts.tsx'
import { CallLinks } from './links/call-links.tsx'
import { CallCost } from './usage/call-cost.tsx'

interface Properties {
  id: string
  tab: DetailsTab | undefined
  onTab: (tab: DetailsTab) => void
  /** Calls below it, where they are known. */
  below?: CallsBelow | undefined
}

/** All of one call, a part at a time. */
export function CallDetails({ id, tab, onTab, below }: Properties) {
  const { id: project } = useProject()
  const query = useQuery(callQuery(project, id))
  return (
    <ShowQuery query={query} what="the call">
      {(call) =>
        call ? (
          <CallParts
            call={call}
            tab={tab}
            onTab={onTab}
            below={below}
            actions={<CallActions key={call.id} call={call} />}
            ofProject={{
              feedback: () => <FeedbackAbout about={`weave:///${project}/call/${call.id}`} what="call" />,
              cost: () => <CallCost own={usageOfCall(call)} below={below?.usage} />,
              links: () => <CallLinks call={call} />,
            }}
          />
        ) : (
          <p className="problem">Call {id} was not found. It may have been deleted.</p>
        )
      }
    </ShowQuery>
  )
}
