import { ListedLinks } from '../shared-traces/listed-links.tsx'

/** Links with which people without a key read single traces of the project. */
export function PublicLinks() {
  return (
    <section aria-labelledby="public-links">
      <h2 id="public-links">Public links</h2>
      <p className="muted">
        Whoever has such a link reads one trace without an API key. They are created on the page of a trace, with Share.
      </p>
      <ListedLinks traceId={null} none="No trace is shared." />
    </section>
  )
}
