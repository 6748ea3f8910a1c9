import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Time } from '../../ui/time/time.tsx'
import { comparableQuery } from './compared-queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Notice } from '../../ui/notice.tsx'

const route = getRouteApi('/$entity/$project/calls/compare')

/** Dialog for the calls whose traces are compared. */
export function ChooseOther({ id }: { id: string | undefined }) {
  const navigate = route.useNavigate()
  const [first, setFirst] = useState(id ?? '')
  const [second, setSecond] = useState('')

  function compare(event: FormEvent) {
    event.preventDefault()
    void navigate({ search: { ids: `${first.trim()},${second.trim()}` } })
  }

  return (
    <div className="flex max-w-190 flex-col gap-4">
      <Card title="Traces to compare">
        <form onSubmit={compare} className="flex flex-wrap items-end gap-3">
          <TextField label="Call of trace A" className="min-w-60 grow" value={first} onChange={setFirst} />
          <TextField label="Call of trace B" className="min-w-60 grow" value={second} onChange={setSecond} />
          <Button
            type="submit"
            size="md"
            variant="primary"
            disabled={first.trim() === '' || second.trim() === '' || first.trim() === second.trim()}
          >
            Compare
          </Button>
        </form>
      </Card>
      {id !== undefined && <Offered id={id} />}
    </div>
  )
}

function Offered({ id }: { id: string }) {
  const { id: projectId, entity, project } = useProject()
  return (
    <ShowQuery query={useQuery(comparableQuery(projectId, id))} what="similar traces">
      {(found) =>
        found === null ? (
          <Notice tone="error" title={`Call ${id} was not found`}>
            It may have been deleted.
          </Notice>
        ) : (
          <Card title="Similar traces" note={found.name} flush>
            {found.others.length === 0 && <p className="px-4 pb-4 text-fg-3">No similar traces</p>}
            <ul className="flex flex-col">
              {found.others.map((other) => (
                <li key={other.id} className="border-t border-line">
                  <Link
                    to="/$entity/$project/calls/compare"
                    params={{ entity, project }}
                    search={{ ids: `${id},${other.id}` }}
                    className="flex h-9 items-center gap-3 px-4 -outline-offset-2 pressable"
                  >
                    <span className="truncate font-medium">{other.name}</span>
                    <span className="mono min-w-0 truncate text-fg-3">{other.id}</span>
                    <span className="grow" />
                    <span className="shrink-0 text-xs text-fg-3">
                      <Time value={other.started_at} />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </Card>
        )
      }
    </ShowQuery>
  )
}
