import type { ReactNode } from 'react'
import { serverUrl } from '../../lib/server/base-path.ts'
import { useProject } from '../../lib/use-project.ts'
import { CodeBlock } from '../../ui/code.tsx'
import { refOf } from '../../features/library/library-queries.ts'

interface Version {
  name: string
  digest: string
  isOp: boolean
}

/** How a program names and reads a version. */
export function UseInCode(version: Version) {
  const project = useProject()
  const read = {
    project_id: project.id,
    object_id: version.name,
    digest: version.digest,
  }
  const typescript = `import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'

const client = createClient({ baseUrl: ${JSON.stringify(serverUrl())}, apiKey: process.env.HEDDLE_API_KEY, contract: tracing })
const { obj } = await client.objects.read(${JSON.stringify(read, undefined, 2)})
`
  const shell = `curl ${serverUrl()}/obj/read -H "Authorization: Bearer $HEDDLE_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify(read).replaceAll("'", "'\\''")}'
`
  return (
    <div className="flex max-w-190 flex-col gap-4">
      <Part title="Reference">
        <CodeBlock code={refOf(project, version)} label="Reference" />
      </Part>
      {!version.isOp && (
        <>
          <Part title="TypeScript">
            <CodeBlock code={typescript} label="TypeScript" />
          </Part>
          <Part title="Shell">
            <CodeBlock code={shell} label="Shell" />
          </Part>
        </>
      )}
    </div>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h3 className="mb-1 text-xs font-medium text-fg-2">{title}</h3>
    {children}
  </section>
)
