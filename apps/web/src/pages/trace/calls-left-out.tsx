import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../lib/use-project.ts'
import { maxTraceCalls, traceCountQuery } from '../../features/trace/trace-queries.ts'

/** Counts the calls that the page leaves out, and leads to all of them. */
export function CallsLeftOut({ traceId }: { traceId: string }) {
  const { entity, project, id } = useProject()
  const { data: count } = useQuery(traceCountQuery(id, traceId))
  const others = count === undefined ? 'the trace has more' : `${(count - maxTraceCalls).toLocaleString('en')} more are left out`
  return (
    <p>
      {`The first ${maxTraceCalls.toLocaleString('en')} calls by time are shown; ${others}.`}{' '}
      <Link
        to="/$entity/$project/calls"
        params={{ entity, project }}
        search={{ level: 'all', where: [{ path: 'trace_id', operator: '=', value: traceId }] }}
      >
        All spans of the trace
      </Link>
    </p>
  )
}
