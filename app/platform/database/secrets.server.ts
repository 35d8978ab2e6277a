import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { env } from '#app/platform/env.server.ts'
import {
  deriveKey,
  makeKeyFile,
  makeRoot,
  readKeyFile,
  seal,
  sealWith,
  unseal,
  unsealWith,
  useRoot,
} from '#app/platform/guard/keys.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { type Database, db, isInsideTransaction, outsideTransaction, type Trx } from './db.server.ts'
import { onSignal, signalWith } from './signals.server.ts'

/** The secret that seals all others, and from which the keys of all purposes derive. */
const ROOT = 'root'
/** Held by the transaction that creates or changes a secret. */
const LOCK = 1_467_511_416
const TOPIC = 'secrets'
/** A process learns of a change that another one made within this time, even if the signal was lost. */
const LOOK_AGAIN_MS = 10_000
/** A database that is slower than this delays no request: the previous text stays in use meanwhile. */
const PATIENCE_MS = 1000

type Known = { text: string; lookedAt: number }

const known = new Map<string, Known>()
const looks = new Map<string, Promise<string | undefined>>()
let leave: (() => void)[] = []

/** Takes the keys of the installation out of its database. The first process of all creates them, or brings those of its key file. */
export async function openSecrets(database: Database): Promise<void> {
  closeSecrets()
  useRoot(await database.transaction().execute(takeRoot))
  const lookAgain = () => {
    for (const secret of known.values()) secret.lookedAt = 0
  }
  leave = [onSignal(TOPIC, lookAgain), onSignal('reconnected', lookAgain)]
}

export function closeSecrets() {
  for (const end of leave) end()
  leave = []
  known.clear()
  looks.clear()
}

async function takeRoot(trx: Trx): Promise<Buffer> {
  await lock(trx)
  const sealed = await sealedIn(trx, ROOT)
  if (!sealed) {
    const root = readKeyFile() ?? (env.MASTER_KEY.length > 0 ? makeRoot() : makeKeyFile())
    await store(trx, ROOT, sealRoot(root))
    return root
  }
  const opened = openRoot(sealed)
  if (!opened) throw new OperatorError(env.MASTER_KEY.length > 0 ? WRONG_MASTER_KEY : NO_KEY)
  if (opened.isByOther) await store(trx, ROOT, sealRoot(opened.root))
  return opened.root
}

const LOST = 'If it is lost, node scripts/run.mjs command new-keys --force creates new keys.'
const WRONG_MASTER_KEY = `MASTER_KEY is not the key that seals the secrets in this database: set it to the one of the other processes. ${LOST}`
const NO_KEY = `The secrets in this database are sealed by another key: set MASTER_KEY to the one of the other processes, or copy their file keys/master.key into DATA_DIR/keys. ${LOST}`

/** The keys that may have sealed the root secret. The first one seals it from now on. `folder` has the key file. */
function sealingKeys(folder?: string): Buffer[] {
  const file = readKeyFile(folder)
  return [...env.MASTER_KEY, ...(file ? [file] : [])].map((secret) => deriveKey(secret, ROOT))
}

function sealRoot(root: Buffer): Buffer {
  const [key] = sealingKeys()
  if (!key) throw new Error('There is no key to seal with.')
  return sealWith(key, ROOT, root)
}

/** `isByOther`: with a previous key. */
function openRoot(sealed: Uint8Array, folder?: string): { root: Buffer; isByOther: boolean } | undefined {
  for (const [at, key] of sealingKeys(folder).entries()) {
    try {
      return { root: unsealWith(key, ROOT, sealed), isByOther: at > 0 }
    } catch {
      continue
    }
  }
  return undefined
}

/** Refuses restored tables whose secrets a start could open neither with MASTER_KEY nor with the key file in this folder. */
export async function refuseForeignSecrets(trx: Trx, folder: string): Promise<void> {
  const sealed = await sealedIn(trx, ROOT)
  if (!sealed || openRoot(sealed, folder)) return
  throw new OperatorError(
    'The keys in this backup are sealed by another MASTER_KEY. Set MASTER_KEY to the one of that time, then try again.',
  )
}

/** Replaces secrets whose key is lost. Data that they sealed stays unreadable. */
export async function forgetSecrets(database: Database): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await lock(trx)
    await trx.deleteFrom('secrets').execute()
  })
}

/** A secret as text, at most 10 seconds old; undefined when there is none. Without a responsive database, the previous text. */
export async function currentSecret(name: string): Promise<string | undefined> {
  const held = known.get(name)
  if (held && Math.abs(Date.now() - held.lookedAt) < LOOK_AGAIN_MS) return held.text
  const looking = looks.get(name) ?? lookUp(name)
  if (!held) return looking
  // A transaction may hold the only connection, so it must not wait for a query of another.
  if (isInsideTransaction()) return held.text
  return Promise.race([looking, sleep(PATIENCE_MS, held.text, { ref: false })])
}

function lookUp(name: string): Promise<string | undefined> {
  const looking = outsideTransaction(() => readSecret(db, name))
    .then((text) => {
      if (text !== undefined && looks.get(name) === looking) known.set(name, { text, lookedAt: Date.now() })
      return text
    })
    .catch((error: unknown) => {
      const held = known.get(name)
      if (!held) throw error
      log.warn({ err: error, secret: name }, 'a secret could not be read again')
      held.lookedAt = Date.now()
      return held.text
    })
    .finally(() => looks.get(name) === looking && looks.delete(name))
  looks.set(name, looking)
  return looking
}

/** Stores what `change` returns for the present text. Of several processes, one at a time. */
export async function changeSecret(name: string, change: (present: string | undefined) => string): Promise<string> {
  const text = await db.transaction().execute(async (trx) => {
    await lock(trx)
    const present = await readSecret(trx, name)
    const next = change(present)
    if (next !== present) {
      await store(trx, name, seal(TOPIC, name, next))
      await signalWith(trx, TOPIC, name)
    }
    return next
  })
  known.set(name, { text, lookedAt: Date.now() })
  return text
}

async function readSecret(connection: Database | Trx, name: string): Promise<string | undefined> {
  const sealed = await sealedIn(connection, name)
  return sealed && unseal(TOPIC, name, sealed).toString()
}

async function sealedIn(connection: Database | Trx, name: string): Promise<Uint8Array | undefined> {
  return (await connection.selectFrom('secrets').select('sealed').where('name', '=', name).executeTakeFirst())?.sealed
}

async function store(trx: Trx, name: string, sealed: Buffer): Promise<void> {
  await trx
    .insertInto('secrets')
    .values({ name, sealed })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ sealed, changedAt: sql`now()` }))
    .execute()
}

async function lock(trx: Trx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(trx)
}
