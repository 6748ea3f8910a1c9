import { promptText } from '@heddle/mcp-server/prompts'
import { useState } from 'react'
import { ModalDialog } from '../modal-dialog.tsx'
import { Snippet } from '../snippet.tsx'
import { ConnectAssistant } from './connect-assistant.tsx'

interface Properties {
  /** Name of a prompt that the tools of this server offer. */
  prompt: string
  given: Readonly<Record<string, string>>
}

/** A question about what a page shows, to copy into an assistant that has the tools of this server. */
export function AskAssistant({ prompt, given }: Properties) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Ask your assistant …
      </button>
      {isOpen && (
        <ModalDialog label="Ask your assistant" onClose={() => setIsOpen(false)}>
          <h2>Ask your assistant</h2>
          <p>An assistant that is connected to this server finds the answer with its tools.</p>
          <Snippet label="the question" text={promptText(prompt, given)} />
          <details>
            <summary>Connect an assistant</summary>
            <ConnectAssistant />
          </details>
          <p className="row">
            <button type="button" onClick={() => setIsOpen(false)}>
              Close
            </button>
          </p>
        </ModalDialog>
      )}
    </>
  )
}
