import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The hosts that the clients use. Links always name `t1` and `img1`. */
export const HOSTS = ['pixhost.to', 'www.pixhost.to', 'api.pixhost.to', 't1.pixhost.to', 'img1.pixhost.to'] as const

/** Debian's packages of the required commands. */
const PACKAGES = { unshare: 'util-linux', mount: 'mount', ip: 'iproute2', openssl: 'openssl' }

/** As any user, and as root if user namespaces are not allowed. */
const UNSHARE = [
  ['--user', '--map-root-user', '--mount', '--net'],
  ['--mount', '--net'],
]

/**
 * Enters a private network in which `HOSTS` are 127.0.0.1. The rest of the machine does not see its /etc/hosts, and
 * programs in it reach no other host, not even the real ones.
 */
const ENTER = 'mount --bind "$1" /etc/hosts && ip link set lo up && shift && exec "$@"'

/** The prefix of a command that runs it in a private network, or a sentence why there is none. */
type PrivateNetwork = { command: readonly string[] } | { missing: string }

/** Finds out by trying what this machine allows. `folder` gets the hosts file. */
export function findPrivateNetwork(folder: string): PrivateNetwork {
  const hosts = join(folder, 'hosts')
  writeFileSync(hosts, `127.0.0.1 localhost\n::1 localhost\n127.0.0.1 ${HOSTS.join(' ')}\n`)
  for (const [command, name] of Object.entries(PACKAGES)) {
    if (!isInstalled(command)) return { missing: `\`${command}\` is not here: install ${name}` }
  }
  const failures: string[] = []
  for (const options of UNSHARE) {
    const command = ['unshare', ...options, 'sh', '-c', ENTER, 'sh', hosts]
    const attempt = run([...command, 'true'])
    if (attempt.status === 0) return { command }
    failures.push(attempt.stderr.trim())
  }
  const settings = 'sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000'
  return {
    missing:
      `private namespaces are not allowed here (${failures[0]}): allow them (${settings}, and on Ubuntu ` +
      'kernel.apparmor_restrict_unprivileged_userns=0; in a container --cap-add SYS_ADMIN --cap-add NET_ADMIN)',
  }
}

/** Returns whether the shell finds a command. */
export function isInstalled(command: string): boolean {
  return run(['sh', '-c', `command -v ${command}`]).status === 0
}

function run([command = '', ...parameters]: readonly string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(command, parameters, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  return { status, stderr: stderr ?? '' }
}
