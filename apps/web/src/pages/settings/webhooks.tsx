import { isApiError } from '@heddle/core-api'
import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../app/use-project.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { AddWebhook } from './add-webhook.tsx'
import { ListedWebhooks } from './listed-webhooks.tsx'
import { webhooksQuery } from './webhooks-query.ts'

/** URLs to which events of the project are sent, for its administrators. */
export function Webhooks() {
  const { id } = useProject()
  const query = useQuery(webhooksQuery(id))
  const isForbidden = isApiError(query.error) && query.error.status === 403
  return (
    <section aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      {isForbidden ? (
        <p>Only keys with the role admin in this project may see and create webhooks.</p>
      ) : (
        <>
          <p className="muted">
            URLs to which this server sends what happens in the project, as signed JSON. <code>docs/webhooks.md</code> shows how to receive
            it.
          </p>
          <ShowQuery query={query} what="the webhooks of the project">
            {(webhooks) => (webhooks.length === 0 ? <p>Nothing is sent yet.</p> : <ListedWebhooks webhooks={webhooks} />)}
          </ShowQuery>
          <p>
            <button type="button" disabled={query.isFetching} onClick={() => void query.refetch()}>
              Refresh the webhooks
            </button>
          </p>
          <AddWebhook />
        </>
      )}
    </section>
  )
}
