import { randomUUID } from 'node:crypto'
import { resolve, type PlaceOf, type Resolution } from '#app/redirects/engine/resolve.server.ts'
import { RuleSet } from '#app/redirects/engine/rule-set.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { onSignal } from '#app/platform/database/signals.server.ts'
import { REDIRECTS_CHANGED } from './redirect-lock.server.ts'

const AGAIN_MS = 1000

/** Marks this process's own signals, which need no reread. */
export const processId = randomUUID()
let rules = new RuleSet([], env.SITE_URL)
let reading: Promise<void> | undefined
let [asked, known] = [0, 0]
let again: NodeJS.Timeout | undefined
const listeners = new Set<(rules: RuleSet) => void>()

/** Resolves an address from memory, without a query. */
export function resolveRedirects(url: string, method?: string, placeOf?: PlaceOf): Resolution {
  return resolve(rules, url, method, placeOf)
}

/** Calls back when the rules of this process change. Returns the function that unsubscribes. */
export function onNewRules(callback: (rules: RuleSet) => void): () => void {
  listeners.add(callback)
  return () => void listeners.delete(callback)
}

/** Loads the rules and follows their changes. Returns the function that stops this. */
export async function openRules(): Promise<() => void> {
  const deaf = [
    onSignal(REDIRECTS_CHANGED, (from) => void (from !== processId && readRules())),
    onSignal('reconnected', () => void readRules()),
  ]
  await readOnceMore()
  return () => {
    clearTimeout(again)
    for (const stopListening of deaf) stopListening()
  }
}

/**
 * Call it after a change of redirects is committed. On return the rules apply in this process. If the database is gone, the old rules stay
 * in use.
 */
export async function readRules(): Promise<void> {
  clearTimeout(again)
  try {
    await readOnceMore()
  } catch (error) {
    log.warn({ err: error }, 'redirects could not be reloaded')
    again = setTimeout(() => void readRules(), AGAIN_MS).unref()
  }
}

/** One read at a time; changes during a read share the next one. */
async function readOnceMore(): Promise<void> {
  asked += 1
  const wanted = asked
  while (known < wanted) await (reading ??= readOnce().finally(() => (reading = undefined)))
}

async function readOnce() {
  const version = asked
  const list = await db
    .selectFrom('redirects')
    .select(['id', 'fromPath', 'toPath', 'statusCode', 'kind', 'query', 'ignoresSlash', 'ignoresCase'])
    .where('isActive', '=', true)
    .orderBy('position')
    .execute()
  rules = new RuleSet(list, env.SITE_URL)
  known = version
  for (const listener of listeners) listener(rules)
}
