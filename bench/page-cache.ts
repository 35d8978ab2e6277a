// The processor time of a request for the cached home page, against nginx sending the same compressed bytes; and that of an uncached page.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSeconds, settledMap } from './settled.ts'

/** Our processor time for a request divided by that of nginx. */
const BAR = 2.5
const ROUNDS = Number(process.env['ROUNDS'] ?? 7)
const SECONDS = 3
const WARM_REQUESTS = 30_000
const [ourPort, nginxPort] = [4380, 4381]
const asked = ['-H', 'Accept-Encoding: gzip, deflate, br, zstd', '-H', 'User-Agent: bench']

/** An unknown query parameter bypasses the cache. */
const MADE_ANEW = '/?unknown=1'

type Rate = { perCpuSecond: number; perSecond: number }

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-page-cache-'))
const ours = spawn('taskset', ['-c', '0', process.execPath, 'build/server/index.js'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, NODE_ENV: 'production', DATA_DIR: path.join(folder, 'data'), PORT: String(ourPort), RATE_LIMITS: 'off' },
})
let nginx: number | undefined

try {
  await ready(`http://127.0.0.1:${ourPort}/readyz`)
  await settledMap(`http://127.0.0.1:${ourPort}`)
  nginx = await startNginx()
  const worker = Number(readFileSync(`/proc/${nginx}/task/${nginx}/children`, 'utf8'))
  const measureBoth = () => [measure(ourPort, ours.pid ?? 0), measure(nginxPort, worker)] as const
  // However busy the machine is, the code of a warm process is compiled.
  for (let sent = 0; sent < WARM_REQUESTS;) sent += measureBoth()[0].perSecond * SECONDS
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [node, other] = measureBoth()
    ratios.push(other.perCpuSecond / node.perCpuSecond)
    process.stdout.write(`ours ${inWords(node)}   nginx ${inWords(other)}   ratio ${ratios.at(-1)?.toFixed(2)}\n`)
  }
  const median = ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)] ?? 0
  process.stdout.write(`cached page, processor time of a request against nginx: ${median.toFixed(2)} (bar ${BAR})\n`)
  process.exitCode = median <= BAR ? 0 : 1
  process.stdout.write(`the same page rendered for each request: ${inWords(measure(ourPort, ours.pid ?? 0, MADE_ANEW))}\n`)
} finally {
  ours.kill()
  if (nginx) process.kill(nginx)
  rmSync(folder, { recursive: true, force: true })
}

/** One worker on the first core, which sends the same headers and compressed bytes as the product. */
async function startNginx(): Promise<number> {
  const page = await fetch(`http://127.0.0.1:${ourPort}/`)
  await page.text()
  const bytes = spawnSync('curl', ['-s', ...asked, `http://127.0.0.1:${ourPort}/`]).stdout
  const reply = spawnSync('curl', ['-si', '-o', '-', ...asked, `http://127.0.0.1:${ourPort}/`]).stdout.toString('latin1')
  const [head = ''] = reply.split('\r\n\r\n', 1)
  const own = /^(HTTP|date|connection|keep-alive|content-length|content-type|etag)/i
  const headers = head.split('\r\n').filter((line) => !own.test(line))
  mkdirSync(path.join(folder, 'root'))
  writeFileSync(path.join(folder, 'root/page'), bytes)
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `user root; worker_processes 1; worker_cpu_affinity 01; pid ${folder}/nginx.pid; error_log ${folder}/error.log; daemon on;
    events { worker_connections 1024; }
    http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; default_type 'text/html; charset=utf-8';
      open_file_cache max=100; open_file_cache_valid 60s; client_body_temp_path ${folder}/tmp; proxy_temp_path ${folder}/tmp;
      fastcgi_temp_path ${folder}/tmp; uwsgi_temp_path ${folder}/tmp; scgi_temp_path ${folder}/tmp;
      server { listen 127.0.0.1:${nginxPort}; root ${folder}/root; location = / { try_files /page =404;
        ${headers.map(addHeader).join('\n        ')}
      } } }`,
  )
  const started = spawnSync('nginx', ['-c', path.join(folder, 'nginx.conf')], { encoding: 'utf8' })
  if (started.status !== 0) throw new Error(started.stderr)
  await sleep(500)
  return Number(readFileSync(path.join(folder, 'nginx.pid'), 'utf8'))
}

function addHeader(line: string): string {
  const [, name, value = ''] = /^([^:]+): (.*)$/.exec(line) ?? []
  const quote = value.includes('"') ? "'" : '"'
  return `add_header ${name} ${quote}${value}${quote};`
}

function measure(port: number, pid: number, page = '/'): Rate {
  const before = cpuSeconds(pid)
  const { stdout } = spawnSync(
    'taskset',
    ['-c', '1', 'wrk', '-t', '1', '-c', '32', '-d', `${SECONDS}s`, '--timeout', '10s', ...asked, `http://127.0.0.1:${port}${page}`],
    { encoding: 'utf8' },
  )
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  if (!requests || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  return { perCpuSecond: requests / (cpuSeconds(pid) - before), perSecond: requests / SECONDS }
}

async function ready(url: string) {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await sleep(100)
  }
  throw new Error(`${url} did not answer.`)
}

function inWords({ perCpuSecond, perSecond }: Rate): string {
  return `${Math.round(perCpuSecond)}/CPU-s (${Math.round(perSecond)}/s)`
}
