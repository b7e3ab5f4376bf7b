import { env } from 'cloudflare:workers'
import { boundFiles } from '../../src/storage/files/bound.ts'
import { testFileStore } from '../support/file-store-contract.ts'

testFileStore('R2', () => boundFiles(env))
