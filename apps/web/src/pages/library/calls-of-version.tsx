import { useQuery } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { callsOfVersionQuery } from './library-queries.ts'

interface Properties {
  name: string
  digest: string
  isOp: boolean
}

/** How many calls were made with a version. */
export function CallsOfVersion(version: Properties) {
  const project = useProject()
  const query = useQuery(callsOfVersionQuery(client, project, version))
  return (
    <ShowQuery query={query} what="calls of this version">
      {({ count, hasMore }) => (
        <p>
          {hasMore ? 'More than ' : ''}
          {count.toLocaleString('en')} {version.isOp ? 'calls ran this version' : 'calls took this version as input'}
        </p>
      )}
    </ShowQuery>
  )
}
