import type { Call } from '@heddle/core-api/types'
import { serverUrl } from '../../../lib/server/base-path.ts'
import { useProject } from '../../../lib/use-project.ts'
import { CodeBlock } from '../../../ui/code.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { codeOfCall } from './code-of-call.ts'

/** Programs that read a call, and that repeat its model request. */
export function CodeDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  const { id } = useProject()
  return (
    <Dialog open onClose={onClose} title="Copy as code" width="w-[720px]">
      <div className="flex flex-col gap-4">
        {codeOfCall(call, { baseUrl: serverUrl(), project: id }).map(({ title, code }) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1.5 text-xs font-medium text-fg-2">{title}</h3>
            <CodeBlock label={title} code={code} />
          </section>
        ))}
      </div>
    </Dialog>
  )
}
