// A restore of one moment from a base backup and archived WAL, with the commands of docs/operations.md: which rows come back, and how long it takes.
import { appendFileSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort, ordinaryUser, postgresTools } from '#test/postgres.ts'

const ROWS = 100_000

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-wal-'))
const user = ordinaryUser()
const [archive, data, restored] = ['archive', 'data', 'restored'].map((name) => path.join(folder, name))
if (!archive || !data || !restored) throw new Error('There are three folders.')
mkdirSync(archive)
if (user) for (const place of [folder, archive]) chownSync(place, user.uid, user.gid)
const port = await freePort()

try {
  run('initdb', '-D', data, '-U', 'winnow', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8')
  const copy = `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`
  configure(data, ['archive_mode = on', `archive_command = '${copy}'`, 'archive_timeout = 60'])
  start(data)
  await query('CREATE TABLE rows (id int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())')
  await query(`INSERT INTO rows SELECT generate_series(1, ${ROWS})`)
  run('pg_basebackup', '-h', folder, '-p', String(port), '-U', 'winnow', '-D', path.join(archive, 'base'), '-X', 'none', '-c', 'fast')
  await query('INSERT INTO rows VALUES (-1)')
  await sleep(1100)
  const [moment] = await query<{ now: string }>('SELECT now()::text AS now')
  await sleep(1100)
  await query('DELETE FROM rows')
  const [last] = await query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file')
  for (let tries = 0; tries < 100 && !existsSync(path.join(archive, last?.file ?? '')); tries += 1) await sleep(100)
  run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop')

  const begun = performance.now()
  cpSync(path.join(archive, 'base'), restored, { recursive: true })
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, restored])
  execFileSync('chmod', ['-R', 'go-rwx', restored])
  configure(restored, [`restore_command = 'cp ${archive}/%f %p'`, `recovery_target_time = '${moment?.now ?? ''}'`])
  writeFileSync(path.join(restored, 'recovery.signal'), '')
  start(restored)
  await query('SELECT pg_wal_replay_resume()')
  const [found] = await query<{ count: number; marked: boolean }>('SELECT count(*)::int AS count, bool_or(id = -1) AS marked FROM rows')
  const seconds = (performance.now() - begun) / 1000
  const isHeld = found?.count === ROWS + 1 && found.marked
  process.stdout.write(
    `${isHeld ? '✓' : '✗'} the moment before a DELETE: ${found?.count ?? 0} of ${ROWS + 1} rows, the one after the base backup ${found?.marked ? 'too' : 'not'}, in ${seconds.toFixed(1)} s\n`,
  )
  process.exitCode = isHeld ? 0 : 1
  run('pg_ctl', '-D', restored, '-m', 'immediate', '-w', 'stop')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(tool: string, ...args: string[]) {
  execFileSync(path.join(postgresTools(), tool), args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], ...user })
}

function start(place: string) {
  const settings = ['-c listen_addresses=', `-c port=${port}`, `-c unix_socket_directories=${folder}`].join(' ')
  run('pg_ctl', '-D', place, '-l', `${place}.log`, '-w', '-o', settings, 'start')
}

function configure(place: string, lines: string[]) {
  appendFileSync(path.join(place, 'postgresql.conf'), `${lines.join('\n')}\n`)
}

async function query<Found extends object>(statement: string): Promise<Found[]> {
  const client = new Client({ host: folder, port, user: 'winnow', database: 'postgres' })
  await client.connect()
  try {
    return (await client.query<Found>(statement)).rows
  } finally {
    await client.end()
  }
}
