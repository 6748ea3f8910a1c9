import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { wereUpdated } from '../../lib/code/updated-pages.ts'
import { Button } from '../button.tsx'
import { Notice } from '../notice.tsx'

/** Replaces what did not load, and says what to do. */
export function NotLoaded() {
  const { text, look } = useReason()
  /** Without an answer the browser would show its own error page. */
  const reload = async () => {
    if ((await look()) !== undefined) window.location.reload()
  }
  return (
    <Notice
      tone="error"
      title="A part of this page did not load"
      className="my-3"
      actions={
        <Button icon={RefreshCw} onClick={() => void reload()}>
          Reload
        </Button>
      }
    >
      {text}
    </Notice>
  )
}

const texts = {
  looking: 'Reload the page.',
  unreachable: 'The server could not be reached. Check your connection, then reload.',
  updated: 'Heddle was updated. Reload to get the new version.',
  same: 'Reload the page. If it happens again, tell the operator of the server.',
}

/** Why code did not load, as far as it is known; `look` checks again. */
function useReason() {
  const [reason, setReason] = useState<keyof typeof texts>('looking')
  const look = async () => {
    const updated = await wereUpdated()
    setReason(reasonOf(updated))
    return updated
  }
  useEffect(() => void look(), [])
  return { text: texts[reason], look }
}

const reasonOf = (updated: boolean | undefined) => (updated === undefined ? 'unreachable' : updated ? 'updated' : 'same')

/** For a dialog or menu, which has no place in the page where a notice could stand. */
export async function describeMissing(): Promise<string> {
  return texts[reasonOf(await wereUpdated())]
}
