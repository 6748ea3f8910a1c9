import { badRequest, conflict } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { canonicalJson, stringifyJson } from '@heddle/json'
import { timeSlices } from '@heddle/service-kit'
import { textDigest } from '../../../payload/digest.ts'
import { type RefProjects, rewriteRefs } from '../../../payload/rewrite-refs.ts'
import { applyBuiltinClass } from './apply-builtin-class.ts'
import { checkFileNames } from './check-file-names.ts'
import { checkMonitor } from './check-monitor.ts'
import { toObjectClass, toObjectKind } from '../versions/object-class.ts'
import { checkObjectName } from './object-name.ts'
import type { ObjectValuesStore } from '../values/object-values-store.ts'
import type { NewVersion, ObjectsStore } from '../objects-store.ts'

/** An object as a request has it. */
export interface ObjectDraft {
  object_id: string
  val: unknown
  /** Null: the value is stored as it is. */
  builtin_object_class: string | null
  /** Null: any digest will do. */
  expected_digest: string | null
  wb_user_id: string
  /** The key of the request. Absent: the server itself publishes it. */
  key_id?: string
}

export interface PublishedObject {
  digest: string
  version_index: number
}

export interface ObjectPublisher {
  /**
   * Stores a version of an object and makes it the latest of its name. Resolves when it is durable and readable.
   * @throws 400 for a value that breaks a rule or a name of another class, 409 where the digest is not the expected one, 422 for a bad name.
   */
  publish(project: ProjectScope, draft: ObjectDraft, refProjects: RefProjects): Promise<PublishedObject>
}

interface ObjectPublisherDeps {
  objects: ObjectsStore
  values: ObjectValuesStore
  clock: () => Micros
}

export function createObjectPublisher({ objects, values, clock }: ObjectPublisherDeps): ObjectPublisher {
  return {
    async publish(project, draft, refProjects) {
      const { version, value } = await prepare(draft, refProjects)
      const latest = await objects.findLatest(project, version)
      if (latest !== undefined) return { digest: version.digest, version_index: latest.version_index }
      await values.put(project, value)
      const [published] = await objects.publish(project, [{ ...version, at: clock() }])
      if (published === undefined) throw new Error(`object ${version.object_id} was neither published nor refused`)
      if (published.status === 'other_class') throw otherClass(version, published.base_object_class)
      return { digest: version.digest, version_index: published.version_index }
    },
  }
}

async function prepare(
  { object_id, val: given, builtin_object_class, expected_digest, wb_user_id, key_id }: ObjectDraft,
  refProjects: RefProjects,
) {
  const pace = timeSlices.begin()
  checkObjectName(object_id)
  checkFileNames(given)
  checkMonitor(given)
  await pace()
  const { internal, external: val } = await rewriteRefs(
    builtin_object_class === null ? given : applyBuiltinClass(builtin_object_class, given),
    refProjects,
  )
  await pace()
  const digest = textDigest(canonicalJson(internal))
  await pace()
  if (expected_digest !== null && expected_digest !== digest) {
    throw conflict(`Client obj '${object_id}' digest ${expected_digest} != server digest ${digest}`)
  }
  const json = stringifyJson(val)
  await pace()
  const version = {
    object_id,
    digest,
    kind: toObjectKind(val),
    ...toObjectClass(val),
    wb_user_id,
    key_id: key_id ?? null,
    size_bytes: Buffer.byteLength(json),
  }
  return { version, value: { digest, val, json } }
}

function otherClass({ object_id, base_object_class }: Pick<NewVersion, 'object_id' | 'base_object_class'>, used: string | null) {
  const inWords = (name: string | null) => (name === null ? 'a value without a class' : `an instance of '${name}'`)
  return badRequest(
    `Cannot publish '${object_id}' as ${inWords(base_object_class)}: that name is already used by ${inWords(used)} in this project. ` +
      'Choose another name, or delete the existing versions first.',
  )
}
