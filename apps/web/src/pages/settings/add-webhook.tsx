import type { WebhookEvent } from '@heddle/core-api/types'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { ShownOnce } from '../../ui/texts/shown-once.tsx'
import { webhooksQuery } from './webhooks-query.ts'
import { textOfEvent } from './webhook-texts.ts'
import { SettingsForm } from './settings-form.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'

const allEvents = Object.keys(textOfEvent) as WebhookEvent[]

/** Makes a webhook for the project, and shows its secret once. */
export function AddWebhook() {
  const { id } = useProject()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(['evaluation.finished'])
  const isUrl = url.trim() === '' || /^https?:\/\/./i.test(url.trim())
  const add = useMutation({
    // Not kept in a cache: the secret is shown once, and discarded with this page.
    gcTime: 0,
    mutationFn: () => client.webhooks.create({ project_id: id, name: name.trim(), url: url.trim(), events: [...events] }),
    onSuccess() {
      setName('')
      setUrl('')
      return readAgain(queries, webhooksQuery(id).queryKey)
    },
  })
  const choose = (event: WebhookEvent, isChosen: boolean) =>
    setEvents(allEvents.filter((each) => (each === event ? isChosen : events.includes(each))))
  const isComplete = name.trim() !== '' && url.trim() !== '' && isUrl && events.length > 0
  return (
    <>
      <SettingsForm title="New webhook" columns={2} sending={add} action="Create webhook" isReady={isComplete}>
        <TextField label="Name" help="What it is for" maxLength={128} autoComplete="off" value={name} onChange={setName} />
        <TextField
          label="URL"
          {...(!isUrl && { error: 'The URL must start with https:// or http://.' })}
          type="url"
          maxLength={2000}
          autoComplete="off"
          placeholder="https://example.com/hook"
          value={url}
          onChange={setUrl}
        />
        <fieldset className="col-span-full flex flex-col">
          <legend className="mb-1 text-xs font-medium text-fg-2">Send when</legend>
          {allEvents.map((event) => (
            <Checkbox key={event} label={textOfEvent[event]} checked={events.includes(event)} onChange={(isOn) => choose(event, isOn)} />
          ))}
        </fieldset>
      </SettingsForm>
      {add.data && (
        <ShownOnce secret={add.data.secret} onDone={() => add.reset()}>
          The secret with which messages to <strong>{add.data.webhook.name}</strong> are signed
        </ShownOnce>
      )}
    </>
  )
}
