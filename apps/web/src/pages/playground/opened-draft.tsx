import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { exactClient } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { callQuery } from '../../features/calls/call-query.ts'
import { draftOfRecorded } from '../../features/playground/draft/draft-of-recorded.ts'
import { draftOfPrompt } from './draft/draft-of-prompt.ts'
import { blank, ModelsForm } from './models-form.tsx'
import { promptQuery } from './playground-queries.ts'

/** The conversation of a call. */
export function FromCall({ id }: { id: string }) {
  const project = useProject()
  const query = useQuery({ ...callQuery(project.id, id), refetchInterval: false })
  const { id: _, ...params } = project
  return (
    <ShowQuery query={query} what="the call">
      {(call) => {
        if (call === null) return <ModelsForm opened={blank} notice={`Call ${id} was not found. It may have been deleted.`} />
        const opened = draftOfRecorded(call)
        const origin = (
          <span className="truncate text-xs text-fg-3">
            From trace{' '}
            <Link to="/$entity/$project/calls/$call" params={{ ...params, call: id }}>
              {id}
            </Link>
          </span>
        )
        const notice = opened === undefined ? 'The inputs of this call hold no messages.' : undefined
        return <ModelsForm opened={opened ?? blank} origin={origin} notice={notice} />
      }}
    </ShowQuery>
  )
}

/** The messages of a version of a prompt. */
export function FromPrompt({ prompt }: { prompt: string }) {
  const { id, entity, project } = useProject()
  const [name = '', digest = 'latest'] = prompt.split(':')
  const query = useQuery(promptQuery(exactClient, id, { name, digest }))
  return (
    <ShowQuery query={query} what="the prompt">
      {(val) => {
        const opened = draftOfPrompt(val)
        const origin = (
          <span className="truncate text-xs text-fg-3">
            From prompt{' '}
            <Link to="/$entity/$project/$kind/$object" params={{ entity, project, kind: 'prompts', object: name }}>
              {name}
            </Link>
          </span>
        )
        return <ModelsForm opened={opened ?? blank} origin={origin} notice={opened ? undefined : `${name} holds no messages.`} />
      }}
    </ShowQuery>
  )
}
