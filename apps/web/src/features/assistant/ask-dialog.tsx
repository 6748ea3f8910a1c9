import { Bot } from 'lucide-react'
import { promptText } from '@heddle/mcp-server/prompts'
import { Dialog } from '../../ui/dialog.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Fold } from '../../ui/fold.tsx'
import { ConnectAssistant } from './connect-assistant.tsx'

export interface AssistantPrompt {
  /** Name of a prompt that the tools of this server offer. */
  prompt: string
  given: Readonly<Record<string, string>>
}

/** A question about what a page shows, to copy into an assistant that has the tools of this server. */
export function AskDialog({ prompt, given, onClose }: AssistantPrompt & { onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Copy for assistant"
      description="A connected assistant answers it with the tools of this server."
      width="w-[640px]"
    >
      <CodeBlock className="my-1" look="text" label="the question" code={promptText(prompt, given)} />
      <Fold icon={Bot} title="Connect an assistant">
        <ConnectAssistant />
      </Fold>
    </Dialog>
  )
}
