import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import type { ProjectName } from '../../lib/use-project.ts'

const maxModels = 100
/** The class of models that the server can run. */
const classOnServer = 'LLMStructuredCompletionModel'

/** The latest version of each of the newest models that the server can run, the newest first. */
export const runnableModelsQuery = ({ id: project_id }: ProjectName) =>
  queryOptions({
    queryKey: ['runnable-models', project_id],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, is_op: false, base_object_classes: ['Model'] }
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const { objs } = await client.objects.query({ project_id, filter, sort_by, limit: maxModels }, { signal })
      return objs.flatMap(({ object_id: name, digest, val }) =>
        (Object(val) as Record<string, unknown>)['_class_name'] === classOnServer
          ? [{ name, ref: `weave:///${project_id}/object/${name}:${digest}` }]
          : [],
      )
    },
  })
