import { expect, test } from 'vitest'
import { parseBlobsUrl } from './blobs-url.ts'

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hush' }
const parse = (text: string, environment: Record<string, string> = keys) => parseBlobsUrl({ source: 'HEDDLE_BLOBS_URL', text, environment })
const credentials = { accessKeyId: 'id', secretAccessKey: 'hush' }

test.each([
  ['s3://looms', 'https://looms.s3.us-east-1.amazonaws.com', 'us-east-1', ''],
  ['s3://looms/', 'https://looms.s3.us-east-1.amazonaws.com', 'us-east-1', ''],
  ['s3://looms/a/b/?region=eu-west-1', 'https://looms.s3.eu-west-1.amazonaws.com', 'eu-west-1', 'a/b/'],
  ['s3://my.looms/a?region=eu-west-1', 'https://s3.eu-west-1.amazonaws.com/my.looms', 'eu-west-1', 'a/'],
  ['s3://looms/a?endpoint=http://127.0.0.1:9000', 'http://127.0.0.1:9000/looms', 'us-east-1', 'a/'],
  ['s3://looms?endpoint=https%3A%2F%2Fs3.example%2Fbase%2F&region=fi', 'https://s3.example/base/looms', 'fi', ''],
])('%s is the bucket at %s', (value, url, region, prefix) => {
  expect(parse(value)).toEqual({ url, region, prefix, ...credentials })
})

test('what the address does not say comes from the variables of S3 tools', () => {
  const environment = {
    ...keys,
    AWS_SESSION_TOKEN: 't',
    AWS_DEFAULT_REGION: 'a',
    AWS_REGION: 'b',
    AWS_ENDPOINT_URL: 'http://x',
    AWS_ENDPOINT_URL_S3: 'http://y',
  }
  expect(parse('s3://looms', environment)).toEqual({ url: 'http://y/looms', region: 'b', prefix: '', sessionToken: 't', ...credentials })
  expect(parse('s3://looms?region=c&endpoint=http://z', environment)).toMatchObject({ url: 'http://z/looms', region: 'c' })
})

test.each([
  ['looms', /is not a bucket URL; expected s3:\/\/bucket/],
  ['https://looms', /is not a bucket URL/],
  ['s3://', /has no valid bucket name/],
  ['s3://id:secret@looms', /must not contain credentials/],
  ['s3://looms?regoin=x', /unknown parameter "regoin"; expected region or endpoint/],
  ['s3://looms?region=a/b', /region "a\/b"/],
  ['s3://looms?endpoint=ftp://x', /invalid endpoint/],
  ['s3://looms?endpoint=http://u:p@x', /invalid endpoint/],
  ['s3://looms/a%20b', /prefix "a%20b"/],
])('%s is refused', (value, message) => {
  expect(() => parse(value)).toThrow(message)
})

test('missing credentials are named, and none is shown', () => {
  expect(() => parse('s3://looms', {})).toThrow('needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  expect(() => parse('s3://looms?region=%20', keys)).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hush') }))
})
