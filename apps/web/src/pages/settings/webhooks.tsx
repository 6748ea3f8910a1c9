import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { AddWebhook } from './add-webhook.tsx'
import { ListedWebhooks } from './listed-webhooks.tsx'
import { webhooksQuery } from './webhooks-query.ts'
import { SettingsSection } from './settings-section.tsx'

/** URLs to which events of the project are sent, for its administrators. */
export function Webhooks() {
  const { id } = useProject()
  const query = useQuery(webhooksQuery(id))
  return (
    <SettingsSection
      title="Webhooks"
      text={
        <>
          URLs to which this server sends what happens in the project, as signed JSON. <code>docs/webhooks.md</code> shows how to receive
          it.
        </>
      }
      query={query}
      refreshes="the webhooks"
      adminsMay="see and create webhooks"
    >
      <ShowQuery query={query} what="the webhooks of the project">
        {(webhooks) => (webhooks.length === 0 ? <p className="text-fg-3">Nothing is sent yet.</p> : <ListedWebhooks webhooks={webhooks} />)}
      </ShowQuery>
      <AddWebhook />
    </SettingsSection>
  )
}
