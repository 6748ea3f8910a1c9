import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Time } from '../../ui/time/time.tsx'
import { Badge } from '../../ui/badge.tsx'
import { aliasMovesQuery } from '../../features/library/library-queries.ts'

interface Properties {
  name: string
  kind: string
  /** Those whose number is known. */
  versions: readonly { digest: string; version_index: number }[]
}

/** Who pointed the aliases of an object to which version, and when. */
export function AliasHistory({ name, kind, versions }: Properties) {
  const project = useProject()
  const query = useInfiniteQuery(aliasMovesQuery(client, project, name))
  const versionOf = (digest: string) => <VersionLink {...{ name, kind, versions, digest }} />
  return (
    <ShowQuery query={{ ...query, data: query.data?.pages.flatMap(({ moves }) => moves) }} what="the history">
      {(moves) =>
        moves.length === 0 ? (
          <p className="text-fg-3">No version of {name} has been given an alias yet</p>
        ) : (
          <>
            <ul aria-label="Alias history" className="divide-y divide-line rounded-lg border border-line">
              {moves.map(({ alias, from_digest, to_digest, wb_user_id, moved_at }, at) => (
                // Moves keep their order, so the index is a stable key.
                <li key={String(at)} className="flex min-h-10 flex-wrap items-center gap-1.5 px-3 py-1.5">
                  <Badge tone="accent">@{alias}</Badge>{' '}
                  <span>
                    {to_digest === null ? 'removed' : from_digest === null ? 'set' : 'moved'}
                    {from_digest !== null && <> from {versionOf(from_digest)}</>}
                    {to_digest !== null && <> to {versionOf(to_digest)}</>}
                  </span>{' '}
                  <span className="grow" />
                  <span className="text-xs text-fg-3">
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
  if (!known) return <span data-tip={digest}>{digest.slice(0, 8)}…</span>
  return (
    <Link to="/$entity/$project/$kind/$object" params={{ entity, project, kind, object: name }} search={{ version: digest }}>
      v{known.version_index}
    </Link>
  )
}
