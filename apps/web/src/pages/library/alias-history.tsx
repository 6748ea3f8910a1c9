import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { MoreButton } from '../../components/more-button.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { aliasMovesQuery } from './alias-moves-query.ts'

interface Properties {
  name: string
  kind: string
  /** Those whose number is known. */
  versions: readonly { digest: string; version_index: number }[]
}

/** Who pointed the aliases of an object to which version, and when. Read once it is opened. */
export function AliasHistory(properties: Properties) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>History of aliases</summary>
      {isOpen && <Moves {...properties} />}
    </details>
  )
}

function Moves({ name, kind, versions }: Properties) {
  const project = useProject()
  const query = useInfiniteQuery(aliasMovesQuery(client, project, name))
  const versionOf = (digest: string) => <VersionLink {...{ name, kind, versions, digest }} />
  return (
    <ShowQuery query={{ ...query, data: query.data?.pages.flatMap(({ moves }) => moves) }} what="the history">
      {(moves) =>
        moves.length === 0 ? (
          <p className="muted">No version of {name} has been given an alias yet.</p>
        ) : (
          <>
            <ul aria-label="History of aliases">
              {moves.map(({ alias, from_digest, to_digest, wb_user_id, moved_at }, at) => (
                <li key={at}>
                  <span className="tag">@{alias}</span> {to_digest === null ? 'removed' : from_digest === null ? 'set' : 'moved'}
                  {from_digest !== null && <> from {versionOf(from_digest)}</>}
                  {to_digest !== null && <> to {versionOf(to_digest)}</>}
                  <span className="muted">
                    {' '}
                    by {wb_user_id}, <Time value={moved_at} />
                  </span>
                </li>
              ))}
            </ul>
            <MoreButton query={query}>Older moves</MoreButton>
          </>
        )
      }
    </ShowQuery>
  )
}

function VersionLink({ name, kind, versions, digest }: Properties & { digest: string }) {
  const { entity, project } = useProject()
  const known = versions.find((version) => version.digest === digest)
  if (!known) return <span title={digest}>{digest.slice(0, 8)}…</span>
  return (
    <Link to="/$entity/$project/$kind/$object" params={{ entity, project, kind, object: name }} search={{ version: digest }}>
      v{known.version_index}
    </Link>
  )
}
