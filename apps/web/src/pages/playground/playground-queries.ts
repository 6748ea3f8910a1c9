import type { TrainedModel } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import type { ProjectName } from '../../app/use-project.ts'
import { maxModels, trainingClient } from '../training/training-queries.ts'

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

/** The models that chat completions sample, the providers of others, and names of the catalogue. */
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
