import { env } from 'cloudflare:workers'
import { diskFiles } from '../../src/storage/files/disk.ts'
import { r2Files } from '../../src/storage/files/r2.ts'
import { testFileStore } from '../support/file-store-contract.ts'

testFileStore('R2', () => r2Files(env.FILES))
testFileStore('a disk', () => diskFiles(env))
