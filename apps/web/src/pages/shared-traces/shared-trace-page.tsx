import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { SharedTrace } from './shared-trace.tsx'
import { linkQuery } from './shared-trace-queries.ts'

/** Where a public link leads: one trace, for whoever has the token, which stands after `#`. Needs no session. */
export function SharedTracePage() {
  const { hash: token } = useLocation()
  const link = useQuery(linkQuery(token))
  return (
    <main id="content" tabIndex={-1}>
      <h1>Shared trace</h1>
      <ShowQuery query={link} what="the shared trace">
        {(found) =>
          found === null ? (
            <Unusable />
          ) : (
            <>
              <p className="notice">
                Shared trace, read-only, until <Time value={found.expires_at} />.
              </p>
              <SharedTrace key={token} token={token} />
            </>
          )
        }
      </ShowQuery>
    </main>
  )
}

function Unusable() {
  return (
    <div className="problem" role="alert">
      <p>This link shows nothing: it has expired or was revoked, its trace was deleted, or a part of the link is missing.</p>
      <p>Check that the whole link was copied, with everything after its #. If it was, ask whoever sent it for a new one.</p>
    </div>
  )
}
