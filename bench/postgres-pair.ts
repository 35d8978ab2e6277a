import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort, ordinaryUser, postgresTools } from '#test/postgres.ts'

/** A PostgreSQL server, and after `makeReplica` a second one that follows it, behind one address that can lead to either. */
export async function startPair() {
  const tools = postgresTools()
  const folder = mkdtempSync(path.join(tmpdir(), 'winnow-pair-'))
  const user = ordinaryUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const run = (tool: string, ...args: string[]) =>
    execFileSync(path.join(tools, tool), args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], ...user })
  const [first, second] = [
    { data: path.join(folder, 'first'), port: await freePort() },
    { data: path.join(folder, 'second'), port: await freePort() },
  ]
  const start = ({ data, port }: typeof first) => {
    const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`]
    run('pg_ctl', '-D', data, '-l', `${data}.log`, '-w', '-o', settings.map((setting) => `-c ${setting}`).join(' '), 'start')
  }
  const stop = ({ data }: typeof first) => run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop')
  run('initdb', '-D', first.data, '-U', 'winnow', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8')
  start(first)
  const line = await startSwitch(first.port)
  let current = first
  return {
    /** Of the address that both share. */
    url: `postgres://winnow@127.0.0.1:${line.port}/postgres`,
    stop: () => stop(current),
    start: () => start(current),
    makeReplica() {
      run(
        'pg_basebackup',
        '-h',
        '127.0.0.1',
        '-p',
        String(first.port),
        '-U',
        'winnow',
        '-D',
        second.data,
        '-R',
        '-X',
        'stream',
        '-c',
        'fast',
      )
      start(second)
    },
    /** The first server dies with its connections; the second becomes the primary, and the address leads to it. */
    failOver() {
      stop(first)
      run('pg_ctl', '-D', second.data, '-w', 'promote')
      current = second
      line.leadTo(second.port)
    },
    end() {
      stop(current)
      line.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A port that passes on connections, like the virtual address of a database cluster. */
async function startSwitch(firstTarget: number) {
  let target = firstTarget
  const open = new Set<Socket>()
  const server = createServer((from) => {
    const to = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy()).on('close', () => open.delete(one) && other.destroy())
    }
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  return {
    port,
    leadTo(next: number) {
      target = next
      for (const socket of open) socket.destroy()
    },
    end() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
