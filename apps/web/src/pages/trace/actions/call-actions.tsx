import type { Call } from '@heddle/core-api'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { serverUrl } from '../../../app/base-path.ts'
import { useProject } from '../../../app/use-project.ts'
import { AskAssistant } from '../../../components/ask-assistant/ask-assistant.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { AddToDataset } from '../../calls/selection/add-to-dataset.tsx'
import { AddToQueue } from '../../calls/selection/add-to-queue.tsx'
import { draftOfRecorded } from '../../playground/draft/draft-of-recorded.ts'
import { codeOfCall } from './code-of-call.ts'
import { ExportCall } from './export-call.tsx'

const forms = [
  { name: 'dataset', title: 'Add to a dataset' },
  { name: 'queue', title: 'Add to an annotation queue' },
  { name: 'code', title: 'Copy as code' },
] as const
type Form = (typeof forms)[number]['name']

/** What can be done with one call. */
export function CallActions({ call }: { call: Call }) {
  const { entity, project, id } = useProject()
  const [open, setOpen] = useState<Form>()
  return (
    <section aria-label="Actions on the call">
      <div className="row">
        {draftOfRecorded(call) && (
          <Link to="/$entity/$project/playground" params={{ entity, project }} search={{ call: call.id }}>
            Open in playground
          </Link>
        )}
        {forms.map(({ name, title }) => (
          <button key={name} type="button" aria-expanded={open === name} onClick={() => setOpen(open === name ? undefined : name)}>
            {title} …
          </button>
        ))}
        <AskAssistant prompt="explain_call" given={{ project: id, call_id: call.id }} />
        <CopyButton title="Copy link" text={() => linkTo(`${id}/calls/${call.id}`)} />
        <ExportCall call={call} />
      </div>
      {open === 'dataset' && <AddToDataset ids={[call.id]} />}
      {open === 'queue' && <AddToQueue ids={[call.id]} />}
      {open === 'code' &&
        codeOfCall(call, { baseUrl: serverUrl(), project: id }).map(({ title, code }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <CopyButton title="Copy" text={() => code} />
            <LongText label={title} text={code} />
          </section>
        ))}
    </section>
  )
}

/** The address of a page on this server, also behind a path. */
const linkTo = (path: string) => `${serverUrl()}/${path.split('/').map(encodeURIComponent).join('/')}`
