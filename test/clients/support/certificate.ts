import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Writes a self-signed certificate for these hosts, valid for a day, to `key.pem` and `cert.pem` in `folder`. */
export function writeCertificate(folder: string, hosts: readonly string[]): void {
  const names = hosts.map((host) => `DNS:${host}`).join(',')
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
      .concat(['-subj', '/CN=Tintype test hosts', '-addext', `subjectAltName=${names}`])
      .concat(['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]),
    { stdio: 'pipe' },
  )
}
