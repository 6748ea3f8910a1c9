import { expect, test } from 'vitest'
import { UsageError } from '../terminal/usage-error.ts'
import { parseParquetUrl } from './parquet-url.ts'

const environment = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
const parse = (text: string) => parseParquetUrl({ source: 'HEDDLE_PARQUET_URL', text, environment })

test.each([
  ['a path', '/data/parquet', '/data/parquet'],
  ['a file URL', 'file:///data/my%20parquet', '/data/my parquet'],
  ['a path with a colon', '/data/a:b', '/data/a:b'],
])('%s is a folder of this machine', (_, text, folder) => expect(parse(text)).toEqual({ folder }))

test('the address of a bucket is a bucket', () => expect(parse('s3://bucket/heddle')).toMatchObject({ bucket: { prefix: 'heddle/' } }))

test.each([
  ['gs://bucket/heddle', 'HEDDLE_PARQUET_URL begins with "gs:"; expected the path of a folder, or s3://bucket/prefix'],
  ['https://store.example/bucket', 'HEDDLE_PARQUET_URL begins with "https:"; expected the path of a folder, or s3://bucket/prefix'],
  ['file://elsewhere/parquet', 'HEDDLE_PARQUET_URL is not the URL of a folder of this machine; expected its path, or file:///path'],
])('%s is refused with what is expected', (text, message) => expect(() => parse(text)).toThrow(new UsageError(message)))
