import { env } from 'cloudflare:workers'
import { diskFiles } from '../../src/storage/files/disk.ts'
import { r2Files } from '../../src/storage/files/r2.ts'
import { testFileStore } from '../support/file-store-contract.ts'

testFileStore('R2', () => r2Files(env.FILES))
testFileStore('a disk', () => diskFiles(env))

/** workerd does not report why it cannot write, so the service of files receives the bytes. */
const READ_ONLY = new Proxy(env.FILES_FOLDER, {
  get(target, name) {
    if (name !== 'fetch') return Reflect.get(target, name)
    return (url: string, init?: RequestInit) =>
      init?.method === 'PUT' ? Promise.reject(new Error('planted')) : target.fetch(url, init)
  },
})
testFileStore('a disk that workerd cannot write', () => diskFiles({ ...env, FILES_FOLDER: READ_ONLY }))
