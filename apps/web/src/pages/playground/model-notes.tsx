import type { KnownModels } from './playground-queries.ts'

/** Which models are not offered, and why. */
export function ModelNotes({ known: { providers, hasMore, trained } }: { known: KnownModels }) {
  if (!hasMore && providers.length > 0) return null
  return (
    <section aria-labelledby="other-models">
      <h2 id="other-models">Other models</h2>
      {hasMore && <p className="muted">The first {trained.length} trained models are offered; the project has more.</p>}
      {providers.length === 0 && (
        <p className="muted">
          Models of other providers are offered here once the operator of the server has configured one (HEDDLE_PROVIDERS_FILE or
          HEDDLE_OPENAI_API_KEY). Their keys stay on the server.
        </p>
      )}
    </section>
  )
}
