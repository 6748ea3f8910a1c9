import type { KnownModels } from './playground-queries.ts'

/** Which models are not offered, and why. */
export function ModelNotes({ known }: { known: KnownModels }) {
  const { catalogue, hasMore, trained } = known
  return (
    <section aria-labelledby="other-models">
      <h2 id="other-models">Other models</h2>
      {hasMore && <p className="muted">The first {trained.length} trained models are offered; the project has more.</p>}
      <p className="muted">
        {catalogue.length === 0
          ? 'Models of providers are not offered here: the server has no operation that sends them a conversation, and its catalogue (HEDDLE_INFERENCE_CATALOGUE) names none. '
          : `The catalogue of the server names ${catalogue.slice(0, 5).join(', ')}${catalogue.length > 5 ? ` and ${catalogue.length - 5} more` : ''}. They are not offered here: the server has no operation that sends them a conversation. `}
        An evaluation on the server runs models of a provider, once its operator has configured one (HEDDLE_PROVIDERS_FILE or
        HEDDLE_OPENAI_API_KEY).
      </p>
    </section>
  )
}
