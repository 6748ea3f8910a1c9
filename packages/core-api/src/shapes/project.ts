import { z } from 'zod'

/** The external name of a project. Its form is checked where the project is opened, since a malformed one gets 400, not 422. */
export const ProjectId = z.string().describe('Project as `entity/project`')

/** Path parameters of the operations under `/v2/{entity}/{project}`. */
export const ProjectPath = z.object({
  entity: z.string().describe('Entity that owns the project'),
  project: z.string().describe('Name of the project'),
})
