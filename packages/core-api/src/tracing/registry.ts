import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, tooManyToMatch } from '../shapes/bounded.ts'
import { Identifier, Reference } from '../shapes/identifier.ts'
import { orDefault } from '../shapes/optional.ts'
import { RegistryLink } from './registry-link.ts'

const Name = Identifier.min(1)

/** Named collections of object versions, in a project that is used as a registry. */
export const registry = defineResource('Versions that are published in collections of another project', {
  link: {
    method: 'POST',
    path: '/link_to_registry',
    effect: 'write',
    summary: 'Link an object version to a registry',
    description: 'Versions of a collection are indexed from 0. Linking a version again keeps its index and replaces its aliases.',
    body: z.object({
      ref: Reference.min(1).describe('Reference to an object version; requires read access to its project'),
      target: z
        .object({
          portfolio_name: Name.describe('Collection, created on first use; up to 128 characters'),
          entity_name: Name.describe('Entity of the registry project'),
          project_name: Name.describe('Name of the registry project'),
        })
        .describe('Target of the link; requires write access'),
      aliases: orDefault(listOf(Identifier, 1000, tooManyToMatch), []).describe(
        'Aliases of the version in the collection. An existing alias moves to this version',
      ),
    }),
    output: RegistryLink.extend({
      version_index: z.number().nullable().describe('Index of the version in the collection'),
      ref: z.string().describe('The version that was linked, by its digest'),
    }),
  },
})
