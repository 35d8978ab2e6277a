import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ImapFlow } from 'imapflow'
import { freePort, installByApt, ordinaryUser } from './postgres.ts'

const PROGRAM = '/usr/sbin/dovecot'

export type Dovecot = {
  port: number
  /** The setting of the product for the mailbox of a user, at this server or at a proxy before it. */
  urlOf: (user: string, port?: number) => string
  /** A client of other people, for what arrives. */
  client: (user: string) => Promise<ImapFlow>
  /** Gives the folder of a user a new UIDVALIDITY, as after a restore of the server. */
  renumber: (user: string) => void
  stop: () => Promise<void>
}

/** Dovecot, an IMAP server of other people, as an ordinary process in a folder of its own. Each user has a mailbox, with any password. */
export async function startDovecot(): Promise<Dovecot> {
  if (!existsSync(PROGRAM)) installByApt('dovecot-imapd')
  if (!existsSync(PROGRAM)) throw new Error('These tests need Dovecot 2.3 or 2.4: the package dovecot-imapd of Debian.')
  const folder = mkdtempSync(path.join(tmpdir(), 'winnow-dovecot-'))
  const user = ordinaryUser()
  const port = await freePort()
  writeFileSync(path.join(folder, 'dovecot.conf'), settingsIn(folder, port))
  writeFileSync(path.join(folder, 'users'), ['ada', 'bob', 'cut', 'kill'].map((name) => `${name}:{PLAIN}secret\n`).join(''))
  for (const name of ['run', 'state', 'mail']) mkdirSync(path.join(folder, name))
  if (user) for (const name of ['', 'run', 'state', 'mail']) chownSync(path.join(folder, name), user.uid, user.gid)
  const child = spawn(PROGRAM, ['-F', '-c', path.join(folder, 'dovecot.conf')], { stdio: 'ignore', cwd: folder, ...user })
  await untilListening(port, child, path.join(folder, 'log'))
  return {
    port,
    urlOf: (name, at = port) => `imap://${name}:secret@127.0.0.1:${at}/INBOX`,
    async client(name) {
      const client = new ImapFlow({
        host: '127.0.0.1',
        port,
        secure: false,
        doSTARTTLS: false,
        auth: { user: name, pass: 'secret' },
        logger: false,
      })
      client.on('error', () => undefined)
      await client.connect()
      return client
    },
    renumber(name) {
      for (const file of ['dovecot-uidlist', 'dovecot-uidvalidity', 'dovecot.index', 'dovecot.index.log', 'dovecot.index.cache'])
        rmSync(path.join(folder, 'mail', name, file), { force: true })
    },
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The settings in the language of the version: 2.4 has another one than 2.3. */
function settingsIn(folder: string, port: number): string {
  const name = execFileSync('id', ['-nu', ...(ordinaryUser() ? [String(ordinaryUser()?.uid)] : [])])
    .toString()
    .trim()
  const group = execFileSync('id', ['-ng', name]).toString().trim()
  const version = execFileSync(PROGRAM, ['--version']).toString()
  const where = { folder, port, name, group }
  const is23 = /^2\.[0-3]\./.test(version)
  return `${is23 ? '' : 'dovecot_config_version = 2.4.0\ndovecot_storage_version = 2.4.0\n'}base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
default_internal_user = ${name}
default_internal_group = ${group}
default_login_user = ${name}
first_valid_uid = 1
ssl = no
mailbox_list_index = no
${is23 ? settingsOf23(where) : settingsOf24(where)}
${['anvil', 'stats', 'imap-urlauth-login'].map((kind) => `service ${kind} {\n  chroot =\n}\n`).join('')}`
}

type Where = { folder: string; port: number; name: string; group: string }

const settingsOf23 = ({ folder, port, name, group }: Where) => `protocols = imap
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail/%u
mail_max_userip_connections = 200
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = uid=${name} gid=${group} home=${folder}/mail/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}`

const settingsOf24 = ({ folder, port, name, group }: Where) => `protocols = imap
auth_allow_cleartext = yes
mail_driver = maildir
mail_path = ${folder}/mail/%{user}
mail_max_userip_connections = 200
passdb passwd-file {
  passwd_file_path = ${folder}/users
}
userdb static {
  fields {
    uid = ${name}
    gid = ${group}
    home = ${folder}/mail/%{user}
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    listen = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}`

async function untilListening(port: number, child: ChildProcess, log: string) {
  for (let tries = 0; tries < 200 && child.exitCode === null; tries += 1) {
    const isUp = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket
        .once('data', () => resolve(true))
        .once('error', () => resolve(false))
        .once('close', () => resolve(false))
      setTimeout(() => socket.destroy(), 1000)
    })
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Dovecot did not start: ${existsSync(log) ? readFileSync(log, 'utf8') : 'it has no log'}`)
}

/** A line to a server that can be cut: the server and the client lose their connections at once. */
export async function startCuttable(target: number) {
  const sockets = new Set<Socket>()
  let passed = 0
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
      one.pipe(other)
    }
    far.on('data', (bytes) => void (passed += bytes.length))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    /** Bytes from the server so far. */
    passed: () => passed,
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
