import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { Button } from '../../ui/button.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { ShownOnce } from '../../ui/texts/shown-once.tsx'
import { ListedWebhooks } from './listed-webhooks.tsx'
import { type CreatedWebhook, NewWebhook } from './new-webhook.tsx'
import { webhooksQuery } from './webhooks-query.ts'
import { SettingsSection } from './settings-section.tsx'

/** URLs to which events of the project are sent, for its administrators. */
export function Webhooks() {
  const { id } = useProject()
  const query = useQuery(webhooksQuery(id))
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<CreatedWebhook>()
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
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setIsCreating(true)}>
          New webhook
        </Button>
      }
    >
      {created && (
        <ShownOnce secret={created.secret} onDone={() => setCreated(undefined)}>
          The secret with which messages to <strong>{created.webhook.name}</strong> are signed
        </ShownOnce>
      )}
      <ShowQuery query={query} what="the webhooks of the project">
        {(webhooks) => (webhooks.length === 0 ? <p className="text-fg-3">Nothing is sent yet.</p> : <ListedWebhooks webhooks={webhooks} />)}
      </ShowQuery>
      <NewWebhook open={isCreating} onClose={() => setIsCreating(false)} onCreated={setCreated} />
    </SettingsSection>
  )
}
