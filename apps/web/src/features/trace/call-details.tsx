import { useQuery } from '@tanstack/react-query'
import { MessageSquarePlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import type { CallRow } from '../calls/call-row.ts'
import { callQuery } from '../calls/call-query.ts'
import { usageOfCall } from '../calls/model-usage.ts'
import { CallPane, type CallsBelow, NoCall } from './call-pane.tsx'
import type { DetailsTab } from '../calls/details-tabs.ts'
import { IconButton } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { usePageKeys } from './use-page-keys.ts'

const FeedbackOfCall = lazyPart(() => import('../feedback/feedback-of-call.tsx').then(({ FeedbackOfCall }) => FeedbackOfCall))
const CallLinks = lazyPart(() => import('./links/call-links.tsx').then(({ CallLinks }) => CallLinks))
const CallCost = lazyPart(() => import('./usage/call-cost.tsx').then(({ CallCost }) => CallCost))

interface Properties {
  id: string
  tab: DetailsTab | undefined
  onTab: (tab: DetailsTab) => void
  /** The calls below it, if known. */
  below?: CallsBelow | undefined
  /** How many scores it has, where that is known. */
  scores?: number | undefined
  /** Replaces the header that describes the call. */
  head?: (row: CallRow) => ReactNode
}

/** All of one call, a part at a time. */
export function CallDetails({ id, tab, onTab, below, scores, head }: Properties) {
  const { id: project } = useProject()
  const query = useQuery(callQuery(project, id))
  const [isNoting, setIsNoting] = useState(false)
  const note = () => {
    setIsNoting(true)
    onTab('feedback')
  }
  usePageKeys({ n: note })
  return (
    <ShowQuery query={query} what="the call" className="p-4">
      {(call) =>
        call ? (
          <CallPane
            call={call}
            tab={tab}
            onTab={onTab}
            below={below}
            scores={scores}
            {...(head && { head })}
            actions={<IconButton label="Write a note" keys="n" icon={MessageSquarePlus} onClick={note} className="-mr-2" />}
            ofProject={{
              feedback: () => (
                <FeedbackOfCall about={`weave:///${project}/call/${call.id}`} isNoting={isNoting} onNoting={() => setIsNoting(false)} />
              ),
              cost: () => <CallCost own={usageOfCall(call)} below={below?.usage} />,
              links: () => <CallLinks call={call} />,
            }}
          />
        ) : (
          <NoCall id={id} />
        )
      }
    </ShowQuery>
  )
}
