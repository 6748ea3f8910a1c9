import type { TrainedModel } from '@heddle/core-api/types'
import { queryOptions } from '@tanstack/react-query'
import { client, type TracingClient } from '../../lib/server/client.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { maxModels, trainingClient } from '../../features/training/training-queries.ts'

export interface Provider {
  name: string
  /** Whether it serves models whose names begin with no provider. */
  is_default: boolean
}

/** Models that the playground knows. */
export interface KnownModels {
  trained: readonly TrainedModel[]
  base: readonly string[]
  /** Providers of models, which the operator of the server has configured. */
  providers: readonly Provider[]
  /** Models of providers, which the catalogue of the operator names. */
  catalogue: readonly string[]
  /** The project has more trained models than are listed. */
  hasMore: boolean
}

export const nameOfModel = ({ entity, project, name }: TrainedModel) => `${entity}/${project}/${name}`

/** The models that chat completions sample, the providers of other models, and names of the catalogue. */
export const knownModelsQuery = ({ entity, project, id }: ProjectName) =>
  queryOptions({
    queryKey: ['playground-models', id],
    queryFn: async ({ signal }): Promise<KnownModels> => {
      const [trained, base, catalogue, configured] = await Promise.all([
        trainingClient.models.list({ entity, project, limit: maxModels }, { signal }),
        trainingClient.baseModels.list({ limit: maxModels }, { signal }),
        client.inference.routerModels({ router_vendor: 'playground' }, { signal }),
        client.completions.providers({ project_id: id }, { signal }),
      ])
      return {
        trained: trained.data,
        base: base.data.map((model) => model.id),
        providers: configured.providers,
        catalogue: catalogue.data.map((model) => model.id),
        hasMore: trained.has_more,
      }
    },
  })

/** The value of a version of a prompt, with exact numbers. */
export const promptQuery = (exact: TracingClient, project_id: string, { name, digest }: { name: string; digest: string }) =>
  queryOptions({
    queryKey: ['playground-prompt', project_id, name, digest],
    queryFn: async ({ signal }): Promise<unknown> =>
      (await exact.objects.read({ project_id, object_id: name, digest }, { signal })).obj.val,
    staleTime: Infinity,
  })
