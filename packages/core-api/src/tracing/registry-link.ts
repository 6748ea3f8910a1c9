import { z } from 'zod'
import { ProjectId } from '../shapes/project.ts'
import { TimestampText } from '../shapes/timestamp.ts'

/** An object version in a portfolio, the named collection of a registry project. */
export const RegistryLink = z
  .object({
    project_id: ProjectId.describe('Registry project as `entity/project`'),
    portfolio_name: z.string().describe('Collection in the registry project'),
    version_index: z.number().describe('Index in the collection, from 0 in the order of linking'),
    aliases: z.array(z.string()).describe('Names in the collection that point to the version, sorted'),
    wb_user_id: z.string().describe('User who linked the version first'),
    created_at: TimestampText.describe('When the version was linked first'),
  })
  .meta({ id: 'RegistryLink' })
export type RegistryLink = z.output<typeof RegistryLink>
