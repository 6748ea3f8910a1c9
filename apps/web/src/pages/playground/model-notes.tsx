import { PageFooter } from '../../ui/page.tsx'
import type { KnownModels } from './playground-queries.ts'

/** That runs are recorded, and which models are not offered. */
export const ModelNotes = ({ known: { providers, hasMore, trained } }: { known: KnownModels }) => (
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
