// 3,000 emails, with processes killed during delivery: how many are lost, finished twice, or sent twice.
import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { citext } from '@electric-sql/pglite/contrib/citext'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { openMailServer } from '#test/mail-server.ts'
import { startPostgres } from '#test/postgres.ts'

const EMAILS = 3000
const KILLS = 12
const FIRST_PORT = 4470

const COUNT = `SELECT (SELECT count(*)::integer FROM jobs WHERE kind = 'letter' AND done_at IS NOT NULL) AS done,
  (SELECT count(*)::integer FROM (SELECT job FROM finished JOIN jobs ON jobs.id = job WHERE kind = 'letter' GROUP BY job HAVING count(*) > 1) AS again) AS twice`

type Run = (statement: string) => Promise<Record<string, number>[]>
/** One engine: its settings, the number of processes, and a query function for use while none of them runs on the embedded one. */
type Engine = { name: string; processes: number; env: Record<string, string>; ask: (work: (run: Run) => Promise<void>) => Promise<void> }

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-jobs-'))
const postgres = await startPostgres({ durable: true })
const started = new Set<ChildProcess>()
try {
  const passed = [await measure(onPostgres(postgres.url)), await measure(embedded(path.join(folder, 'embedded')))]
  process.exitCode = passed.every(Boolean) ? 0 : 1
} finally {
  for (const child of started) child.kill('SIGKILL')
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure({ name, processes, env, ask }: Engine): Promise<boolean> {
  const mail = await openMailServer()
  const start = (port: number) => {
    const child = spawn(process.execPath, ['build/server/index.js'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...env, NODE_ENV: 'production', LOG_LEVEL: 'fatal', PORT: String(port), SMTP_URL: mail.url },
    })
    started.add(child.once('exit', () => started.delete(child)))
    return child
  }

  await migrate(start)
  await ask(postEmails)
  const began = performance.now()
  const running = Array.from({ length: processes }, (_, index) => start(FIRST_PORT + index))
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(() => mail.received.length >= (kill * EMAILS) / (KILLS + 1))
    const index = kill % processes
    await end(running[index], 'SIGKILL')
    running[index] = start(FIRST_PORT + index)
  }
  const ids = () => new Set(mail.received.map(({ messageId }) => messageId)).size
  await until(() => ids() === EMAILS)
  const seconds = (performance.now() - began) / 1000
  // If a process dies between the mail server's acceptance and our record of it, the email waits for its lease to expire.
  await sleep(name === 'embedded' ? 3000 : 65_000)
  await Promise.all(running.map((child) => end(child, 'SIGTERM')))

  let counts: Record<string, number> = {}
  await ask(async (run) => void (counts = (await run(COUNT))[0] ?? {}))
  await mail.close()
  const twice = mail.received.length - EMAILS
  process.stdout.write(
    `${name}, ${processes} × kill -9 among them ${KILLS}: ${counts.done} of ${EMAILS} done (bar ${EMAILS}), ${counts.twice} finished twice (bar 0), ` +
      `${EMAILS - ids()} never received (bar 0), ${twice} sent twice under the same Message-ID, ${seconds.toFixed(1)} s\n`,
  )
  return counts.done === EMAILS && counts.twice === 0 && ids() === EMAILS
}

/** Emails as rows of the outbox, and a log of each completion. */
async function postEmails(run: Run) {
  await run(`INSERT INTO jobs (id, kind, payload)
    SELECT gen_random_uuid(), 'letter', jsonb_build_object('kind', 'acknowledgement', 'to', 'ada' || n || '@example.com',
      'messageId', '<' || gen_random_uuid() || '@localhost>', 'data', jsonb_build_object('reference', 'W-' || n, 'name', 'Ada',
      'serviceType', null, 'budget', null, 'timeframe', null, 'receivedAt', '2026-11-20T12:00:00Z', 'promisedFrom', '2026-11-20T12:00:00Z'))
    FROM generate_series(1, ${EMAILS}) AS n`)
  await run('CREATE TABLE finished (job uuid)')
  await run(`CREATE FUNCTION finish() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO finished VALUES (NEW.id); RETURN NEW; END'`)
  await run(
    'CREATE TRIGGER finish AFTER UPDATE ON jobs FOR EACH ROW WHEN (NEW.done_at IS DISTINCT FROM OLD.done_at) EXECUTE FUNCTION finish()',
  )
}

function onPostgres(url: string): Engine {
  return {
    name: 'PostgreSQL',
    processes: 4,
    env: { DATABASE_URL: url, DATA_DIR: path.join(folder, 'postgres') },
    async ask(work) {
      const client = new Client(url)
      await client.connect()
      await work(async (statement) => (await client.query<Record<string, number>>(statement)).rows)
      await client.end()
    },
  }
}

function embedded(dataDir: string): Engine {
  return {
    name: 'embedded',
    processes: 1,
    env: { DATA_DIR: dataDir },
    async ask(work) {
      const engine = await PGlite.create(path.join(dataDir, 'pg18'), { extensions: { btree_gist, citext, pg_trgm } })
      await work(async (statement) => (await engine.query<Record<string, number>>(statement)).rows)
      await engine.close()
    },
  }
}

async function migrate(start: (port: number) => ChildProcess) {
  const child = start(FIRST_PORT)
  await until(() =>
    fetch(`http://127.0.0.1:${FIRST_PORT}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  await end(child, 'SIGTERM')
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals) {
  if (!child || child.exitCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

async function until(met: () => boolean | Promise<boolean>) {
  const deadline = Date.now() + 90_000
  while (!(await met())) {
    if (Date.now() > deadline) throw new Error('It takes too long.')
    await sleep(20)
  }
}
