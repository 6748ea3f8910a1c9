import type { S3Bucket } from '@heddle/datastore'
import { UsageError } from '../terminal/usage-error.ts'
import { readSecretVariable } from './secret-files.ts'
import type { Environment, SettingText } from './value-kinds.ts'

/** A place for blobs in an S3-compatible store. */
export interface BlobsBucket extends S3Bucket {
  /** Begins every key; '' or with a slash at its end. */
  prefix: string
}

const bucketForm = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const prefixForm = /^[A-Za-z0-9!_.*'()/-]{0,500}$/

/**
 * Reads the address of a bucket, `s3://bucket/prefix?region=…&endpoint=…`; region, endpoint and credentials that are not in it come from the variables that tools for S3 share.
 * @throws UsageError that says what is missing or wrong
 */
export function parseBlobsUrl({ source, text, environment }: SettingText): BlobsBucket {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const form = 's3://bucket/prefix?region=…&endpoint=…'
  if (url?.protocol !== 's3:') throw new UsageError(`${source} is not a bucket URL; expected ${form}`)
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`${source} must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead`)
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'region' && name !== 'endpoint')
  if (unknown !== undefined)
    throw new UsageError(`${source} has an unknown parameter ${JSON.stringify(unknown)}; expected region or endpoint`)
  if (!bucketForm.test(url.hostname)) throw new UsageError(`${source} has no valid bucket name; expected ${form}`)
  const region = url.searchParams.get('region') || environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || 'us-east-1'
  const endpoint = url.searchParams.get('endpoint') || environment['AWS_ENDPOINT_URL_S3'] || environment['AWS_ENDPOINT_URL'] || undefined
  return {
    url: bucketAddress(source, { bucket: url.hostname, region, endpoint }),
    region,
    prefix: toPrefix(source, url.pathname),
    ...credentials(source, environment),
  }
}

/** A bucket whose name has a dot is not covered by the certificate as a host name, and other stores than the first know only paths. */
function bucketAddress(
  source: string,
  { bucket, region, endpoint }: { bucket: string; region: string; endpoint: string | undefined },
): string {
  if (!/^[a-z0-9-]{1,40}$/.test(region)) throw new UsageError(`${source} has an invalid region ${JSON.stringify(region)}`)
  if (endpoint === undefined) {
    const host = `s3.${region}.amazonaws.com`
    return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
  }
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  const isPlain = url && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!isPlain || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(
      `${source} has an invalid endpoint; it must start with http:// or https:// and have no credentials, query or fragment`,
    )
  return `${url.href.replace(/\/+$/, '')}/${bucket}`
}

function toPrefix(source: string, path: string): string {
  const prefix = path.replace(/^\/+|\/+$/g, '')
  if (!prefixForm.test(prefix) || prefix.includes('//'))
    throw new UsageError(`${source} has an invalid prefix ${JSON.stringify(prefix)}; allowed are letters, digits, slashes and !_.*'()-`)
  return prefix === '' ? '' : `${prefix}/`
}

function credentials(source: string, environment: Environment): Pick<S3Bucket, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'> {
  const accessKeyId = readSecretVariable(environment, 'AWS_ACCESS_KEY_ID') ?? ''
  const secretAccessKey = readSecretVariable(environment, 'AWS_SECRET_ACCESS_KEY') ?? ''
  if (accessKeyId === '' || secretAccessKey === '')
    throw new UsageError(`${source} needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`)
  const sessionToken = readSecretVariable(environment, 'AWS_SESSION_TOKEN')
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}
