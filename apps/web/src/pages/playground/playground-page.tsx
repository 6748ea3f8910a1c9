import './playground.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { callQuery } from '../calls/call-query.ts'
import { emptyDraft } from './draft/draft.ts'
import type { CallDraft } from './draft/draft-of-call.ts'
import { draftOfRecorded } from './draft/draft-of-recorded.ts'
import { firstModel } from './known-models.ts'
import { ModelNotes } from './model-notes.tsx'
import { PlaygroundForm } from './playground-form.tsx'
import { knownModelsQuery } from './playground-queries.ts'

const route = getRouteApi('/$entity/$project/playground')
const blank: CallDraft = { draft: emptyDraft, model: '' }

/** Tries a conversation with models beside each other, from nothing or from a call. */
export function PlaygroundPage() {
  const { call } = route.useSearch()
  return (
    <>
      <h1>Playground</h1>
      {call === undefined ? <Models key="" opened={blank} /> : <FromCall key={call} id={call} />}
    </>
  )
}

function FromCall({ id }: { id: string }) {
  const project = useProject()
  const query = useQuery({ ...callQuery(project.id, id), refetchInterval: false })
  const { id: _, ...params } = project
  return (
    <ShowQuery query={query} what="the call">
      {(call) => {
        const opened = call && draftOfRecorded(call)
        return (
          <>
            {call === null && <p className="problem">Call {id} was not found. It may have been deleted.</p>}
            {call && (
              <p className="muted">
                From the call{' '}
                <Link to="/$entity/$project/calls/$call" params={{ ...params, call: id }}>
                  {id}
                </Link>
                {opened === undefined && ', whose inputs hold no messages of a conversation'}
              </p>
            )}
            <Models opened={opened ?? blank} />
          </>
        )
      }}
    </ShowQuery>
  )
}

function Models({ opened }: { opened: CallDraft }) {
  return (
    <ShowQuery query={useQuery(knownModelsQuery(useProject()))} what="the models">
      {(known) => {
        const first = firstModel(known, opened.model)
        if (first === undefined)
          return (
            <Empty title="No model to ask">
              This server has no models to sample. Start it with training, or register a model with models.create of the training service.
            </Empty>
          )
        return (
          <>
            {opened.model !== '' && opened.model !== first && (
              <p className="notice">
                The call used {opened.model}, which this server cannot sample. A variant starts with {first} instead.
              </p>
            )}
            <PlaygroundForm opened={opened.draft} known={known} first={first} />
            <ModelNotes known={known} />
          </>
        )
      }}
    </ShowQuery>
  )
}
