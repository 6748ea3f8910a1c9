import { removeStaged, stagedFiles } from '../blobs/staged-files.ts'
import { type S3Bucket, type S3RequestsOptions, s3Requests } from '../blobs/s3-requests.ts'
import { checkedName, type ObjectFiles } from './object-files.ts'

export interface BucketFilesOptions extends S3Bucket, S3RequestsOptions {
  /** Prefix of the key of every file; '' or with a slash at its end. */
  prefix: string
  /** Local folder in which a file is complete before it is uploaded. */
  stagingDir: string
}

const absent = 404

/** Files as objects of a bucket. An upload is one request that is signed over the digest of its content; S3 limits it to 5 GB. */
export function bucketFiles({ prefix, stagingDir, ...bucket }: BucketFilesOptions): ObjectFiles {
  const staged = stagedFiles(stagingDir)
  const requests = s3Requests(bucket, bucket)
  // A key is encoded in the address of a request, where a percent sign of the name is one more character.
  const keyOf = (name: string) => prefix + checkedName(name).replaceAll('%', '%25')
  return {
    async write(name, content) {
      const file = await staged.write(content)
      try {
        const response = await requests.send({ method: 'PUT', key: keyOf(name), file })
        await response.body?.cancel()
      } finally {
        await removeStaged(file.path)
      }
      return file.sizeBytes
    },
    async readText(name) {
      const response = await requests.send({ method: 'GET', key: keyOf(name) }, [absent])
      if (response.ok) return response.text()
      await response.body?.cancel()
      return undefined
    },
    async remove(name) {
      const response = await requests.send({ method: 'DELETE', key: keyOf(name) }, [absent])
      await response.body?.cancel()
    },
  }
}
