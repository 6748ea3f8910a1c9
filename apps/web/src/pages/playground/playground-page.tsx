import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Boxes, History } from 'lucide-react'
import type { ReactNode } from 'react'
import { exactClient } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { callQuery } from '../../features/calls/call-query.ts'
import { EmptyState } from '../../ui/card.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { emptyDraft } from '../../features/playground/draft/draft.ts'
import type { CallDraft } from '../../features/playground/draft/draft-of-call.ts'
import { draftOfPrompt } from './draft/draft-of-prompt.ts'
import { draftOfRecorded } from '../../features/playground/draft/draft-of-recorded.ts'
import { firstModel } from './known-models.ts'
import { ModelNotes } from './model-notes.tsx'
import { PlaygroundForm } from './playground-form.tsx'
import { knownModelsQuery, promptQuery } from './playground-queries.ts'
import { opName } from './runs/recorded-run.ts'

const route = getRouteApi('/$entity/$project/playground')
const blank: CallDraft = { draft: emptyDraft, model: '' }

/** Tries a conversation with several models next to each other: an empty one, or one from a call or from a prompt. */
export function PlaygroundPage() {
  const { call, prompt } = route.useSearch()
  return (
    <div data-flush="" className="flex h-full min-h-0 flex-col">
      {call !== undefined ? (
        <FromCall key={call} id={call} />
      ) : prompt !== undefined ? (
        <FromPrompt key={prompt} prompt={prompt} />
      ) : (
        <Models key="" opened={blank} />
      )}
    </div>
  )
}

function FromCall({ id }: { id: string }) {
  const project = useProject()
  const query = useQuery({ ...callQuery(project.id, id), refetchInterval: false })
  const { id: _, ...params } = project
  return (
    <ShowQuery query={query} what="the call">
      {(call) => {
        if (call === null) return <Models opened={blank} notice={`Call ${id} was not found. It may have been deleted.`} />
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
        return <Models opened={opened ?? blank} origin={origin} notice={notice} />
      }}
    </ShowQuery>
  )
}

function FromPrompt({ prompt }: { prompt: string }) {
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
        return <Models opened={opened ?? blank} origin={origin} notice={opened ? undefined : `${name} holds no messages.`} />
      }}
    </ShowQuery>
  )
}

interface ModelsProperties {
  opened: CallDraft
  /** Its origin. */
  origin?: ReactNode
  notice?: string | undefined
}

function Models({ opened, origin, notice }: ModelsProperties) {
  const { entity, project } = useProject()
  const { models } = route.useSearch()
  return (
    <ShowQuery query={useQuery(knownModelsQuery(useProject()))} what="the models">
      {(known) => {
        const first = firstModel(known, opened.model)
        if (first === undefined)
          return (
            <>
              <PageHead title="Playground" state={origin} />
              <EmptyState icon={Boxes} title="No models yet">
                Start the server with training, or set a provider with HEDDLE_PROVIDERS_FILE or HEDDLE_OPENAI_API_KEY.
              </EmptyState>
            </>
          )
        return (
          <>
            {notice !== undefined && <Notice className="m-3" tone="warning" title={notice} />}
            {opened.model !== '' && opened.model !== first && models === undefined && (
              <Notice className="m-3" title={`The call used ${opened.model}, which is not available here`}>
                Variant A starts with {first}.
              </Notice>
            )}
            <PlaygroundForm
              opened={opened.draft}
              known={known}
              first={first}
              origin={origin}
              history={
                <ButtonLink
                  icon={History}
                  className="max-lg:hidden"
                  to="/$entity/$project/calls"
                  params={{ entity, project }}
                  search={{ where: [{ path: 'op_name', operator: 'contains', value: opName }] }}
                >
                  History
                </ButtonLink>
              }
            />
            <ModelNotes known={known} />
          </>
        )
      }}
    </ShowQuery>
  )
}
