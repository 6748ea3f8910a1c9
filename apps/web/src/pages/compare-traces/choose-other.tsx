import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { comparableQuery } from './compared-queries.ts'

const route = getRouteApi('/$entity/$project/calls/compare')

/** Asks for the calls whose traces are compared. */
export function ChooseOther({ id }: { id: string | undefined }) {
  const navigate = route.useNavigate()
  const [first, setFirst] = useState(id ?? '')
  const [second, setSecond] = useState('')

  function compare(event: FormEvent) {
    event.preventDefault()
    void navigate({ search: { ids: `${first.trim()},${second.trim()}` } })
  }

  return (
    <>
      <p>Two traces are compared by the ids of a call of each.</p>
      <form onSubmit={compare}>
        <label htmlFor="first-call">Call of trace A</label>
        <input id="first-call" value={first} onChange={({ target }) => setFirst(target.value)} />
        <label htmlFor="second-call">Call of trace B</label>
        <input id="second-call" value={second} onChange={({ target }) => setSecond(target.value)} />
        <button type="submit" className="primary" disabled={first.trim() === '' || second.trim() === '' || first.trim() === second.trim()}>
          Compare
        </button>
      </form>
      {id !== undefined && <Offered id={id} />}
    </>
  )
}

function Offered({ id }: { id: string }) {
  const { id: projectId, entity, project } = useProject()
  return (
    <ShowQuery query={useQuery(comparableQuery(projectId, id))} what="other traces of the same op">
      {(found) =>
        found === null ? (
          <p className="problem">{`Call ${id} was not found. It may have been deleted.`}</p>
        ) : (
          <section aria-label="Other traces of the same op">
            <h2>{`Newest other traces of ${found.name}`}</h2>
            {found.others.length === 0 && <p className="muted">No other traces of this op.</p>}
            <ul>
              {found.others.map((other) => (
                <li key={other.id}>
                  <Link to="/$entity/$project/calls/compare" params={{ entity, project }} search={{ ids: `${id},${other.id}` }}>
                    {other.name}
                  </Link>{' '}
                  <Time value={other.started_at} /> <span className="muted">{other.id}</span>
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </ShowQuery>
  )
}
