import type { Call } from '@heddle/core-api/types'
import { useNavigate } from '@tanstack/react-router'
import { CirclePlay, Code, Download, GitCompareArrows, Link2, ListChecks, MessageCircleQuestion } from 'lucide-react'
import { useState } from 'react'
import { MoreMenu } from '../../../ui/more-menu.tsx'
import { serverUrl } from '../../../lib/server/base-path.ts'
import { useProject } from '../../../lib/use-project.ts'
import { saveCall } from '../save-call.ts'
import { MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { draftOfRecorded } from '../../playground/draft/draft-of-recorded.ts'
import { lazyDialog } from '../../../ui/lazy-part.tsx'

const AddToQueue = lazyDialog(() => import('../../calls/add/add-to-queue.tsx').then(({ AddToQueue }) => AddToQueue))
const CodeDialog = lazyDialog(() => import('./code-dialog.tsx').then(({ CodeDialog }) => CodeDialog))
const AskDialog = lazyDialog(() => import('../../assistant/ask-dialog.tsx').then(({ AskDialog }) => AskDialog))

type OpenDialog = 'queue' | 'code' | 'assistant'

/** Further actions on a call. */
export function CallMenu({ call }: { call: Call }) {
  const { entity, project, id } = useProject()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const params = { entity, project }
  return (
    <>
      <MoreMenu>
        {draftOfRecorded(call) && (
          <MenuItem
            icon={CirclePlay}
            onClick={() => void navigate({ to: '/$entity/$project/playground', params, search: { call: call.id } })}
          >
            Open in playground
          </MenuItem>
        )}
        <MenuItem icon={ListChecks} onClick={() => setDialog('queue')}>
          Send to annotation…
        </MenuItem>
        <MenuItem
          icon={GitCompareArrows}
          onClick={() => void navigate({ to: '/$entity/$project/calls/compare', params, search: { ids: call.id } })}
        >
          Compare with…
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Code} onClick={() => setDialog('code')}>
          Copy as code…
        </MenuItem>
        <MenuItem icon={MessageCircleQuestion} onClick={() => setDialog('assistant')}>
          Copy for assistant…
        </MenuItem>
        <MenuItem icon={Link2} onClick={() => void copyLink(`${id}/calls/${call.id}`)}>
          Copy link to span
        </MenuItem>
        <MenuItem icon={Download} onClick={() => saveCall(call)}>
          Export JSON
        </MenuItem>
      </MoreMenu>
      {dialog === 'queue' && <AddToQueue ids={[call.id]} onClose={close} />}
      {dialog === 'code' && <CodeDialog call={call} onClose={close} />}
      {dialog === 'assistant' && <AskDialog prompt="explain_call" given={{ project: id, call_id: call.id }} onClose={close} />}
    </>
  )
}

/** The address of a page on this server, also behind a path. */
const linkTo = (path: string) => `${serverUrl()}/${path.split('/').map(encodeURIComponent).join('/')}`

async function copyLink(path: string): Promise<void> {
  const link = linkTo(path)
  try {
    await navigator.clipboard.writeText(link)
    toast({ title: 'Link copied' })
  } catch {
    // Without a safe connection a browser does not let pages copy.
    toast({ tone: 'info', title: 'Copy this link', text: link })
  }
}
