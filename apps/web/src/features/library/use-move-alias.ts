import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { toastUndo } from '../../ui/states/undo-toast.ts'
import { aliasMovesQuery, versionsQuery } from './library-queries.ts'
import { namedVersionsQuery } from './named-versions-query.ts'

/** A version of an object, which is not an op. */
export interface AliasedVersion {
  name: string
  digest: string
  index: number
}

export interface AliasMove {
  alias: string
  /** Where the alias points from now on. Undefined removes it. */
  to: AliasedVersion | undefined
  /** Digest of the version that it points to now. Undefined: none has it. */
  from: string | undefined
}

/** Points an alias of the object `name` to a version, or removes it. A toast offers to undo either. */
export function useMoveAlias(name: string) {
  const project = useProject()
  const queries = useQueryClient()
  const point = async (alias: string, digest: string | undefined) => {
    const object = { project_id: project.id, object_id: name, aliases: [alias] }
    await (digest === undefined ? client.objects.removeAliases(object) : client.objects.setAliases({ ...object, digest }))
    await Promise.all(
      [versionsQuery(client, project, { name, isOp: false }), aliasMovesQuery(client, project, name), namedVersionsQuery(project.id)].map(
        ({ queryKey }) => readAgain(queries, queryKey),
      ),
    )
  }
  return useMutation({
    mutationFn: ({ alias, to }: AliasMove) => point(alias, to?.digest),
    onSuccess: (_, { alias, to, from }) =>
      toastUndo({
        title: to === undefined ? `Alias @${alias} removed` : `Alias @${alias} set`,
        text: to === undefined ? name : `${name} v${to.index}`,
        undo: () => point(alias, from),
        problem: `The change of @${alias} could not be undone`,
      }),
  })
}
