import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Link2, Link2Off } from 'lucide-react'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Time } from '../../ui/time/time.tsx'
import { SharedTrace } from './shared-trace.tsx'
import { linkQuery } from './shared-trace-queries.ts'
import { PageHead } from '../../ui/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/card.tsx'

/** Target of a public link: one trace, for anyone with the token, which follows the `#`. Needs no session. */
export function SharedTracePage() {
  const { hash: token } = useLocation()
  const link = useQuery(linkQuery(token))
  return (
    <>
      <PageHead
        title="Shared trace"
        state={
          link.data && (
            <>
              <Badge icon={Link2}>Read-only</Badge>
              <span className="text-xs text-fg-3">
                Until <Time value={link.data.expires_at} />
              </span>
            </>
          )
        }
      />
      <ShowQuery query={link} what="the shared trace">
        {(found) => (found === null ? <Unusable /> : <SharedTrace key={token} token={token} />)}
      </ShowQuery>
    </>
  )
}

function Unusable() {
  return (
    <div role="alert">
      <EmptyState icon={Link2Off} title="This link has expired or was revoked">
        Or its trace was deleted, or a part of the link after # is missing. Check the link, or ask its sender for a new one.
      </EmptyState>
    </div>
  )
}
