import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

export type Postgres = {
  /** The address of the database `postgres`; replace the name for another one. */
  url: string
  /** Its main process, the parent of the others. */
  pid: number
  stop: () => void
}

/** A separate PostgreSQL server: a new folder, a free port, deleted when stopped. `durable` leaves fsync on, as in production. */
export async function startPostgres({ durable = false } = {}): Promise<Postgres> {
  const tools = postgresTools()
  const folder = mkdtempSync(path.join(tmpdir(), 'winnow-postgres-'))
  const user = ordinaryUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const run = (tool: string, ...args: string[]) =>
    execFileSync(path.join(tools, tool), args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...user })

  const data = path.join(folder, 'data')
  run('initdb', '-D', data, '-U', 'winnow', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync')
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`, `fsync=${durable ? 'on' : 'off'}`]
  const options = settings.map((setting) => `-c ${setting}`).join(' ')
  try {
    run('pg_ctl', '-D', data, '-l', path.join(folder, 'log'), '-w', '-o', options, 'start')
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${readFileSync(path.join(folder, 'log'), 'utf8')}`, { cause: error })
  }
  return {
    url: `postgres://winnow@127.0.0.1:${port}/postgres`,
    pid: Number.parseInt(readFileSync(path.join(data, 'postmaster.pid'), 'utf8'), 10),
    stop() {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The folder of initdb, pg_ctl and pgbench; installs them if missing. */
export function postgresTools(): string {
  return findTools() ?? installTools()
}

/** The folder with initdb and pg_ctl of the newest PostgreSQL here. */
function findTools(): string | undefined {
  const places = [
    ...globSync('/usr/lib/postgresql/*/bin').toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true })),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ]
  return places.find((place) => existsSync(path.join(place, 'pg_ctl')) && existsSync(path.join(place, 'initdb')))
}

function installTools(): string {
  installByApt('postgresql')
  const tools = findTools()
  if (!tools) throw new Error('PostgreSQL is needed for these tests: pg_ctl was not found on PATH nor in /usr/lib/postgresql.')
  return tools
}

/** On Debian as root, installs packages; elsewhere does nothing, and the caller reports the missing packages. */
export function installByApt(...names: string[]) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  process.stderr.write(`Installing ${names.join(' and ')} …\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // One after the other: test files run side by side, and apt-get gives up where another one is at work.
  const apt = (...args: string[]) =>
    execFileSync('/usr/bin/flock', ['/tmp/winnow-apt.lock', 'apt-get', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
  apt('update', '-qq')
  apt('install', '-qq', '-y', '--no-install-recommends', ...names)
}

/** PostgreSQL refuses to run as root. */
export function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const fields = (users.find((line) => line.startsWith('postgres:')) ?? users.find((line) => line.startsWith('nobody:')))?.split(':')
  return { uid: Number(fields?.[2] ?? 65_534), gid: Number(fields?.[3] ?? 65_534) }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
