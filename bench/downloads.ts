// A customer's download of 200 MB: bytes per second of processor time against nginx with sendfile, by ourselves and behind nginx; memory with many clients, and 20 random interruptions with resumes.
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, globSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { printFigures } from './figures.ts'
import { signUpOwner } from './owner.ts'
import { end, serve } from './serve.ts'
import { exactCpuSeconds, untilIdle } from './settled.ts'
import { takeDataset } from './take-dataset.ts'

const MEGABYTES = Number(process.env['MEGABYTES'] ?? 200)
const ROUNDS = Number(process.env['ROUNDS'] ?? 5)
/** Requests of one byte before the first round, so that a server is measured that has run for a while, and not its compiler. */
const WARM_UP = 3000
/** Requests in a round. */
const TIMES = 8
const CUTS = 20
const READERS = 8
const MEGABYTE = 2 ** 20
const [base, nginxPort] = ['http://localhost:4390', 4391]
const throughNginx = `http://localhost:${nginxPort}`
const bars = { offloadRatio: 0.9, growthMb: 20 }

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-downloads-'))
const given = path.join(folder, 'given.csv')
writeGiven()
const settings = { DATA_DIR: path.join(folder, 'data') }
let product = await serve(base, settings)
let nginx: number | undefined
try {
  const headers = await signUpOwner(base)
  const { id } = await takeDataset(base, headers, given)
  const reply = await fetch(`${base}/api/data-products/${id}/download`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ downloadType: 'file', format: 'original' }),
  })
  const { downloadUrl }: { downloadUrl: string } = await reply.json()
  const ours = new URL(downloadUrl, base).href
  nginx = await startNginx()
  const worker = Number(readFileSync(`/proc/${nginx}/task/${nginx}/children`, 'utf8'))
  const authorized = (address: string) => [address, '-H', `Authorization: ${headers.authorization}`]
  await warmUp(ours, headers)
  const ratio = compare('without a proxy', [product.pid ?? 0], authorized(ours), worker)
  const growth = await grow(ours, headers)
  const cuts = await cutAndResume(ours, headers)
  await end(product)
  product = await serve(base, { ...settings, FILE_OFFLOAD: 'x-accel' })
  await untilIdle(product.pid ?? 0)
  await warmUp(throughNginx + downloadUrl, headers)
  const offloadRatio = compare('X-Accel-Redirect', [product.pid ?? 0, worker], authorized(throughNginx + downloadUrl), worker)
  const ok = printFigures([
    {
      what: 'bytes for a second of processor time behind nginx with X-Accel-Redirect, of both together, against nginx alone (median)',
      found: offloadRatio.toFixed(2),
      bar: `≥ ${bars.offloadRatio}`,
      ok: offloadRatio >= bars.offloadRatio,
    },
    { what: 'the same without a proxy', found: ratio.toFixed(2), bar: 'reported', ok: true },
    {
      what: `memory that grows while ${READERS} read ${MEGABYTES} MB each`,
      found: `${growth.toFixed(0)} MB`,
      bar: `≤ ${bars.growthMb} MB`,
      ok: growth <= bars.growthMb,
    },
    { what: `${CUTS} random cuts, each resumed, whose checksum is equal`, found: `${cuts}`, bar: `${CUTS}`, ok: cuts === CUTS },
  ])
  process.exitCode = ok ? 0 : 1
} finally {
  if (nginx) process.kill(nginx)
  await end(product)
  rmSync(folder, { recursive: true, force: true })
}

/** Rows that do not compress. */
function writeGiven() {
  const file = openSync(given, 'w')
  writeSync(file, 'id,text\n')
  let row = 0
  for (let bytes = 0; bytes < MEGABYTES * MEGABYTE;) {
    const lines = Array.from({ length: 500 }, () => `${(row += 1)},${randomBytes(1000).toString('base64url')}\n`).join('')
    bytes += writeSync(file, lines)
  }
  closeSync(file)
}

