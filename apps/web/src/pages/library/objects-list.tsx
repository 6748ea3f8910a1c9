import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { Input } from '../../ui/field.tsx'
import { SideItem, sideLink, SideList } from '../../ui/side-list.tsx'
import type { LibraryKind } from '../../features/library/library-kinds.ts'
import { objectsQuery } from '../../features/library/library-queries.ts'

/** The objects of a kind next to the one shown. */
export function ObjectsList({ kind, shown }: { kind: LibraryKind; shown: string }) {
  const project = useProject()
  const query = useInfiniteQuery(objectsQuery(client, project, kind))
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const objects = (query.data?.pages.flat() ?? []).filter(({ object_id }) => object_id.toLowerCase().includes(wanted))
  const label = `Search ${kind.title.toLowerCase()}`
  return (
    <SideList
      label={kind.title}
      head={
        <Input
          icon={Search}
          aria-label={label}
          placeholder={label}
          className="h-7 grow"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      }
      footer={query.hasNextPage ? <MoreButton query={query}>Load more</MoreButton> : undefined}
    >
      {objects.map((one) => {
        const alias = one.aliases?.find((name) => name !== 'latest')
        return (
          <li key={`${one.kind} ${one.object_id}`}>
            <Link
              to="/$entity/$project/$kind/$object"
              params={{ ...project, kind: one.kind === 'op' ? 'ops' : kind.path, object: one.object_id }}
              aria-current={one.object_id === shown ? 'page' : undefined}
              className={sideLink}
            >
              <SideItem
                name={one.object_id}
                note={alias === undefined ? `v${one.version_index}` : `v${one.version_index} in ${alias}`}
                aside={<TimeInColumn value={one.created_at} />}
              />
            </Link>
          </li>
        )
      })}
    </SideList>
  )
}
