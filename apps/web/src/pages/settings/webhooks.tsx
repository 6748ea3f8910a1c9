import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { addressOf } from '../../lib/server/base-path.ts'
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
          Heddle posts signed JSON to your URLs when something happens. <a href={addressOf('/docs/webhooks')}>Receive webhooks</a>
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
        {(webhooks) => <ListedWebhooks webhooks={webhooks} />}
      </ShowQuery>
      <NewWebhook open={isCreating} onClose={() => setIsCreating(false)} onCreated={setCreated} />
    </SettingsSection>
  )
}
