import type { WebhookEvent } from '@heddle/core-api/types'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Failure } from '../../ui/states/failure.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { webhooksQuery } from './webhooks-query.ts'
import { textOfEvent } from './webhook-texts.ts'

const allEvents = Object.keys(textOfEvent) as WebhookEvent[]

export type CreatedWebhook = Awaited<ReturnType<typeof client.webhooks.create>>

interface Properties {
  open: boolean
  onClose: () => void
  /** Its secret cannot be read again. */
  onCreated: (created: CreatedWebhook) => void
}

/** Creates a webhook for the project. */
export function NewWebhook({ open, onClose, onCreated }: Properties) {
  const { id } = useProject()
  const queries = useQueryClient()
  const first = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(['evaluation.finished'])
  const isUrl = url.trim() === '' || /^https?:\/\/./i.test(url.trim())
  const create = useMutation({
    // The answer has the secret, so it is not kept in a cache.
    gcTime: 0,
    mutationFn: () => client.webhooks.create({ project_id: id, name: name.trim(), url: url.trim(), events: [...events] }),
    onSuccess(created) {
      create.reset()
      setName('')
      setUrl('')
      onCreated(created)
      onClose()
      return readAgain(queries, webhooksQuery(id).queryKey)
    },
  })
  const choose = (event: WebhookEvent, isChosen: boolean) =>
    setEvents(allEvents.filter((each) => (each === event ? isChosen : events.includes(each))))
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="New webhook"
      description="The secret that signs its messages is shown once."
      initialFocus={first}
      action="Create webhook"
      isReady={name.trim() !== '' && url.trim() !== '' && isUrl && events.length > 0}
      isSending={create.isPending}
      onSubmit={() => create.mutate()}
    >
      <TextField label="Name" help="What it is for" ref={first} maxLength={128} autoComplete="off" value={name} onChange={setName} />
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
      <fieldset className="flex flex-col">
        <legend className="mb-1 text-xs font-medium text-fg-2">Send when</legend>
        {allEvents.map((event) => (
          <Checkbox key={event} label={textOfEvent[event]} checked={events.includes(event)} onChange={(isOn) => choose(event, isOn)} />
        ))}
      </fieldset>
      <Failure error={create.error} />
    </FormDialog>
  )
}