/** One worker on one core, as our server has one thread. It keeps connections to us open, as in `deploy/nginx.conf`. */
async function startNginx(): Promise<number> {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/tmp;`).join(' ')
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `user root; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log; daemon on; events { worker_connections 64; }
    http { access_log off; sendfile on; tcp_nopush on; ${places} upstream winnow { server localhost:${new URL(base).port}; keepalive 32; }
    server { listen 127.0.0.1:${nginxPort};
      location /files/ { proxy_pass http://winnow; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host; }
      location /stored-files/ { internal; alias ${folder}/data/files/; }
      location = /given.csv { alias ${storedFile()}; } } }`,
  )
  const started = spawnSync('nginx', ['-c', path.join(folder, 'nginx.conf')], { encoding: 'utf8' })
  if (started.status !== 0) throw new Error(started.stderr || 'nginx is needed for this bench, and was not found.')
  await sleep(500)
  return Number(readFileSync(path.join(folder, 'nginx.pid'), 'utf8'))
}

/** The file that Winnow has stored: nginx alone sends the same one, because the cost depends on how its pages are in memory. */
function storedFile(): string {
  const { size } = statSync(given)
  const stored = globSync(`${folder}/data/files/**/*`).find((file) => statSync(file).size === size)
  if (!stored) throw new Error('The stored file was not found.')
  return stored
}

/** The median of the ratios of rounds that alternate, after a round that does not count. */
function compare(name: string, processes: number[], asked: string[], worker: number): number {
  const both = () => {
    const ours = bytesPerSecond(processes, asked)
    const other = bytesPerSecond([worker], [`${throughNginx}/given.csv`])
    process.stdout.write(`${name}: ours ${inWords(ours)}   nginx ${inWords(other)}   ratio ${(ours / other).toFixed(2)}\n`)
    return ours / other
  }
  both()
  const ratios = Array.from({ length: ROUNDS }, both).toSorted((one, other) => one - other)
  return ratios[Math.floor(ratios.length / 2)] ?? 0
}

async function warmUp(address: string, headers: Record<string, string>) {
  for (let time = 0; time < WARM_UP; time += 1) await readAll(await fetch(address, { headers: { ...headers, range: 'bytes=0-0' } }))
}

function bytesPerSecond(processes: number[], asked: string[]): number {
  const cpu = () => processes.reduce((sum, pid) => sum + exactCpuSeconds(pid), 0)
  const before = cpu()
  let bytes = 0
  for (let time = 0; time < TIMES; time += 1) {
    const { stdout } = spawnSync('curl', ['-sf', '-o', '/dev/null', '-w', '%{size_download}', ...asked], { encoding: 'utf8' })
    bytes += Number(stdout)
  }
  if (bytes < TIMES * MEGABYTES * MEGABYTE) throw new Error('A file did not come whole.')
  return bytes / (cpu() - before)
}

function inWords(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(0)} MB/CPU-s`
}

/** The server's peak memory growth in MB while several clients read at full speed. */
async function grow(ours: string, headers: Record<string, string>): Promise<number> {
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${product.pid}/status`, 'utf8'))?.[1]) / 1024
  const before = memory()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memory())
  }, 20)
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      await readAll(await fetch(ours, { headers }))
    }),
  )
  clearInterval(watch)
  return most - before
}

async function readAll(reply: Response, take: (piece: Uint8Array) => boolean = () => true): Promise<void> {
  if (!reply.ok || !reply.body) throw new Error(`A file was answered by ${reply.status}.`)
  for await (const piece of reply.body) if (!take(piece)) return
}

/** The number of interrupted downloads that were completed, byte for byte. */
async function cutAndResume(ours: string, headers: Record<string, string>): Promise<number> {
  const whole = createHash('sha256').update(readFileSync(given)).digest('hex')
  let equal = 0
  for (let cut = 0; cut < CUTS; cut += 1) equal += (await takeInTwo(ours, headers)) === whole ? 1 : 0
  return equal
}

async function takeInTwo(ours: string, headers: Record<string, string>): Promise<string> {
  const sum = createHash('sha256')
  const end = Math.floor(Math.random() * MEGABYTES * MEGABYTE)
  let at = 0
  const first = await fetch(ours, { headers })
  await readAll(first, (piece) => {
    sum.update(piece)
    at += piece.length
    return at < end
  })
  const rest = await fetch(ours, { headers: { ...headers, range: `bytes=${at}-`, 'if-range': first.headers.get('etag') ?? '' } })
  if (rest.status !== 206) throw new Error(`The rest was answered by ${rest.status}.`)
  await readAll(rest, (piece) => sum.update(piece) !== undefined)
  return sum.digest('hex')
}
