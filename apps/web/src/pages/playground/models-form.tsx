import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Boxes, History } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead, PageFooter } from '../../ui/page.tsx'
import { emptyDraft } from '../../features/playground/draft/draft.ts'
import type { CallDraft } from '../../features/playground/draft/draft-of-call.ts'
import { firstModel } from './known-models.ts'
import { PlaygroundForm } from './playground-form.tsx'
import { knownModelsQuery, type KnownModels } from './playground-queries.ts'
import { opName } from './runs/recorded-run.ts'

const route = getRouteApi('/$entity/$project/playground')

/** An empty conversation. */
export const blank: CallDraft = { draft: emptyDraft, model: '' }

interface Properties {
  opened: CallDraft
  /** Its origin. */
  origin?: ReactNode
  notice?: string | undefined
}

/** The form of the playground once its models are known. */
export function ModelsForm({ opened, origin, notice }: Properties) {
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

/** That runs are recorded, and which models are not offered. */
const ModelNotes = ({ known: { providers, hasMore, trained } }: { known: KnownModels }) => (
  <PageFooter>
    <span className="shrink-0">Each run is recorded as a trace</span>
    {hasMore && <span className="truncate">The first {trained.length.toLocaleString('en')} trained models are offered</span>}
    {providers.length === 0 && (
      <span className="truncate" data-cut="" data-tip="Keys stay on the server">
        No providers. Set HEDDLE_PROVIDERS_FILE or HEDDLE_OPENAI_API_KEY on the server
      </span>
    )}
  </PageFooter>
)
