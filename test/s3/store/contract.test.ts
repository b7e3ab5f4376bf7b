import { env } from 'cloudflare:workers'
import { describe, inject } from 'vitest'
import { boundFiles } from '../../../src/storage/files/bound.ts'
import { testFileStore } from '../../support/file-store-contract.ts'
import { BUCKET, OWNER } from '../support/accounts.ts'

const { swift, ceph } = inject('s3Endpoints')

function bindingsOf(endpoint: string, url: string) {
  const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = OWNER
  return { FILES: env.FILES, S3_ENDPOINT: endpoint, S3_URL: url, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }
}

// Swift rejects conditional puts with 501.
const inSwift = bindingsOf(swift, `s3://${BUCKET}`)
testFileStore('Swift', () => boundFiles(inSwift), { overwrites: true })

describe.skipIf(ceph === '')('with conditional puts (needs Ceph)', () => {
  const inCeph = bindingsOf(ceph, `s3://${BUCKET}/a/folder`)
  testFileStore('a folder of a bucket in Ceph', () => boundFiles(inCeph))
})
