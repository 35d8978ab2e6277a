import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort, installByApt } from '#test/postgres.ts'

export type WebServer = { url: string; stop: () => Promise<void> }

/** A separate nginx on a free port, with these directives inside its `server` block. */
export async function startNginx(directives: string): Promise<WebServer> {
  return startNginxSite((folder, port) => `server { listen 127.0.0.1:${port}; root ${folder}/root;\n${directives}\n}`)
}

/** A separate nginx with the servers of `site`, one of which serves http on the given port. */
export async function startNginxSite(site: (folder: string, port: number) => string): Promise<WebServer> {
  const program = findProgram('nginx', 'nginx-light')
  return start((folder, port) => {
    const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')
    writeFileSync(
      path.join(folder, 'server.conf'),
      `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
events { worker_connections 256; }
http { ${own} access_log off; absolute_redirect off;
${site(folder, port)} }`,
    )
    execFileSync(program, ['-t', '-q', '-p', folder, '-e', `${folder}/log`, '-c', `${folder}/server.conf`])
    return [program, ['-p', folder, '-e', `${folder}/log`, '-c', `${folder}/server.conf`]]
  })
}

/** A separate Caddy with a site of its own file on a free port; `settings` fill in the file. */
export async function startCaddy(file: string, settings: (site: string) => Record<string, string>): Promise<WebServer> {
  const program = findProgram('caddy', 'caddy')
  return start((folder, port) => {
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ...settings(`http://127.0.0.1:${port}`) }
    const text = readFileSync(file, 'utf8').replace(/grace_period .*/, 'grace_period 1s\n\tadmin off\n\tauto_https off')
    writeFileSync(path.join(folder, 'Caddyfile'), text)
    const given = ['--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile']
    execFileSync(program, ['validate', ...given], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    return [program, ['run', ...given], env]
  })
}

/** A separate Apache on a free port, with these directives for its whole site. */
export async function startApache(directives: string): Promise<WebServer> {
  const program = findProgram('apache2', 'apache2-bin')
  return start((folder, port) => {
    const modules = ['mpm_event', 'authz_core', 'rewrite']
    const load = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
    const account = process.getuid?.() === 0 ? ['User nobody', 'Group nogroup'] : []
    const settings = [
      `ServerRoot ${folder}`,
      `Listen 127.0.0.1:${port}`,
      'ServerName localhost',
      `PidFile ${folder}/pid`,
      `DefaultRuntimeDir ${folder}`,
      `ErrorLog ${folder}/log`,
      `DocumentRoot ${folder}/root`,
      'StartServers 1',
      'ServerLimit 1',
    ]
    writeFileSync(path.join(folder, 'server.conf'), [...load, ...account, ...settings, directives, ''].join('\n'))
    return [program, ['-f', `${folder}/server.conf`, '-DFOREGROUND']]
  })
}

/** Found in Debian's folder or on PATH; installed on Debian as root if missing. */
export function findProgram(name: string, packageName: string): string {
  const places = ['/usr/sbin', ...(process.env.PATH ?? '').split(path.delimiter)]
  const find = () => places.map((place) => path.join(place, name)).find((place) => existsSync(place))
  if (!find()) installByApt(packageName)
  const found = find()
  if (!found) throw new Error(`These tests need ${name}: it was not found on PATH nor in /usr/sbin.`)
  return found
}

type Start = [program: string, args: string[], env?: Record<string, string>]

async function start(configure: (folder: string, port: number) => Start): Promise<WebServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'winnow-web-server-'))
  chmodSync(folder, 0o755)
  mkdirSync(path.join(folder, 'root'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const [program, args, env = {}] = configure(folder, port)
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } })
  let said = ''
  child.stderr?.on('data', (data) => (said += String(data)))
  const stop = async () => {
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (child.exitCode !== null) break
    const isUp = await fetch(url, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (isUp) return { url, stop }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const log = path.join(folder, 'log')
  const reason = said + (existsSync(log) ? readFileSync(log, 'utf8') : '')
  await stop()
  throw new Error(`The web server did not start: ${reason}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
