import { Rocket } from 'lucide-react'
import type { ObjectVersion } from '../../features/library/library-queries.ts'
import { useMoveAlias } from '../../features/library/use-move-alias.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'

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
export function PromoteButton({ name, versions, shown: { digest, version_index: index } }: Properties) {
  const move = useMoveAlias(name)
  const promote = () =>
    move.mutate(
      { alias, to: { name, digest, index }, from: versions.find(isInProduction)?.digest },
      { onError: (error) => toast({ tone: 'error', title: `v${index} could not be promoted`, error }) },
    )
  return (
    <Button variant="primary" icon={Rocket} loading={move.isPending} onClick={promote}>
      Promote to production
    </Button>
  )
}
