import { formatRef, formatTimestamp, type Handlers, type ObjectRef, parseRef, type tracing } from '@heddle/core-api'
import { badRequest, forbidden, internalRefScheme, notFound } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { RefProjectsFor, RequestRefProjects } from '../../payload/ref-projects.ts'
import { rewriteRefs } from '../../payload/rewrite-refs.ts'
import { checkAliasName } from '../../records/objects/labels/check-labels.ts'
import type { ObjectsStore } from '../../records/objects/objects-store.ts'
import { parseDigestArgument } from '../../records/objects/versions/digest-argument.ts'
import type { RegistryStore } from './registry-store.ts'

export interface RegistryDeps {
  registry: RegistryStore
  objects: ObjectsStore
  refProjects: RefProjectsFor
  clock: () => Micros
}

/** Operations on registries. */
export function registryHandlers({ registry, objects, refProjects, clock }: RegistryDeps): Handlers<typeof tracing.registry, Context> {
  return {
    async link({ ref: text, target, aliases }, context) {
      const { portfolio_name, entity_name, project_name } = target
      const project = await context.open(`${entity_name}/${project_name}`)
      checkPortfolioName(portfolio_name)
      aliases.forEach(checkAliasName)
      const projects = refProjects(project, context)
      const ref = await readRef(text, projects)
      const source = await projects.openToRead(`${ref.entity}/${ref.project}`)
      if (source === undefined) throw forbidden()
      const [version] = await objects.findVersions(source, [{ object_id: ref.name, argument: parseDigestArgument(ref.digest) }])
      if (version === undefined || version.deleted_at !== null) throw notFound(`Obj ${ref.name}:${ref.digest} not found`)
      const { object_id, kind, digest } = version
      const made = await registry.link(project, {
        portfolio_name,
        source: { project: source, object_id, digest },
        aliases,
        wb_user_id: context.caller.userId,
        at: clock(),
      })
      return {
        ...made,
        created_at: formatTimestamp(made.created_at),
        project_id: project.id,
        portfolio_name,
        aliases: [...new Set(aliases)].sort(),
        ref: formatRef({ ...ref, kind, digest }),
      }
    },
  }
}

/** @throws 400 for a text that is not a reference to a whole version. */
async function readRef(text: string, projects: RequestRefProjects): Promise<ObjectRef> {
  const external = text.startsWith(internalRefScheme) ? String((await rewriteRefs(text, projects)).external) : text
  const ref = parseRef(external)
  if (ref === undefined || (ref.kind !== 'object' && ref.kind !== 'op') || ref.edges.length > 0) {
    const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text
    throw badRequest(`ref ${JSON.stringify(shown)} is not a reference to an object version: weave:///entity/project/object/name:digest`)
  }
  return ref
}

const maxLength = 128

/** Refuses a name that no collection of a registry can have: 1 to 128 characters, none of them a control character. @throws 400 */
function checkPortfolioName(name: string): void {
  const shown = JSON.stringify(name.length > 160 ? `${name.slice(0, 160)}…` : name)
  const length = [...name].length
  if (length > maxLength) throw badRequest(`portfolio_name ${shown} has ${length} characters; at most ${maxLength} are allowed`)
  if (/\p{Cc}/u.test(name)) throw badRequest(`portfolio_name ${shown} contains a control character; remove it`)
}
