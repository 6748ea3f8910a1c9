import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { countText } from '../../lib/texts/count-text.ts'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { callsOfVersionQuery, type CountedCalls, refOf } from './library-queries.ts'
import type { Condition } from '../filter/call-condition.ts'

interface Properties {
  name: string
  digest: string
  isOp: boolean
}

/** How many calls were made with a version, and the way to them. */
export function CallsOfVersion(version: Properties) {
  const project = useProject()
  const query = useQuery(callsOfVersionQuery(client, project, version))
  return (
    <ShowQuery query={query} what="calls of this version">
      {({ count, hasMore }) => (
        <p className="my-0">
          {count === 0 ? (
            textOf(version, { count, hasMore })
          ) : (
            <Link
              to="/$entity/$project/calls"
              params={project}
              search={{ level: 'all', where: [conditionOfVersion(refOf(project, version), version.isOp)] }}
            >
              {textOf(version, { count, hasMore })}
            </Link>
          )}
        </p>
      )}
    </ShowQuery>
  )
}

function textOf({ isOp }: Properties, { count, hasMore }: CountedCalls): string {
  const calls = `${hasMore ? 'More than ' : ''}${countText(count, 'call')}`
  return isOp ? `${calls} ran this version` : `${calls} took this version as input`
}

/** What selects the calls that ran a version of an op, or took a version of another object as input, by its reference. */
const conditionOfVersion = (ref: string, isOp: boolean): Condition =>
  isOp ? { path: 'op_name', operator: '=', value: ref } : { path: 'inputs', operator: 'contains', value: ref }
