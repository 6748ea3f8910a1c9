import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Rocket } from 'lucide-react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { type ObjectVersion, versionsQuery } from '../../features/library/library-queries.ts'
import { Button } from '../../ui/button.tsx'
import { toastUndo } from '../../ui/states/undo-toast.ts'
import { toast } from '../../ui/toast.tsx'
import { aliasMovesQuery } from './alias-history.tsx'

const alias = 'production'

/** Whether a version is the one that programs get by the alias `production`. */
export const isInProduction = ({ aliases }: Pick<ObjectVersion, 'aliases'>): boolean => aliases?.includes(alias) ?? false

interface Properties {
  /** Name of the object, which is not an op. */
  name: string
  versions: readonly ObjectVersion[]
  shown: ObjectVersion
}

/** Moves the alias `production` to the version shown, which can be undone. */
export function PromoteButton({ name, versions, shown }: Properties) {
  const project = useProject()
  const queries = useQueryClient()
  const object = { project_id: project.id, object_id: name }
  /** `digest`: undefined removes the alias. */
  const point = async (digest: string | undefined) => {
    await (digest === undefined
      ? client.objects.removeAliases({ ...object, aliases: [alias] })
      : client.objects.setAliases({ ...object, digest, aliases: [alias] }))
    await Promise.all([
      readAgain(queries, versionsQuery(client, project, { name, isOp: false }).queryKey),
      readAgain(queries, aliasMovesQuery(client, project, name).queryKey),
    ])
  }
  const before = versions.find(isInProduction)
  const promote = useMutation({
    mutationFn: () => point(shown.digest),
    onSuccess: () =>
      toastUndo({
        title: 'Promoted to production',
        text: `${name} v${shown.version_index}`,
        undo: () => point(before?.digest),
        problem: 'The promotion could not be undone',
      }),
    onError: (error) => toast({ tone: 'error', title: `v${shown.version_index} could not be promoted`, error }),
  })
  return (
    <Button variant="primary" icon={Rocket} loading={promote.isPending} onClick={() => promote.mutate()}>
      Promote to production
    </Button>
  )
}
