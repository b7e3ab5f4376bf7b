import { env } from 'cloudflare:workers'
import { boundFiles } from '../../../src/storage/files/bound.ts'
import { testFileStore } from '../../support/file-store-contract.ts'
import { BUCKET, OWNER } from '../support/accounts.ts'

const BINDINGS = {
  FILES: env.FILES,
  S3_ENDPOINT: env.S3_ENDPOINT ?? '',
  AWS_ACCESS_KEY_ID: OWNER.accessKeyId,
  AWS_SECRET_ACCESS_KEY: OWNER.secretAccessKey,
}

// Swift refuses conditional puts with 501.
const bucket = { ...BINDINGS, S3_URL: `s3://${BUCKET}` }
testFileStore('S3', () => boundFiles(bucket), { overwrites: true })

const folder = { ...BINDINGS, S3_URL: `s3://${BUCKET}/a/folder` }
testFileStore('a folder of a bucket', () => boundFiles(folder), { overwrites: true })
